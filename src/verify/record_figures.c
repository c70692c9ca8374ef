/* record_figures.c - compares the use that a load reports with its record. */
#include "verify.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../readers/record_reader.h"
#include "../summary/summary_parts.h"

enum { PROGRAMS_MAX = FIGURES_OF_MAX - QUANTITY_COUNT };

/* The values needed from a record. */
struct reading {
	const struct aggregate *whole;          /* the whole run */
	struct aggregate *rows;                 /* the same, computed from the rows: shows for how long each value
						   was known */
	struct figure *held;                    /* NULL: no quantity of this case needs a sample */
	struct totals last;                     /* its texts name the sources */
};

/* The value of a total in the current row. */
static double value_of(const struct record_reader *r, enum total_metric m)
{
	for (size_t i = 0; i < record_reader_columns(r); i++)
		if (record_reader_column(r, i)->metric == &tables[TABLE_TOTAL].metrics[m - 1])
			return record_reader_values(r)[i];
	return NONE;
}

/* One sample of a held quantity: the figure keeps the worst of them. */
static void take_held(struct figure *f, const struct record_reader *r)
{
	const struct quantity_info *q = &verify_quantities[f->quantity];
	struct figure now = *f;

	now.verdict = VERDICT_GOOD;
	now.why.text[0] = '\0';
	now.reported = value_of(r, q->metric);
	now.printed = (struct span){ value_of(r, q->lower), value_of(r, q->upper) };
	figure_judge(&now);
	now.samples = f->samples + 1;
	now.without_value = f->without_value + is_none(now.reported);
	if (f->samples == 0 || figure_is_worse(&now, f))
		*f = now;
	f->samples = now.samples;
	f->without_value = now.without_value;
}

static void take_row(struct reading *to, struct record_reader *r, const struct trial *t)
{
	double start = (double)record_reader_facts(r)->run.start_wall_ns / 1e9;
	double began = start + (double)record_reader_sample(r)->monotonic_ns / 1e9;
	double ended = began + value_of(r, METRIC_tracker_sample_seconds);

	record_reader_replay(r, to->rows);
	to->last = record_reader_sample(r)->total;
	/* The load's use is constant between these instants; comparisons with NONE are false. */
	if (to->held && began > trial_truth(t, "held_from") && ended < trial_truth(t, "held_until"))
		take_held(to->held, r);
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

/* If a quantity has several sources, the record names the one in use. */
static const char *source_of(enum quantity q, const struct totals *said)
{
	return q == QUANTITY_CPU ? said->process_cpu_source
	       : q == QUANTITY_STARTED || q == QUANTITY_PROGRAM ? said->process_membership
	       : q == QUANTITY_PEAK ? said->process_peak_rss_source : verify_quantities[q].source;
}

static double sum_of(const struct aggregate *whole, enum total_metric m)
{
	return m == METRIC_NONE ? 0 : summary_total(whole, m).sum;
}

static void report_program(struct figure *f, const struct aggregate *whole)
{
	const struct metric *cpu = tables[TABLE_PROGRAM].metrics;
	double unnamed = sum_of(whole, METRIC_process_unaccounted_cpu_seconds);

	while (cpu->offset != offsetof(struct program_row, cpu_seconds))
		cpu++;
	f->reported = 0;                        /* a program without a row used nothing */
	for (size_t i = 0; i < aggregate_rows(whole, TABLE_PROGRAM); i++)
		if (strcmp(aggregate_key(whole, TABLE_PROGRAM, i), f->program) == 0)
			f->reported = aggregate_row(whole, TABLE_PROGRAM, i, cpu).sum;
	f->printed = (struct span){ f->reported, f->reported + unnamed };
}

static void report_total(struct figure *f, const struct reading *from)
{
	const struct quantity_info *q = &verify_quantities[f->quantity];
	bool is_amount = f->quantity != QUANTITY_PEAK;

	f->reported = metric(from->whole, q->metric, is_amount) + sum_of(from->whole, q->also);
	f->has_no_count = is_none(sum_of(from->whole, METRIC_process_started));
	f->printed.low = metric(from->whole, q->lower, is_amount);
	f->printed.high = metric(from->whole, q->upper, is_amount);
	if (q->missed) {
		struct statistic known = summary_total(from->rows, q->metric);
		struct statistic missed = summary_total(from->rows, q->missed);

		/* If the value was unknown for some time, there is no bound. */
		if (missed.seconds >= known.seconds)
			f->printed = (struct span){ f->reported, f->reported + missed.sum };
	}
}

/* A held quantity has its value from the rows. */
static void report(struct figure *f, const struct reading *from)
{
	if (f->quantity == QUANTITY_PROGRAM)
		report_program(f, from->whole);
	else if (f->quantity != QUANTITY_PSS)
		report_total(f, from);
	if (!is_none(f->reported))
		(void)snprintf(f->source, sizeof f->source, "%s", source_of(f->quantity, &from->last));
}

static void expect(struct figure *f, const struct trial *t)
{
	f->truth = f->whole = trial_truth(t, verify_quantities[f->quantity].truth);
	f->true_span = (struct span){ f->truth, f->truth };
	if (f->quantity == QUANTITY_CPU)
		f->true_span = (struct span){ trial_truth(t, "cpu_low_seconds"), trial_truth(t, "cpu_high_seconds") };
}

/*
 * A figure for each program of the load; for a program without a truth one figure gives the reason.  Returns how
 * many.
 */
static size_t expect_programs(struct figure *ret, const struct figure *of, const struct trial *t)
{
	struct json_value programs, name, value;
	size_t n = 0;

	if (!json_find(t->truth, "programs", &programs)) {
		*ret = *of;
		return 1;
	}
	for (struct json_walk w = json_walk(programs); n < PROGRAMS_MAX && json_next(&w, &name, &value); n++) {
		ret[n] = *of;
		(void)json_as_text(name, ret[n].program, sizeof ret[n].program);
		ret[n].truth = json_as_number(value);
		ret[n].true_span = (struct span){ ret[n].truth, ret[n].truth };
	}
	return n;
}

/* Marks what cannot be measured or tested here, and why. */
static void mark_unmeasured(struct figure *f, const struct reading *from, const struct trial *t,
		   const struct record_facts *facts)
{
	bool disk = f->quantity == QUANTITY_WRITTEN || f->quantity == QUANTITY_READ;
	bool tcp = f->quantity == QUANTITY_SENT || f->quantity == QUANTITY_RECEIVED;
	double lost = sum_of(from->whole, METRIC_process_lost_records);

	if (disk && trial_truth(t, "counted_write_bytes") == 0) {
		f->verdict = VERDICT_NOT_TESTED;
		(void)why_set(&f->why, 0, "nothing that is written there reaches a disk; TMPDIR names another place");
		return;
	}
	if (tcp && f->reported < f->truth && is_none(f->printed.high)) {
		f->reported = NONE;
		f->verdict = VERDICT_NOT_MEASURED;
		(void)why_set(&f->why, 0, "the recorder reports that some TCP connections can be missing, but not what they carried");
		return;
	}
	if (f->quantity == QUANTITY_PROGRAM && lost > 0) {
		f->reported = NONE;
		f->verdict = VERDICT_NOT_MEASURED;
		(void)why_set(&f->why, 0, "the kernel had no room for %.0f records of starts and ends, as the recorder says", lost);
		return;
	}
	if (!is_none(f->reported) || f->verdict != VERDICT_GOOD)
		return;
	f->verdict = VERDICT_NOT_MEASURED;
	if (f->quantity == QUANTITY_PSS)
		(void)why_set(&f->why, 0, "no sample came while it was held, and the PSS of a process that ended is unknown");
	if (tcp)
		(void)why_set(&f->why, 0, "no sample came while it lived, and later the owner of a connection is unknown");
	if (f->quantity == QUANTITY_STARTED)
		(void)why_set(&f->why, 0, "the kernel does not report here which processes start");
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
		mark_unmeasured(&figures[i], to, t, record_reader_facts(r));
	}
	record_reader_close(r);
	return 0;
}

/* Its samples had no value on purpose: the bounds were too wide for one. */
static void explain_no_value(struct figure *f)
{
	enum { MIB = 1024 * 1024 };

	if (f->verdict == VERDICT_NOT_MEASURED && f->samples > 0)
		(void)why_set(&f->why, 0, "its bounds were too wide for a value in each of the %zu samples: %.1f to %.1f MiB in "
			      "the first of them", f->samples, f->printed.low / MIB, f->printed.high / MIB);
	else if (f->verdict == VERDICT_GOOD && f->without_value > 0)
		(void)why_set(&f->why, 0, "its bounds were too wide for a value in %zu of the %zu samples", f->without_value,
			      f->samples);
}

size_t figures_of(struct figure *ret, const struct test_case *c, const struct trial *t, int trial_result,
		  const struct bench *b, struct own_cost *own, struct notices *notices)
{
	struct reading reading = { .held = NULL };
	struct why why = t->why;
	size_t n = 0;

	for (enum quantity q = 0; q < QUANTITY_COUNT; q++) {
		struct figure f = { .load = c->name, .quantity = q, .has_hidden_ends = c->trait == HIDDEN_ENDS,
				    .source_is_forced = b->cpu_source && strcmp(b->cpu_source, "auto") != 0,
				    .reported = NONE, .printed = { NONE, NONE } };

		if (!(c->quantities & 1u << q))
			continue;
		expect(&f, t);
		if (q == QUANTITY_PSS)
			reading.held = &ret[n];
		if (q == QUANTITY_PROGRAM)
			n += expect_programs(ret + n, &f, t);
		else
			ret[n++] = f;
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
		explain_no_value(&ret[i]);
	}
	return n;
}
