/* threshold.h - conditions of --on-limit: thresholds.def as data, what the user wrote, and when a sample exceeds it. */
#ifndef RT_THRESHOLD_H
#define RT_THRESHOLD_H

#include "../core/metrics.h"
#include "../core/why.h"

struct threshold_info {
	const char *name, *help;
	enum unit unit;
	bool event;
	size_t tree, tree_else, machine, whole, whole_else;     /* offsets in struct totals */
};

extern const struct threshold_info thresholds[];
extern const size_t threshold_count;

struct threshold {
	const struct threshold_info *of;
	double most;                            /* a share: 0 to 1; else in the unit; of an event 0 */
	bool   share;
	const char *program;                    /* the rest of the text: the program and its arguments */
};

/*
 * Reads "memory>90% notify.sh --fast"; ret->program points into the text.  origin: "--on-limit".  -EINVAL with a
 * sentence.
 */
int threshold_read(struct threshold *ret, const char *text, const char *origin, struct why *why) must_use;

/* The value that is compared, as a share if the threshold is one; NONE: unknown. */
double threshold_value(const struct threshold *t, const struct totals *now, bool tracked);

/*
 * How often it is reported: at a sample that exceeds it, and again only when REST_SAMPLES in a row did not.  A value
 * that hovers about its limit is then reported once.
 */
struct crossing { bool over; unsigned rest; };

enum { REST_SAMPLES = 10 };

/* A sample's value; NONE changes nothing.  true: report it. */
bool crossing_step(struct crossing *c, const struct threshold *t, double value);

#endif
