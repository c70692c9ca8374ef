/*
 * export_sqlite.c - runs in an SQLite database: docs/reference/export.md is the contract.
 *
 * A table has the columns that rows can have, named as the metrics.  A run is written in one transaction, which first
 * deletes the run's previous rows.
 */
#include "../history/past_run.h"
#include "database.h"
#include "export.h"

#include <stdio.h>
#include <string.h>

#include "../core/json_write.h"
#include "../text/human.h"

enum { APPLICATION = 0x72747231, SCHEMA_VERSION = 1 };

enum { TABLE_NAME_SIZE = 32 };

struct runs_database {
	struct database db;
	int64_t run;
	struct database_table runs, samples, maxima, processes, regions, entries, marks, rows[TABLE_COUNT];
	char names[TABLE_COUNT][TABLE_NAME_SIZE], bases[QUANTITY_COUNT][TABLE_NAME_SIZE];
};

static void put_seconds(struct database_table *t, int64_t ns)
{
	database_put_number(t, (double)ns / 1e9);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const struct { const char *name, *type; } run_columns[] = {
	{ "run", "INTEGER PRIMARY KEY" }, { "id", "TEXT NOT NULL UNIQUE" }, { "source", "TEXT" }, { "command", "TEXT" },
#define METADATA_COLUMN(name, variable) { #name, "TEXT" },
	RUN_METADATA(METADATA_COLUMN)
#undef METADATA_COLUMN
	{ "tags", "TEXT" }, { "host", "TEXT" }, { "kernel", "TEXT" }, { "architecture", "TEXT" }, { "cpu_model", "TEXT" },
	{ "cpus", "NUMERIC" }, { "memory_bytes", "NUMERIC" }, { "start", "REAL" }, { "interval_seconds", "REAL" },
	{ "state", "TEXT" }, { "exit_code", "INTEGER" }, { "signal", "INTEGER" }, { "reason", "TEXT" },
};

static const char REFERENCE[] = "INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE";

static const struct { size_t table; const char *name, *type; } event_columns[] = {
#define COLUMN(table, name, type) { offsetof(struct runs_database, table), #name, type },
	COLUMN(processes, run, REFERENCE) COLUMN(processes, pid, "INTEGER") COLUMN(processes, parent, "INTEGER")
	COLUMN(processes, name, "TEXT") COLUMN(processes, start_t, "REAL") COLUMN(processes, end_t, "REAL")
	COLUMN(processes, cpu_seconds, "REAL") COLUMN(processes, peak_rss_bytes, "NUMERIC")
	COLUMN(processes, complete, "INTEGER")

	COLUMN(regions, run, REFERENCE) COLUMN(regions, path, "TEXT NOT NULL") COLUMN(regions, count, "INTEGER")
	COLUMN(regions, recursed, "INTEGER") COLUMN(regions, unfinished, "INTEGER") COLUMN(regions, seconds, "REAL")
	COLUMN(regions, min_seconds, "REAL") COLUMN(regions, max_seconds, "REAL") COLUMN(regions, p50_seconds, "REAL")
	COLUMN(regions, p95_seconds, "REAL") COLUMN(regions, p99_seconds, "REAL") COLUMN(regions, cpu_seconds, "REAL")
	COLUMN(regions, elapsed_seconds, "REAL") COLUMN(regions, peak_rss_bytes, "NUMERIC")
	COLUMN(regions, rss_rise_bytes, "NUMERIC")
#define USE_COLUMNS(NAME, name) \
	COLUMN(regions, name, "NUMERIC") COLUMN(regions, name##_lower, "NUMERIC") COLUMN(regions, name##_upper, "NUMERIC")
	REGION_USES(USE_COLUMNS)
#undef USE_COLUMNS

	COLUMN(entries, run, REFERENCE) COLUMN(entries, t, "REAL NOT NULL") COLUMN(entries, path, "TEXT NOT NULL")
	COLUMN(entries, seconds, "REAL") COLUMN(entries, cpu_seconds, "REAL") COLUMN(entries, tid, "INTEGER")
	COLUMN(entries, unfinished, "INTEGER")

	COLUMN(marks, run, REFERENCE) COLUMN(marks, t, "REAL NOT NULL") COLUMN(marks, path, "TEXT")
	COLUMN(marks, text, "TEXT") COLUMN(marks, value, "REAL") COLUMN(marks, tid, "INTEGER")
#undef COLUMN
};

static const char *type_of(const struct metric *m)
{
	return m->decimals == 0 ? "NUMERIC" : "REAL";
}

static bool in_samples(const struct metric *m, bool maxima)
{
	return maxima ? m->kind == KIND_LEVEL : export_metric(m);
}

static void totals_columns(struct database_table *t, bool maxima)
{
	const struct table_info *info = &tables[TABLE_TOTAL];

	database_column(t, "run", REFERENCE);
	database_column(t, "t", "REAL NOT NULL");
	if (!maxima) {
		database_column(t, "seconds", "REAL");
		database_column(t, "samples", "INTEGER");
	}
	for (size_t i = 0; i < info->n_metrics; i++) {
		const struct metric *m = &info->metrics[i];

		if (in_samples(m, maxima))
			database_group_column(t, m->group, m->name, type_of(m));
	}
	for (size_t i = 0; i < info->n_labels && !maxima; i++)
		database_group_column(t, info->labels[i].group, info->labels[i].name, "TEXT");
}

static void row_columns(struct database_table *t, const struct table_info *info)
{
	database_column(t, "run", REFERENCE);
	database_column(t, "t", "REAL NOT NULL");
	database_column(t, "key", "TEXT NOT NULL");
	for (size_t i = 0; i < info->n_labels; i++)
		database_column(t, info->labels[i].name, "TEXT");
	for (size_t i = 0; i < info->n_metrics; i++)
		if (export_metric(&info->metrics[i]))
			database_column(t, info->metrics[i].name, type_of(&info->metrics[i]));
}

/* Runs can have the quantity on different bases, so a column names the basis. */
static bool has_basis_column(enum quantity q)
{
	return quantities[q].basis != quantities[q].basis_else;
}

static void declare_tables(struct runs_database *d)
{
	d->runs.name = "runs";
	d->samples.name = "samples";
	d->maxima.name = "maxima";
	d->processes.name = "processes";
	d->regions.name = "regions";
	d->entries.name = "region_entries";
	d->marks.name = "region_marks";
	for (size_t i = 0; i < countof(run_columns); i++)
		database_column(&d->runs, run_columns[i].name, run_columns[i].type);
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		database_column(&d->runs, quantities[q].name, quantities[q].unit == UNIT_BYTES ? "NUMERIC" : "REAL");
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		if (has_basis_column(q)) {
			(void)snprintf(d->bases[q], sizeof d->bases[q], "%s_basis", quantities[q].name);
			database_column(&d->runs, d->bases[q], "TEXT");
		}
	for (size_t i = 0; i < countof(event_columns); i++)
		database_column((void *)((char *)d + event_columns[i].table), event_columns[i].name,
				event_columns[i].type);
	totals_columns(&d->samples, false);
	totals_columns(&d->maxima, true);
	for (enum table t = 0; t < TABLE_COUNT; t++)
		if (export_table(t)) {
			(void)snprintf(d->names[t], sizeof d->names[t], "%ss", tables[t].name);
			d->rows[t].name = d->names[t];
			row_columns(&d->rows[t], &tables[t]);
		}
}

/* All tables, the runs first, since the others refer to them.  NULL: no more. */
static struct database_table *table_at(struct runs_database *d, size_t i)
{
	struct database_table *all[] = {
		&d->runs, &d->samples, &d->maxima, &d->processes, &d->regions, &d->entries, &d->marks,
	};

	if (i < countof(all))
		return all[i];
	return i < countof(all) + TABLE_COUNT ? &d->rows[i - countof(all)] : NULL;
}

static int open_tables(struct runs_database *d, struct why *why)
{
	struct database_table *t;
	int r = 0;

	declare_tables(d);
	for (size_t i = 0; r == 0 && (t = table_at(d, i)) != NULL; i++) {
		char sql[128];

		if (!t->name)
			continue;
		r = database_table_open(t, &d->db, why);
		(void)snprintf(sql, sizeof sql, "CREATE INDEX IF NOT EXISTS %s_of_run ON \"%s\" (run)", t->name, t->name);
		if (r == 0 && i > 0)
			r = database_execute(&d->db, sql, why);
	}
	return r;
}

/* ---- the stream ------------------------------------------------------------------------------ */

static int begin(struct export *e)
{
	struct runs_database *d = calloc(1, sizeof *d);
	int64_t nothing;
	int r;

	if (!d)
		return export_no_memory(e);
	r = database_open(&d->db, e->path, APPLICATION, SCHEMA_VERSION, e->why);
	if (r < 0) {
		free(d);
		return r;
	}
	e->state = d;
	r = open_tables(d, e->why);
	if (r == 0)
		r = database_query(&d->db, &nothing, "DELETE FROM runs WHERE id = ?", e->name, e->why);
	if (r == 0)
		r = database_query(&d->db, &d->run, "SELECT ifnull(max(run), 0) + 1 FROM runs", NULL, e->why);
	/* The run itself is inserted last, when its totals are known. */
	return r == 0 ? database_execute(&d->db, "PRAGMA defer_foreign_keys = ON", e->why) : r;
}

/* Begins a row of this run. */
static struct database_table *row_of(struct runs_database *d, struct database_table *t)
{
	database_row(t);
	database_put_integer(t, d->run);
	return t;
}

static int done(struct export *e, struct database_table *t)
{
	struct runs_database *d = e->state;

	return database_row_end(t, &d->db, e->why);
}

static void put_totals(struct database_table *t, const struct sample *s, bool maxima)
{
	const struct table_info *info = &tables[TABLE_TOTAL];
	struct rows rows = sample_rows(s, TABLE_TOTAL);

	for (size_t i = 0; i < info->n_metrics; i++)
		if (in_samples(&info->metrics[i], maxima))
			database_put_number(t, row_value(rows, 0, &info->metrics[i]));
	for (size_t i = 0; i < info->n_labels && !maxima; i++)
		database_put_known(t, row_label(rows, 0, &info->labels[i]));
}

static int put_table(struct export *e, enum table table)
{
	struct runs_database *d = e->state;
	const struct table_info *info = &tables[table];
	struct rows rows = sample_rows(e->sample, table);
	int r = 0;

	for (size_t i = 0; r == 0 && i < rows.n; i++) {
		struct database_table *t = row_of(d, &d->rows[table]);

		put_seconds(t, e->sample->monotonic_ns);
		database_put_text(t, row_key(rows, i));
		for (size_t k = 0; k < info->n_labels; k++)
			database_put_known(t, row_label(rows, i, &info->labels[k]));
		for (size_t k = 0; k < info->n_metrics; k++)
			if (export_metric(&info->metrics[k]))
				database_put_number(t, row_value(rows, i, &info->metrics[k]));
		r = done(e, t);
	}
	return r;
}

static int row(struct export *e)
{
	struct runs_database *d = e->state;
	struct database_table *t = row_of(d, &d->samples);
	int r;

	put_seconds(t, e->sample->monotonic_ns);
	database_put_number(t, e->sample->interval_seconds);
	database_put_integer(t, (int64_t)e->samples);
	put_totals(t, e->sample, false);
	r = done(e, t);
	if (r == 0 && e->maxima) {
		t = row_of(d, &d->maxima);
		put_seconds(t, e->sample->monotonic_ns);
		put_totals(t, e->maxima, true);
		r = done(e, t);
	}
	for (enum table table = 0; r == 0 && table < TABLE_COUNT; table++)
		if (export_table(table))
			r = put_table(e, table);
	return r;
}

static int process(struct export *e, const struct tree_exit *p)
{
	struct runs_database *d = e->state;
	struct database_table *t = row_of(d, &d->processes);

	database_put_integer(t, p->pid);
	database_put_integer(t, p->parent);
	database_put_known(t, p->name);
	database_put_number(t, round(p->start_seconds * 1e6) / 1e6);
	database_put_number(t, p->seen_seconds);
	database_put_number(t, p->cpu_seconds);
	database_put_number(t, p->peak_rss_bytes);
	database_put_integer(t, p->exact);
	return done(e, t);
}

static int region(struct export *e, const struct region_event *event)
{
	struct runs_database *d = e->state;
	bool entry = event->kind == REGION_ENTRY;
	struct database_table *t = row_of(d, entry ? &d->entries : &d->marks);

	put_seconds(t, event->monotonic_ns);
	if (entry) {
		database_put_text(t, event->path);
		database_put_number(t, event->seconds);
		database_put_number(t, event->cpu_seconds);
	} else {
		database_put_known(t, event->path);
		database_put_text(t, event->text);
		database_put_number(t, event->kind == REGION_VALUE ? event->value : NONE);
	}
	database_put_number(t, event->tid > 0 ? event->tid : NONE);
	if (entry)
		database_put_integer(t, event->unfinished);
	return done(e, t);
}

/* ---- values known only at the end ------------------------------------------------------------ */

static int put_regions(struct export *e)
{
	const struct recording_facts *f = e->facts;
	struct runs_database *d = e->state;
	struct database_table *t = &d->regions;
	int r = 0;

	for (size_t i = 0; r == 0 && i < f->region_totals.n; i++) {
		const struct region_total *of = &f->region_totals.at[i];
		const double values[] = { of->seconds, of->shortest_seconds, of->longest_seconds, of->p50_seconds,
					 of->p95_seconds, of->p99_seconds, of->cpu_seconds, of->elapsed_seconds,
					 of->peak_rss_bytes, of->rss_rise_bytes };

		database_put_text(row_of(d, t), of->path);
		database_put_integer(t, (int64_t)of->count);
		database_put_integer(t, (int64_t)of->recursed);
		database_put_integer(t, (int64_t)of->unfinished);
		for (size_t k = 0; k < countof(values); k++)
			database_put_number(t, values[k]);
		for (size_t k = 0; k < REGION_USES; k++) {
			database_put_number(t, of->use[k].value);
			database_put_number(t, of->use[k].lower);
			database_put_number(t, of->use[k].upper);
		}
		r = done(e, t);
	}
	for (size_t i = 0; r == 0 && i < f->n_regions; i++) {           /* from an event log */
		const struct region *of = &f->regions[i];

		database_put_text(row_of(d, t), of->name);
		database_put_integer(t, (int64_t)of->count);
		database_put_number(t, NONE);
		database_put_integer(t, (int64_t)of->unfinished);
		database_put_number(t, of->seconds);
		database_put_number(t, of->count > 0 ? of->minimum_seconds : NONE);
		database_put_number(t, of->count > 0 ? of->maximum_seconds : NONE);
		r = done(e, t);
	}
	return r;
}

static void put_command(struct database_table *t, char *const *command)
{
	struct buffer text = { 0 };

	for (size_t i = 0; command && command[i]; i++) {
		if (i > 0)
			buffer_char(&text, ' ');
		human_word(&text, command[i], strlen(command[i]), true);
	}
	buffer_char(&text, '\0');
	database_put_known(t, text.failed ? NULL : text.at);
	buffer_release(&text);
}

static void put_tags(struct database_table *t, const struct run *run)
{
	struct buffer text = { 0 };
	struct json j = json_to(&text);

	json_open(&j, '[');
	for (size_t i = 0; i < run->n_tags; i++)
		json_text(&j, run->tags[i]);
	json_close(&j, ']');
	buffer_char(&text, '\0');
	database_put_known(t, text.failed ? NULL : text.at);
	buffer_release(&text);
}

static int put_run(struct export *e)
{
	const struct recording_facts *f = e->facts;
	const struct run *run = &f->run;
	struct runs_database *d = e->state;
	struct database_table *t = row_of(d, &d->runs);
	enum run_state state = state_of_recording(f, e->input);
	struct quantity_values values;

	database_put_text(t, e->name);
	database_put_text(t, f->format);
	put_command(t, run->command);
#define METADATA_VALUE(name, variable) database_put_known(t, run->name);
	RUN_METADATA(METADATA_VALUE)
#undef METADATA_VALUE
	put_tags(t, run);
	database_put_known(t, f->host.name);
	database_put_known(t, f->host.kernel);
	database_put_known(t, f->host.architecture);
	database_put_known(t, f->host.cpu_model);
	database_put_number(t, f->host.cpus);
	database_put_number(t, f->host.memory_bytes);
	put_seconds(t, run->start_wall_ns);
	database_put_number(t, run->interval_seconds > 0 ? run->interval_seconds : NONE);
	database_put_known(t, state < STATE_COUNT ? run_states[state] : NULL);
	database_put_number(t, f->status.end == RUN_EXITED ? f->status.value : NONE);
	database_put_number(t, f->status.end == RUN_SIGNALED ? f->status.value : NONE);
	database_put_known(t, f->status.reason.text);
	quantities_read(&values, e->whole, (double)f->status.end_monotonic_ns / 1e9, f->tracked, f->moments,
			f->n_moments);
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		database_put_number(t, quantity_value(&values, q));
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		if (has_basis_column(q))
			database_put_known(t, basis_names[quantity_basis(&values, q)]);
	return done(e, t);
}

static int end(struct export *e)
{
	struct runs_database *d = e->state;
	int r = put_regions(e);

	if (r == 0)
		r = put_run(e);
	return r == 0 ? database_commit(&d->db, e->why) : r;
}

static void release(struct export *e)
{
	struct runs_database *d = e->state;
	struct database_table *t;

	for (size_t i = 0; d && (t = table_at(d, i)) != NULL; i++)
		database_table_close(t);
	if (d)
		database_close(&d->db);
	free(d);
}

const struct export_form export_sqlite = {
	.name = "sqlite", .help = "tables in an SQLite database, which keeps the runs that it has", .several = true,
	.own_file = true,
	.begin = begin, .row = row, .process = process, .region = region, .end = end, .release = release,
};
