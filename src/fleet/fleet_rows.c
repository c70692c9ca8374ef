/* fleet_rows.c - a run as rows of the tables of a store. */
#include "fleet_rows.h"

#include <string.h>
#include <time.h>

#include "../history/run_words.h"
#include "fleet_cells.h"
#include "request.h"

const struct fleet_table_info fleet_tables[FLEET_TABLES] = {
	[FLEET_PROGRAMS] = { "programs", 3 },
	[FLEET_REGIONS] = { "regions", 3 },
	[FLEET_POINTS] = { "points", 3 },
	[FLEET_ENDS] = { "ends", 2 },
	[FLEET_RUNS] = { "runs", 2 },
};

/* The row to be made of a run. */
struct subject {
	const struct digest *d;
	const char *record, *ends, *name;
	int64_t pushed_us;
	size_t i;                               /* the number of the program, region or point */
};

/* ---- the columns of each table ----------------------------------------------------------------- */

static int64_t start_us(const struct digest *d)
{
	return d->facts->run.start_wall_ns / 1000;
}

/* 202611 */
static int64_t month_of(int64_t wall_ns)
{
	time_t seconds = (time_t)(wall_ns / NS_PER_SECOND);
	struct tm t = { 0 };

	(void)gmtime_r(&seconds, &t);
	return ((int64_t)t.tm_year + 1900) * 100 + t.tm_mon + 1;
}

static void put_key(struct cells *c, const struct subject *s)
{
	cell_text(c, "id", s->d->facts->id);
	cell_integer(c, "start_us", start_us(s->d));
}

static void put_words(struct cells *c, const struct run *run)
{
	struct buffer command = { 0 }, tags = { 0 };

	if (run->command)
		run_command_words(&command, run);
	cell_buffer(c, "command", &command);
#define PUT_METADATA(name, variable) cell_text(c, #name, run->name);
	RUN_METADATA(PUT_METADATA)
#undef PUT_METADATA
	for (size_t i = 0; i < run->n_tags; i++)
		buffer_format(&tags, "%s%s", i > 0 ? "\n" : "", run->tags[i]);
	cell_buffer(c, "tags", &tags);
}

static void put_job(struct cells *c, const struct run *run)
{
	struct job none;
	const struct job *job = run->job ? run->job : &none;

	job_unknown(&none);
	for (enum job_key k = 0; k < JOB_KEYS; k++)
		if (job_keys[k].number)
			cell_number_of(c, "job", job_keys[k].name,
				      job_number(job, k) < 0 ? NONE : (double)job_number(job, k));
		else
			cell_text_of(c, "job", job_keys[k].name, job_text(job, k));
}

static void put_host(struct cells *c, const struct host *h)
{
	cell_text(c, "host", h->name);
	cell_text(c, "kernel", h->kernel);
	cell_text(c, "architecture", h->architecture);
	cell_text(c, "cpu_model", h->cpu_model);
	cell_number(c, "cpus", h->cpus);
	cell_number(c, "memory_bytes", h->memory_bytes);
}

static void put_ending(struct cells *c, const struct digest *d)
{
	const struct run_status *status = &d->facts->status;

	cell_text(c, "state", d->state < STATE_COUNT ? run_states[d->state] : "");
	cell_number(c, "exit_code", status->end == RUN_EXITED ? status->value : NONE);
	cell_number(c, "signal", status->end == RUN_SIGNALED ? status->value : NONE);
	cell_text(c, "cause", status->reason.cause);
	cell_text(c, "reason", status->reason.text);
}

static void put_quantities(struct cells *c, const struct quantity_values *values)
{
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		cell_number(c, quantities[q].name, quantity_value(values, q));
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		if (quantities[q].basis != quantities[q].basis_else)
			cell_text_of(c, quantities[q].name, "basis", basis_names[quantity_basis(values, q)]);
}

static void put_use(struct cells *c, const struct digest *d)
{
	struct run_use use;

	run_use_read(&use, d);
	cell_integer(c, "use_tracked", use.tracked);
	cell_integer(c, "use_pss", use.pss);
	cell_integer(c, "use_peak_missed", use.peak_missed);
	cell_integer(c, "use_out_of_memory", use.out_of_memory);
#define PUT_USE(name) cell_number(c, "use_" #name, use.name);
	RUN_USE(PUT_USE)
#undef PUT_USE
}

static void run_cells(struct cells *c, const struct subject *s)
{
	const struct digest *d = s->d;
	const struct run *run = &d->facts->run;
	struct request asked = request_of(d);

	put_key(c, s);
	cell_integer(c, "pushed_us", s->pushed_us);
	cell_integer(c, "month", month_of(run->start_wall_ns));
	cell_text(c, "record", s->record);
	cell_text(c, "name", s->name);
	put_words(c, run);
	put_job(c, run);
	put_host(c, &d->facts->host);
	put_ending(c, d);
	cell_number(c, "interval_seconds", run->interval_seconds > 0 ? run->interval_seconds : NONE);
	cell_number(c, "asked_cores", asked.cores);
	cell_number(c, "asked_memory", asked.memory_bytes);
	put_quantities(c, &d->values);
	put_use(c, d);
}

/* Amounts as their sum, levels as mean and most. */
static void program_cells(struct cells *c, const struct subject *s)
{
	const struct table_info *info = &tables[TABLE_PROGRAM];
	const struct aggregate *whole = s->d->whole;

	put_key(c, s);
	cell_text(c, "program", s->i < aggregate_rows(whole, TABLE_PROGRAM) ? aggregate_key(whole, TABLE_PROGRAM, s->i) : "");
	cell_integer(c, "pushed_us", s->pushed_us);
	cell_text(c, "name", s->name);
	for (size_t k = 0; k < info->n_metrics; k++) {
		const struct metric *m = &info->metrics[k];
		struct statistic value = aggregate_row(whole, TABLE_PROGRAM, s->i, m);

		if (m->kind == KIND_AMOUNT)
			cell_number(c, m->name, value.sum);
		if (m->kind == KIND_LEVEL) {
			cell_number_of(c, "mean", m->name, value.mean);
			cell_number_of(c, "most", m->name, value.maximum);
		}
	}
}

static void region_cells(struct cells *c, const struct subject *s)
{
	static const struct region_total nothing = { .path = "" };
	const struct region_totals *all = &s->d->facts->region_totals;
	const struct region_total *r = s->i < all->n ? &all->at[s->i] : &nothing;

	put_key(c, s);
	cell_text(c, "path", r->path);
	cell_integer(c, "pushed_us", s->pushed_us);
	cell_text(c, "name", s->name);
#define PUT(name) cell_number(c, #name, (double)r->name);
	PUT(count) PUT(recursed) PUT(unfinished)
	PUT(seconds) PUT(shortest_seconds) PUT(longest_seconds) PUT(p50_seconds) PUT(p95_seconds) PUT(p99_seconds)
	PUT(cpu_seconds) PUT(elapsed_seconds) PUT(peak_rss_bytes) PUT(rss_rise_bytes)
#undef PUT
	for (size_t k = 0; k < REGION_USES; k++) {
		cell_number(c, region_use_names[k], r->use[k].value);
		cell_number_of(c, region_use_names[k], "lower", r->use[k].lower);
		cell_number_of(c, region_use_names[k], "upper", r->use[k].upper);
	}
}

static void point_cells(struct cells *c, const struct subject *s)
{
	static const struct outline_point nothing = { .end_seconds = 0 };
	const struct outline *o = s->d->facts->outline;
	const struct outline_point *p = o && s->i < o->n ? &o->at[s->i] : &nothing;
	double before = s->i > 0 && p != &nothing ? o->at[s->i - 1].end_seconds : 0;

	put_key(c, s);
	cell_integer(c, "point", (int64_t)s->i);
	cell_integer(c, "pushed_us", s->pushed_us);
	cell_number(c, "end_seconds", p->end_seconds);
	cell_number(c, "seconds", p->end_seconds - before);
	for (size_t k = 0; k < OUTLINE_QUANTITIES; k++) {
		const struct metric *m = outline_metric(k);

		cell_number_of(c, m->group, m->name, p->value[k]);
	}
}

/* What a report over all ranks of a job is made of. */
static void ends_cells(struct cells *c, const struct subject *s)
{
	const struct job *job = s->d->facts->run.job;

	put_key(c, s);
	cell_integer(c, "pushed_us", s->pushed_us);
	cell_text(c, "job_id", job ? job->id : "");
	cell_text(c, "job_array_id", job ? job->array_id : "");
	cell_text(c, "record", s->record);
	cell_text(c, "lines", s->ends);
}

static void (*const cells_of[FLEET_TABLES])(struct cells *c, const struct subject *s) = {
	[FLEET_PROGRAMS] = program_cells, [FLEET_REGIONS] = region_cells, [FLEET_POINTS] = point_cells,
	[FLEET_ENDS] = ends_cells, [FLEET_RUNS] = run_cells,
};

/* ---- columns alone ----------------------------------------------------------------------------- */

void fleet_columns_of(struct fleet_columns *ret, enum fleet_table t)
{
	struct cells c = { .columns = ret };
	struct recording_facts facts = { .format = "", .id = "" };
	struct digest nothing = { .facts = &facts, .state = STATE_COUNT, .values = quantities_unknown() };
	struct subject s = { .d = &nothing, .record = "", .ends = "", .name = "", .i = SIZE_MAX };

	ret->n = 0;
	/* Of an empty run: without memory for one there are no columns. */
	nothing.whole = aggregate_open();
	nothing.of = calloc(tables[TABLE_TOTAL].n_metrics, sizeof *nothing.of);
	if (nothing.whole && nothing.of)
		cells_of[t](&c, &s);
	free(nothing.of);
	aggregate_close((struct aggregate *)(uintptr_t)nothing.whole);
}

/* ---- a run ------------------------------------------------------------------------------------- */

static size_t rows_of(const struct subject *s, enum fleet_table t)
{
	const struct digest *d = s->d;

	switch (t) {
	case FLEET_PROGRAMS: return aggregate_rows(d->whole, TABLE_PROGRAM);
	case FLEET_REGIONS: return d->facts->region_totals.n;
	case FLEET_POINTS: return d->facts->outline ? d->facts->outline->n : 0;
	case FLEET_ENDS: return s->ends != NULL;
	case FLEET_RUNS: return 1;
	case FLEET_TABLES: break;
	}
	return 0;
}

int fleet_run_read(struct fleet_run *ret, struct arena *arena, const struct digest *d, const char *record,
		   const char *ends, int64_t pushed_us)
{
	struct buffer name = { 0 };
	struct subject s = { .d = d, .record = record, .ends = ends, .pushed_us = pushed_us };
	struct cells c = { .arena = arena };
	struct fleet_row *rows;
	size_t n = 0, filled = 0;

	run_name_words(&name, d);
	buffer_char(&name, '\0');
	for (enum fleet_table t = 0; t < FLEET_TABLES; t++)
		n += rows_of(&s, t);
	rows = arena_take(arena, n * sizeof *rows);
	c.failed = name.failed || !rows;
	s.name = name.failed ? "" : name.at;
	for (enum fleet_table t = 0; t < FLEET_TABLES && !c.failed; t++)
		for (s.i = 0; s.i < rows_of(&s, t) && !c.failed; s.i++) {
			union value values[FLEET_COLUMNS_MOST];

			c.values = values;
			c.n = 0;
			cells_of[t](&c, &s);
			c.values = arena_take(arena, c.n * sizeof *c.values);
			if (!c.values) {
				c.failed = true;
				break;
			}
			memcpy(c.values, values, c.n * sizeof *c.values);
			rows[filled++] = (struct fleet_row){ t, c.values };
		}
	buffer_release(&name);
	if (c.failed)
		return -ENOMEM;
	/* The first column of each row is the id. */
	*ret = (struct fleet_run){ rows[n - 1].values[0].text, start_us(d), rows, n };
	return 0;
}
