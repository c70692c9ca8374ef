/*
 * last_minute.h - the last minute of a run at a finer grain than its samples: memory, CPU and processes of the
 * tree and the machine's memory, kept in a ring of fixed size.  Only a run that fails shows it.
 *
 * Waking up costs more than what is read (60 of 110 us), and ten times a second it would cost twice as much as
 * all samples at an interval of a second.  So looks between samples are taken where a minute could matter:
 * every 0.1 s in the first second, while memory grows so that it will be full within a minute, and while
 * processes multiply; else every second, which at the usual interval means none.  And a budget pays for them:
 * 0.015 % of a core, with credit for a minute of 10 Hz at a tree of a few processes; a tree whose look is dear
 * gets fewer.
 */
#ifndef RT_LAST_MINUTE_H
#define RT_LAST_MINUTE_H

#include "../core/run.h"
#include "../core/sample.h"
#include "../core/source.h"
#include "../tree/tree.h"

enum { MOMENTS = 640 };

struct last_minute {
	struct moment ring[MOMENTS];
	size_t  first, n;
	int64_t start_ns;                       /* of the run: moments count from there */
	double  memory_limit_bytes;             /* of the control group; NONE: none */
	int64_t restless_until_ns;
	int64_t credit_ns, credited_ns;         /* CPU time for looks, and when it was last added to */
	int     meminfo, pressure;              /* opened at the first look; -1: not, or not there */
	bool    opened;
	struct text text;
};

/* memory_limit_bytes: of the control group, since looks may come before any sample; NONE: none is known. */
void last_minute_open(struct last_minute *l, int64_t start_ns, double memory_limit_bytes);
void last_minute_close(struct last_minute *l);          /* a zeroed one is fine */

/* After each sample.  tree: NULL if there is none. */
void last_minute_sample(struct last_minute *l, const struct sample *s, const struct tree *tree);
/* A look between samples; reads the tree. */
void last_minute_poll(struct last_minute *l, const struct source *src, struct tree *tree);
/*
 * When the next look is due, after a sample or look at now_ns, where the next sample comes at sample_ns;
 * 0: none before that sample.
 */
int64_t last_minute_due(const struct last_minute *l, int64_t now_ns, int64_t sample_ns);

/* Pure: whether what happened between the two calls for looks at 10 Hz. */
bool last_minute_is_restless(const struct moment *was, const struct moment *now, double memory_limit_bytes);
/* Those of the last sixty seconds, oldest first.  Returns their number. */
size_t last_minute_moments(const struct last_minute *l, struct moment ret[MOMENTS]);

#endif
