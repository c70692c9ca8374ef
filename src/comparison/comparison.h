/* comparison.h - compares two sides of runs, quantity by quantity, and judges the differences. */
#ifndef RT_COMPARISON_H
#define RT_COMPARISON_H

#include "../core/json_write.h"
#include "../text/text_table.h"
#include "condition.h"
#include "rank_sum.h"

enum { RUNS_MOST = RANK_SUM_MOST };

struct side {
	struct quantity_values runs[RUNS_MOST];
	size_t n;
	size_t failed;                          /* runs of a command that failed, or with an unknown end */
};

enum verdict {
	VERDICT_UNKNOWN,                        /* unknown on a side */
	VERDICT_SAME,                           /* explained by chance, or smaller than the smallest relevant change */
	VERDICT_LESS, VERDICT_MORE,
	VERDICT_COUNT
};

/* Values are in the unit of the quantity. */
struct row {
	double base, new;                       /* medians; NONE: unknown */
	double base_spread, new_spread;         /* maximum minus minimum; NONE for one run */
	double change_percent;                  /* NONE: unknown, or base is 0 */
	enum basis basis;                       /* of all values; BASIS_COUNT: unknown */
	bool   mixed;                           /* known, but not on one basis in all runs: not compared */
	enum verdict verdict;
	bool   failed;                          /* a condition was met */
};

struct comparison {
	const struct side *base, *new;
	struct row rows[QUANTITY_COUNT];
	const struct condition *conditions;
	size_t n_conditions;
	bool   met[32];                         /* by condition */
	bool   failed;
};

extern const char *const verdicts[VERDICT_COUNT];

/* Compares the known values of both sides, at most RUNS_MOST each; sorts them.  n 0: VERDICT_UNKNOWN. */
struct row compare_values(double *base, size_t n_base, double *new, size_t n_new, enum unit unit);

/*
 * Fills in all rows, without judging conditions, of which there are at most 32.  The sides and the conditions must
 * outlive *ret, here and below.
 */
void compare_sides(struct comparison *ret, const struct side *base, const struct side *new,
		   const struct condition *conditions, size_t n_conditions);
/* false: the quantity of condition i is unknown on a side that it needs. */
bool comparison_judge(struct comparison *c, size_t i);

/*
 * Compares the sides and judges all conditions.  A condition on a change is met only by a change that is significant
 * (rank_sum.h) and larger than the smallest relevant one: 4 MiB, 0.05 s, 0.05 cores, 1.  -ENODATA with a sentence if
 * a quantity of a condition is unknown: all rows are filled in, and conditions after it are not judged.
 */
int compare(struct comparison *ret, const struct side *base, const struct side *new,
	    const struct condition *conditions, size_t n_conditions, struct why *why) must_use;

/* The text for a quantity that is not compared. */
#define COMPARISON_MIXED "not of one kind in all runs: PSS, RSS, the job's or the machine's"

/* A row as five cells from the `first` on: name, base, new, change, verdict; and as an object. */
enum { COMPARISON_CELLS = 5 };
void comparison_cells(struct text_row *ret, size_t first, const char *name, enum unit unit, const struct row *row);
void comparison_row_json(struct json *j, const struct row *row);
void comparison_condition_json(struct json *j, const struct condition *condition, bool met);

void comparison_text(struct buffer *out, const struct comparison *c);
void comparison_markdown(struct buffer *out, const struct comparison *c);
void comparison_json(struct buffer *out, const struct comparison *c);

#endif
