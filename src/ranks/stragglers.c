/* stragglers.c - the ranks that held the job up, each with the reason that its record shows. */
#include "spread.h"

#include <stdio.h>
#include <string.h>

#include "../text/human.h"

static const double LONGER = 0.1, LEAST_SECONDS = 1;    /* from here on it is a straggler */
static const double REASON_SHARE = 0.02;                /* of its time: a wait explains it */
static const double OTHER_LOAD_CORES = 0.25;            /* other programs matter */

struct typical { double seconds, cpu_seconds, awake_seconds, waited_share, lost_share[LOSS_COUNT]; };

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median of what is known; 0: nothing is. */
static double median(double *values, size_t n)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		if (!is_none(values[i]))
			values[known++] = values[i];
	if (known == 0)
		return 0;
	qsort(values, known, sizeof *values, ascending);
	return values[(known - 1) / 2];
}

static double share(double part_seconds, const struct rank *r)
{
	return r->seconds > 0 && !is_none(part_seconds) ? double_min(1, part_seconds / r->seconds) : NONE;
}

/* What it computed, and waited to go on. */
static double awake_seconds(const struct rank *r)
{
	double waited = rank_waited_seconds(r);

	return r->cpu_seconds + (is_none(waited) ? 0 : waited);
}

static double seconds(const struct rank *r) { return r->seconds; }
static double cpu_seconds(const struct rank *r) { return r->cpu_seconds; }
static double waited_share(const struct rank *r) { return share(rank_waited_seconds(r), r); }

static double median_of(double (*value)(const struct rank *), double *values, const struct ranks *ranks)
{
	for (size_t i = 0; i < ranks->n; i++)
		values[i] = value(&ranks->at[i]);
	return median(values, ranks->n);
}

static void find_typical(struct typical *ret, double *values, const struct ranks *ranks)
{
	ret->seconds = median_of(seconds, values, ranks);
	ret->cpu_seconds = median_of(cpu_seconds, values, ranks);
	ret->awake_seconds = median_of(awake_seconds, values, ranks);
	ret->waited_share = median_of(waited_share, values, ranks);
	for (enum loss k = 0; k < LOSS_COUNT; k++) {
		for (size_t i = 0; i < ranks->n; i++)
			values[i] = share(ranks->at[i].lost_seconds[k], &ranks->at[i]);
		ret->lost_share[k] = median(values, ranks->n);
	}
}

/*
 * The share of its time, or of its CPU time if that is more, by its threads, in which it computed more than the others:
 * not what these would have computed while they waited.  NAN: its CPU time is unknown.
 */
static double computed_more(const struct rank *r, const struct typical *t)
{
	double more = double_min(r->cpu_seconds - t->cpu_seconds, awake_seconds(r) - t->awake_seconds);

	return r->seconds > 0 ? more / double_max(r->seconds, r->cpu_seconds) : NONE;
}

/* LOSS_COUNT: it waited for nothing longer than the others do, or computed more for longer than it waited. */
static enum loss main_loss(const struct rank *r, const struct typical *t)
{
	enum loss most = LOSS_COUNT;
	double most_share = double_max(computed_more(r, t), REASON_SHARE);

	for (enum loss k = 0; k < LOSS_COUNT; k++) {
		double more = share(r->lost_seconds[k], r) - t->lost_share[k];

		if (more >= most_share) {
			most_share = more;
			most = k;
		}
	}
	return most;
}

static void say_loss(struct straggler *s, struct buffer *out, const struct rank *r, enum loss loss,
		     const struct node_use *node)
{
	static const struct { const char *cause, *before, *after; } words[LOSS_COUNT] = {
		[LOSS_THROTTLED] = { "throttled", "its CPUs were throttled by the quota for ", "" },
		[LOSS_SWAPPING] = { "swapping", "waited ", " for memory while pages were swapped" },
		[LOSS_DISK] = { "disk", "waited ", " for the disk" },
		[LOSS_CPU] = { "cpu", "its threads waited ", " for a CPU" },
	};
	bool others = loss == LOSS_CPU && node && node->other_cores >= OTHER_LOAD_CORES;

	s->cause = others ? "other_load" : words[loss].cause;
	buffer_text(out, words[loss].before);
	human_seconds(out, r->lost_seconds[loss]);
	buffer_text(out, words[loss].after);
	if (others) {
		buffer_text(out, ", while other programs used ");
		human_cores(out, node->other_cores);
		buffer_text(out, " cores of its node");
	}
}

static void say_why(struct straggler *s, const struct rank *r, const struct typical *t, const struct job_use *use)
{
	struct buffer out = { 0 };
	enum loss loss = main_loss(r, t);
	bool longer = r->seconds > t->seconds * (1 + LONGER) && t->seconds > 0;

	if (longer)
		buffer_format(&out, "took %.3g times as long as the median rank: ", r->seconds / t->seconds);
	if (loss < LOSS_COUNT) {
		say_loss(s, &out, r, loss, job_use_node(use, r));
	} else if (r->cpu_seconds > t->cpu_seconds * (1 + LONGER) && t->cpu_seconds > 0) {
		s->cause = "work";
		buffer_format(&out, longer ? "it computed %.3g times as much" : "computed %.3g times as much as the median rank",
			      r->cpu_seconds / t->cpu_seconds);
	} else {
		s->cause = "unknown";
		buffer_text(&out, "its record shows no reason");
	}
	(void)snprintf(s->why, sizeof s->why, "%.*s", (int)out.len, out.at ? out.at : "");
	buffer_release(&out);
}

/* By which share of its time it is behind the others; 0: it is not. */
static double behind(const struct rank *r, const struct typical *t)
{
	double longer = share(r->seconds - t->seconds, r), most = 0;
	double more[] = { waited_share(r) - t->waited_share, computed_more(r, t) };

	if (longer * r->seconds >= LEAST_SECONDS && r->seconds >= t->seconds * (1 + LONGER))
		most = longer;
	for (size_t i = 0; i < countof(more); i++)
		if (more[i] >= LONGER && more[i] * r->seconds >= LEAST_SECONDS)
			most = double_max(most, more[i]);
	return most;
}

static int worst_first(const void *a, const void *b)
{
	const struct straggler *x = a, *y = b;

	if (x->behind < y->behind || x->behind > y->behind)
		return x->behind < y->behind ? 1 : -1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

static size_t find(struct straggler *ret, double *values, const struct ranks *ranks, const struct job_use *use)
{
	struct typical typical;
	size_t n = 0;

	find_typical(&typical, values, ranks);
	for (size_t i = 0; i < ranks->n; i++) {
		struct straggler s = { .rank = i, .behind = behind(&ranks->at[i], &typical) };

		if (!(s.behind > 0))
			continue;
		say_why(&s, &ranks->at[i], &typical, use);
		ret[n++] = s;
	}
	qsort(ret, n, sizeof *ret, worst_first);
	return n;
}

int stragglers_find(struct straggler **ret, size_t *ret_n, const struct ranks *ranks, const struct job_use *use)
{
	double *values = calloc(ranks->n + 1, sizeof *values);
	struct straggler *found = calloc(ranks->n + 1, sizeof *found);
	bool have = values && found;

	if (have) {
		*ret_n = find(found, values, ranks, use);
		*ret = found;
	} else {
		free(found);
	}
	free(values);
	return have ? 0 : -ENOMEM;
}
