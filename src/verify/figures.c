/* figures.c - what a load says it used, beside what the record of it says. */
#include "verify.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../core/record_reader.h"
#include "../summary/summary_parts.h"

/* What is wanted of a record. */
struct reading {
	const struct aggregate *whole;          /* the run in all */
	struct aggregate *rows;                 /* the same from its rows: these tell how long each value was known */
	double pss, pss_low, pss_high;          /* the last sample while all of it was held */
	struct totals last;                     /* whose texts name sources */
};

static double level(const struct record_reader *r, const char *name)
{
	for (size_t i = 0; i < record_reader_columns(r); i++)
		if (strcmp(record_reader_column(r, i)->name, name) == 0)
			return record_reader_value(r, i);
	return NONE;
}

static void take_row(struct reading *to, struct record_reader *r, const struct trial *t)
{
	double start = (double)record_reader_facts(r)->run.start_wall_ns / 1e9;
	double at = start + (double)record_reader_sample(r)->monotonic_ns / 1e9;

	record_reader_replay(r, to->rows);
	to->last = record_reader_sample(r)->total;
	/* The load changes nothing between these instants; comparisons with NONE are false. */
	if (at > trial_truth(t, "held_from") && at < trial_truth(t, "held_until")) {
		to->pss = level(r, "process.pss_bytes");
		to->pss_low = level(r, "process.pss_lower_bytes");
		to->pss_high = level(r, "process.pss_upper_bytes");
	}
}

static double metric(const struct aggregate *whole, enum total_metric m, bool sum)
{
	struct statistic s = summary_total(whole, m);

	return sum ? s.sum : s.maximum;
}

static void take_cost(struct own_cost *own, const struct aggregate *whole)
{
	own->cpu_seconds = add_known(own->cpu_seconds, summary_total(whole, METRIC_tracker_cpu_seconds).sum);
	own->rss_bytes = fmax(own->rss_bytes, summary_total(whole, METRIC_tracker_rss_bytes).maximum);
	own->sample_seconds = fmax(own->sample_seconds, summary_total(whole, METRIC_tracker_sample_seconds).maximum);
	own->seconds += aggregate_seconds(whole);
}

/* Where there is more than one, the record names it. */
static const char *source_of(enum quantity q, const struct totals *said)
{
	return q == QUANTITY_CPU ? said->process_cpu_source
	       : q == QUANTITY_STARTED ? said->process_membership
	       : q == QUANTITY_PEAK ? said->process_peak_rss_source : quantities[q].source;
}

static void report(struct figure *f, const struct reading *from)
{
	const struct quantity_info *q = &quantities[f->quantity];
	bool is_amount = f->quantity != QUANTITY_PEAK;

	if (f->quantity == QUANTITY_PSS) {
		f->reported = from->pss;
		f->printed = (struct span){ from->pss_low, from->pss_high };
	} else {
		f->reported = metric(from->whole, q->metric, is_amount);
		f->printed.low = metric(from->whole, q->lower, is_amount);
		f->printed.high = metric(from->whole, q->upper, is_amount);
	}
	if (q->missed) {
		struct statistic known = summary_total(from->rows, q->metric);
		struct statistic missed = summary_total(from->rows, q->missed);

		/* Where it was not known once, there is no bound. */
		if (missed.seconds >= known.seconds)
			f->printed = (struct span){ f->reported, f->reported + missed.sum };
	}
	if (!is_none(f->reported))
		(void)snprintf(f->source, sizeof f->source, "%s", source_of(f->quantity, &from->last));
}

static void expect(struct figure *f, const struct trial *t)
{
	f->truth = trial_truth(t, quantities[f->quantity].truth);
	f->true_span = (struct span){ f->truth, f->truth };
	if (f->quantity == QUANTITY_CPU)
		f->true_span = (struct span){ trial_truth(t, "cpu_low_seconds"), trial_truth(t, "cpu_high_seconds") };
}

/* What cannot be known here, and why. */
static void excuse(struct figure *f, const struct trial *t, const struct record_facts *facts)
{
	bool disk = f->quantity == QUANTITY_WRITTEN || f->quantity == QUANTITY_READ;
	bool tcp = f->quantity == QUANTITY_SENT || f->quantity == QUANTITY_RECEIVED;

	if (disk && trial_truth(t, "counted_write_bytes") == 0) {
		f->verdict = VERDICT_NOT_TESTED;
		(void)why_set(&f->why, 0, "nothing that is written there reaches a disk; TMPDIR names another place");
		return;
	}
	if (tcp && f->reported < f->truth && is_none(f->printed.high)) {
		f->reported = NONE;
		f->verdict = VERDICT_NOT_MEASURED;
		(void)why_set(&f->why, 0, "the recorder says that some may be missing, and not how much");
		return;
	}
	if (!is_none(f->reported))
		return;
	f->verdict = VERDICT_NOT_MEASURED;
	if (f->quantity == QUANTITY_PSS)
		(void)why_set(&f->why, 0, "no sample came while it was held; of a process that ended nobody knows the PSS");
	if (tcp)
		(void)why_set(&f->why, 0, "no sample came while it lived, and later nobody knows whose a connection was");
	if (f->quantity == QUANTITY_STARTED)
		(void)why_set(&f->why, 0, "the kernel does not tell here of processes that start");
	for (size_t i = 0; tcp && i < facts->n_notices; i++)
		if (strstr(facts->notices[i], "TCP"))
			(void)why_set(&f->why, 0, "%s", facts->notices[i]);
}

static void take_notices(struct notices *to, const struct record_facts *facts)
{
	for (size_t i = 0; i < facts->n_notices && to->n < NOTICES_MAX; i++) {
		struct why *next = &to->at[to->n];
		bool known = false;

		(void)why_set(next, 0, "%s", facts->notices[i]);
		for (size_t k = 0; k < to->n; k++)
			known = known || strcmp(to->at[k].text, next->text) == 0;
		to->n += !known;
	}
}

static int read_record(struct reading *to, struct figure *figures, size_t n, const struct trial *t,
		       const struct bench *b, struct own_cost *own, struct notices *notices, struct why *why)
{
	struct record_reader *r;
	char path[PATH_MAX];
	int result;

	bench_record(b, path, sizeof path);
	result = record_reader_open(&r, path, why);
	if (result < 0)
		return result;
	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;)
		if (item == RECORD_ROW)
			take_row(to, r, t);

	to->whole = record_reader_totals(r) ? record_reader_totals(r) : to->rows;
	take_cost(own, to->whole);
	take_notices(notices, record_reader_facts(r));
	own->interval_seconds = record_reader_facts(r)->run.interval_seconds;
	for (size_t i = 0; i < n; i++) {
		report(&figures[i], to);
		excuse(&figures[i], t, record_reader_facts(r));
	}
	record_reader_close(r);
	return 0;
}

size_t figures_of(struct figure *ret, const struct test_case *c, const struct trial *t, int trial_result,
		  const struct bench *b, struct own_cost *own, struct notices *notices)
{
	struct reading reading = { .pss = NONE, .pss_low = NONE, .pss_high = NONE };
	struct why why = t->why;
	size_t n = 0;

	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		if (c->quantities & 1u << q) {
			ret[n] = (struct figure){ .load = c->name, .quantity = q, .short_lived = c->short_lived,
						  .reported = NONE, .printed = { NONE, NONE } };
			expect(&ret[n++], t);
		}
	if (trial_result == 0) {
		reading.rows = aggregate_open();
		trial_result = reading.rows ? read_record(&reading, ret, n, t, b, own, notices, &why) : -ENOMEM;
		aggregate_close(reading.rows);
	}
	for (size_t i = 0; i < n; i++) {
		if (trial_result < 0) {
			ret[i].verdict = t->refused ? VERDICT_NOT_TESTED : VERDICT_BROKEN;
			ret[i].why = why;
		}
		figure_judge(&ret[i]);
	}
	return n;
}
