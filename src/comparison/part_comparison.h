/* part_comparison.h - compares two sides of runs, part by part: each program, or each region of code, by itself. */
#ifndef RT_PART_COMPARISON_H
#define RT_PART_COMPARISON_H

#include "comparison.h"
#include "parts.h"

struct parts_side { struct parts runs[RUNS_MOST]; size_t n; };

struct compared_part {
	const char *name;                       /* owned by a side */
	struct side base, new;                  /* the runs that have the part; in the others it is not counted as 0 */
	struct row count;
	struct comparison c;
};

struct part_comparison {
	enum parts_of what;
	struct compared_part **parts;           /* largest first: CPU time of programs, duration of regions */
	size_t n;
	const struct condition *conditions;
	size_t n_conditions;
	bool   failed;
};

/* The main quantity of a part. */
enum quantity part_measure(enum parts_of what);
const char *part_word(enum parts_of what, bool many);           /* "program", "regions" */

/*
 * Each condition (at most 32) is judged for each part that both sides have (a bound: that the new side has).  -ENODATA
 * with a sentence if a condition could not be judged for any; -ENOMEM.  Sides and conditions must outlive it.
 */
int  compare_parts(struct part_comparison *ret, enum parts_of what, const struct parts_side *base,
		   const struct parts_side *new, const struct condition *conditions, size_t n_conditions,
		   struct why *why) must_use;
void part_comparison_release(struct part_comparison *c);

/* Writes each part's main quantity, and the other quantities that changed. */
void part_comparison_text(struct buffer *out, const struct part_comparison *c);
void part_comparison_markdown(struct buffer *out, const struct part_comparison *c);
void part_comparison_json(struct buffer *out, const struct part_comparison *c);         /* all quantities */

#endif
