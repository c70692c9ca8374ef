/* comparison.h - two sides of runs, quantity by quantity, and what it means. */
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
	size_t failed;                          /* runs of a command that did not succeed, or whose end is not known */
};

enum verdict {
	VERDICT_UNKNOWN,                        /* not known on a side */
	VERDICT_SAME,                           /* no more than chance and the smallest change that counts explain */
	VERDICT_LESS, VERDICT_MORE,
	VERDICT_COUNT
};

struct row {
	double base, new;                       /* medians; NONE */
	double base_spread, new_spread;         /* from the least to the most; NONE of one run */
	double change_percent;                  /* NONE: not known, or base is 0 */
	enum basis basis;                       /* what all of them are values of; BASIS_COUNT: not known */
	bool   mixed;                           /* known, but on no basis that all runs have: not compared */
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

/* What the values of both sides, which are known, come to; sorts them. */
struct row compare_values(double *base, size_t n_base, double *new, size_t n_new, enum unit unit);

/* All rows, and no condition judged. */
void compare_sides(struct comparison *ret, const struct side *base, const struct side *new,
		   const struct condition *conditions, size_t n_conditions);
/* false: what condition i is about is not known on a side that it needs. */
bool comparison_judge(struct comparison *c, size_t i);

/*
 * Both.  A condition on a change is met only by a change that stands out (rank_sum.h) and is larger than the smallest
 * that counts: 4 MiB, 0.05 s, 0.05 cores, 1.  -ENODATA with a sentence if a quantity of a condition is not known.
 */
int compare(struct comparison *ret, const struct side *base, const struct side *new,
	    const struct condition *conditions, size_t n_conditions, struct why *why) must_use;

/* What is said of a quantity that is not compared. */
#define COMPARISON_MIXED "not of one kind in all runs: PSS, RSS, the job's or the machine's"

/* A row as five cells from the `first` on: name, base, new, change, verdict; as an object. */
enum { COMPARISON_CELLS = 5 };
void comparison_cells(struct text_row *ret, size_t first, const char *name, enum unit unit, const struct row *row);
void comparison_row_json(struct json *j, const struct row *row);
void comparison_condition_json(struct json *j, const struct condition *condition, bool met);

void comparison_text(struct buffer *out, const struct comparison *c);
void comparison_markdown(struct buffer *out, const struct comparison *c);
void comparison_json(struct buffer *out, const struct comparison *c);

#endif
