/* quantity.h - quantities.def as data, and their values for a run. */
#ifndef RT_QUANTITY_H
#define RT_QUANTITY_H

#include "../core/aggregate.h"
#include "../core/buffer.h"
#include "../core/run.h"

enum quantity {
#define QUANTITY(name, unit, statistic, tree, basis, tree_else, basis_else, machine, help) QUANTITY_##name,
#include "../core/quantities.def"
	QUANTITY_COUNT
};

/*
 * What a value refers to.  Values of one quantity on two bases cannot be compared: PSS and RSS, or the use of the job
 * and that of the whole machine.  Best first.
 */
enum basis {
	BASIS_RUN,                              /* of the run as such: its duration */
	BASIS_PSS, BASIS_RSS,                   /* of the tracked processes */
	BASIS_THREADS,                          /* of the threads that entered a region */
	BASIS_JOB,                              /* of the tracked processes */
	BASIS_MACHINE,                          /* including other programs */
	BASIS_COUNT                             /* none: unknown */
};

struct quantity_info { const char *name; enum unit unit; const char *help; enum basis basis, basis_else; };

/* NONE: unknown on this basis. */
struct quantity_values { double by[QUANTITY_COUNT][BASIS_COUNT]; };

extern const struct quantity_info quantities[QUANTITY_COUNT];
extern const char *const basis_names[BASIS_COUNT + 1];  /* "PSS"; NULL: unknown */

struct quantity_values quantities_unknown(void);

/*
 * seconds: from start to end.  tracked: processes were tracked, not only the machine watched.  moments: the last minute
 * of a run that failed.  Values are those of the summary: peaks of RSS include those between samples, and the mean CPU
 * of a job is its CPU time over `seconds`.  It cannot fail: what is not known is NONE.
 */
void quantities_read(struct quantity_values *ret, const struct aggregate *whole, double seconds, bool tracked,
		     const struct moment *moments, size_t n_moments);

/* The best basis on which it is known, BASIS_COUNT: none, and the value there, or NONE: to describe a single run. */
enum basis quantity_basis(const struct quantity_values *v, enum quantity q);
double     quantity_value(const struct quantity_values *v, enum quantity q);

/* The value for people, with its unit ("2.02 cores"), or as a number in base units; nothing if it is NONE. */
void       quantity_write(struct buffer *out, enum quantity q, double value, bool number);

/*
 * Several runs are described on one basis: the best that all runs with the quantity have.  Begin with
 * basis_set_all(), and narrow it by each run; BASIS_COUNT if the set is empty: no common basis.
 */
struct basis_set { bool has[BASIS_COUNT], any; };       /* any: some run has the quantity */
struct basis_set basis_set_all(void);
void       basis_set_narrow(struct basis_set *s, const struct quantity_values *v, enum quantity q);
enum basis basis_set_best(const struct basis_set *s);

/* " (PSS)" for use after a quantity's name, if the name does not show the basis; else "".  Static. */
const char *basis_words(enum basis b);

#endif
