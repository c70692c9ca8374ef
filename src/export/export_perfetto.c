/*
 * export_perfetto.c - a trace for ui.perfetto.dev and chrome://tracing: Chrome's Trace Event Format, JSON.
 *
 * Times are microseconds since the start of the run.  Processes and entries of regions are complete events (X), marks
 * instants (i); a metric's value in a row is a counter (C) from the row's beginning on, an amount as a rate, and is
 * written when it changes.  The counters of a group of metrics belong to a fictitious process with a pid above Linux'
 * largest.  Regions without a known thread can overlap: they are asynchronous (b, e).
 */
#include "export.h"

#include <stdio.h>
#include <string.h>

#include "../core/json_write.h"

enum { PID_LARGEST = 1 << 22, PID_REGIONS = PID_LARGEST + 1, PID_GROUPS };
enum { GROUPS_MAX = 32, ROOTS_MAX = 64, NAME_SIZE = 128 };

struct trace {
	struct json json;
	const char *groups[GROUPS_MAX];
	size_t n_groups;
	double *reported[TABLE_COUNT];              /* by row and metric: the counters' values, as last written */
	char (*keys[TABLE_COUNT])[MOUNT_KEY_SIZE];      /* by row: the keys of these counters */
	size_t n_reported[TABLE_COUNT];             /* rows */
	bool root_ended[ROOTS_MAX];
	bool any;                               /* an event was written */
	bool regions_named;
	uint64_t asynchronous;                  /* id of the last one */
};

/* ---- events ---------------------------------------------------------------------------------- */

static void begin_event(struct trace *t, const char *phase, const char *name, int64_t pid, int64_t tid)
{
	struct json *j = &t->json;

	buffer_text(j->out, t->any ? ",\n" : "\n");    /* one event a line */
	t->any = true;
	j->comma = false;
	json_open(j, '{');
	json_member_text(j, "ph", phase);
	json_member_text(j, "name", name);
	json_member_i64(j, "pid", pid);
	json_member_i64(j, "tid", tid);
}

static void microseconds(struct trace *t, const char *key, int64_t ns)
{
	json_member_number(&t->json, key, (double)ns / 1e3, 3);
}

static void begin_arguments(struct trace *t)
{
	json_member_open(&t->json, "args", '{');
}

static void argument(struct trace *t, const char *key, double value, int decimals)
{
	if (is_none(value))
		return;
	json_member_number(&t->json, key, value, decimals);
}

static void end_arguments(struct trace *t)
{
	json_close(&t->json, '}');
}

static void end_event(struct trace *t)
{
	json_close(&t->json, '}');
}

/* Names a process or thread, or sets its place in the list. */
static void describe(struct trace *t, const char *what, const char *key, const char *text, int64_t order, int64_t pid,
		     int64_t tid)
{
	begin_event(t, "M", what, pid, tid);
	begin_arguments(t);
	json_key(&t->json, key);
	if (text)
		json_text(&t->json, text);
	else
		json_i64(&t->json, order);
	end_arguments(t);
	end_event(t);
}

/* ---- counters -------------------------------------------------------------------------------- */

static int64_t group_pid(struct trace *t, const char *group)
{
	for (size_t i = 0; i < t->n_groups; i++)
		if (strcmp(t->groups[i], group) == 0)
			return PID_GROUPS + (int64_t)i;
	if (t->n_groups == GROUPS_MAX)
		return PID_GROUPS + GROUPS_MAX;

	int64_t pid = PID_GROUPS + (int64_t)t->n_groups;

	t->groups[t->n_groups++] = group;
	describe(t, "process_name", "name", group, 0, pid, 0);
	describe(t, "process_sort_index", "sort_index", NULL, -GROUPS_MAX + (int64_t)t->n_groups, pid, 0);
	return pid;
}

static void counter(struct trace *t, const struct metric *m, const char *key, int64_t at_ns, double value)
{
	int64_t pid = group_pid(t, m->group);
	char name[NAME_SIZE];

	(void)snprintf(name, sizeof name, "%s%s", m->name, m->kind == KIND_AMOUNT ? "/s" : "");
	begin_event(t, "C", name, pid, 0);
	microseconds(t, "ts", at_ns);
	begin_arguments(t);
	json_text(&t->json, *key ? key : "value");      /* any text: a mount point */
	buffer_char(t->json.out, ':');
	t->json.comma = false;
	json_number(&t->json, value, m->decimals + 4);
	end_arguments(t);
	end_event(t);
}

/* A row that disappeared: its counters drop to 0. */
static void end_counters(struct trace *t, enum table table, size_t i, int64_t at_ns)
{
	const struct table_info *info = &tables[table];
	double *reported = t->reported[table] + i * info->n_metrics;

	for (size_t k = 0; k < info->n_metrics; k++)
		if (fabs(reported[k]) > 0)
			counter(t, &info->metrics[k], t->keys[table][i], at_ns, 0);
}

static void forget(struct trace *t, enum table table, size_t i)
{
	t->keys[table][i][0] = '\0';
	for (size_t k = 0; k < tables[table].n_metrics; k++)
		t->reported[table][i * tables[table].n_metrics + k] = NONE;
}

static void counters_of_row(struct trace *t, enum table table, struct rows rows, size_t i, double seconds,
			    int64_t at_ns)
{
	const struct table_info *info = &tables[table];
	double *reported = t->reported[table] + i * info->n_metrics;
	const char *key = row_key(rows, i);

	(void)snprintf(t->keys[table][i], sizeof t->keys[table][i], "%s", key);
	for (size_t k = 0; k < info->n_metrics; k++) {
		const struct metric *m = &info->metrics[k];
		double value = row_value(rows, i, m);

		if (m->kind == KIND_AMOUNT)
			value = seconds > 0 ? value / seconds : NONE;
		if (m->kind == KIND_COUNTER || m->kind == KIND_FIXED || !isfinite(value) ||
		    fabs(value - reported[k]) <= 0)
			continue;
		counter(t, m, key, at_ns, value);
		reported[k] = value;
	}
}

/* Rows move when others come and go: a row at another index starts anew. */
static void counters_of_table(struct trace *t, enum table table, const struct sample *s, int64_t at_ns)
{
	struct rows rows = sample_rows(s, table);

	for (size_t i = 0; i < t->n_reported[table]; i++) {
		if (i < rows.n && strcmp(t->keys[table][i], row_key(rows, i)) == 0)
			continue;
		if (row_find(rows, t->keys[table][i], i) < 0)
			end_counters(t, table, i, at_ns);
		forget(t, table, i);
	}
	for (size_t i = 0; i < rows.n; i++)
		counters_of_row(t, table, rows, i, s->interval_seconds, at_ns);
	t->n_reported[table] = rows.n;
}

static int row(struct export *e)
{
	struct trace *t = e->state;
	const struct sample *s = e->sample;
	int64_t length_ns = export_end_ns(0, s->interval_seconds);
	int64_t at_ns = s->monotonic_ns > length_ns ? s->monotonic_ns - length_ns : 0;

	t->json.out = &e->out;
	for (enum table table = 0; table < TABLE_COUNT; table++)
		if (table == TABLE_TOTAL || export_table(table))
			counters_of_table(t, table, s, at_ns);
	return 0;
}

/* ---- processes and regions ------------------------------------------------------------------- */

static void one_process(struct trace *t, const struct tree_exit *p, int64_t end_ns, bool ended)
{
	int64_t start_ns = export_end_ns(0, p->start_seconds);
	bool known = !is_none(p->start_seconds) && start_ns <= end_ns;

	describe(t, "process_name", "name", p->name, 0, p->pid, p->pid);
	begin_event(t, known ? "X" : "i", p->name, p->pid, p->pid);
	json_member_text(&t->json, "cat", "process");
	microseconds(t, "ts", known ? start_ns : end_ns);
	if (known) {
		microseconds(t, "dur", end_ns - start_ns);
	} else {
		json_member_text(&t->json, "s", "p");
	}
	begin_arguments(t);
	if (ended) {
		argument(t, "parent", p->parent, 0);
		argument(t, "cpu_seconds", p->cpu_seconds, 6);
		argument(t, "peak_rss_bytes", p->peak_rss_bytes, 0);
		if (p->start_seconds < 0)
			argument(t, "began_before_the_run_seconds", -p->start_seconds, 2);
		json_member_bool(&t->json, "complete", p->exact);
	}
	end_arguments(t);
	end_event(t);
}

static int process(struct export *e, const struct tree_exit *p)
{
	struct trace *t = e->state;

	t->json.out = &e->out;
	one_process(t, p, export_end_ns(0, p->seen_seconds), true);
	for (size_t i = 0; i < size_min(e->facts->run.n_pids, ROOTS_MAX); i++)
		if (e->facts->run.pids[i] == p->pid)
			t->root_ended[i] = true;
	return 0;
}

static void asynchronous(struct trace *t, const struct region_event *event, const char *phase, int64_t at_ns)
{
	begin_event(t, phase, event->path, PID_REGIONS, 0);
	json_member_text(&t->json, "cat", "region");
	json_member_u64(&t->json, "id", t->asynchronous);
	microseconds(t, "ts", at_ns);
	end_event(t);
}

static void entry(struct trace *t, const struct region_event *event)
{
	int64_t end_ns = export_end_ns(event->monotonic_ns, event->seconds);
	const char *slash = strrchr(event->path, '/');

	if (event->tid == 0) {
		t->asynchronous++;
		asynchronous(t, event, "b", event->monotonic_ns);
		asynchronous(t, event, "e", end_ns);
		return;
	}
	begin_event(t, "X", slash && slash[1] ? slash + 1 : event->path, PID_REGIONS, event->tid);
	json_member_text(&t->json, "cat", "region");
	microseconds(t, "ts", event->monotonic_ns);
	microseconds(t, "dur", end_ns - event->monotonic_ns);
	begin_arguments(t);
	json_member_text(&t->json, "path", event->path);
	argument(t, "cpu_seconds", event->cpu_seconds, 9);
	if (event->unfinished)
		json_member_bool(&t->json, "unfinished", true);
	end_arguments(t);
	end_event(t);
}

static int region(struct export *e, const struct region_event *event)
{
	struct trace *t = e->state;

	t->json.out = &e->out;
	if (event->monotonic_ns < 0)            /* times of programs' events are never negative */
		return 0;
	if (!t->regions_named) {
		describe(t, "process_name", "name", "regions", 0, PID_REGIONS, 0);
		describe(t, "process_sort_index", "sort_index", NULL, -1, PID_REGIONS, 0);
		t->regions_named = true;
	}
	switch (event->kind) {
	case REGION_ENTRY:
		entry(t, event);
		break;
	case REGION_MARK:
		begin_event(t, "i", event->text, PID_REGIONS, event->tid);
		json_member_text(&t->json, "cat", "mark");
		json_member_text(&t->json, "s", "t");
		microseconds(t, "ts", event->monotonic_ns);
		end_event(t);
		break;
	case REGION_VALUE:
		if (!isfinite(event->value))
			break;
		begin_event(t, "C", event->text, PID_REGIONS, 0);
		microseconds(t, "ts", event->monotonic_ns);
		begin_arguments(t);
		argument(t, "value", event->value, 9);
		end_arguments(t);
		end_event(t);
		break;
	}
	return 0;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int begin(struct export *e)
{
	struct trace *t = e->state = calloc(1, sizeof *t);

	for (enum table i = 0; t && i < TABLE_COUNT; i++) {
		t->reported[i] = calloc(tables[i].max * tables[i].n_metrics, sizeof *t->reported[i]);
		t->keys[i] = calloc(tables[i].max, sizeof *t->keys[i]);
		if (!t->reported[i] || !t->keys[i])
			return export_no_memory(e);
		for (size_t k = 0; k < tables[i].max * tables[i].n_metrics; k++)
			t->reported[i][k] = NONE;
	}
	if (!t)
		return export_no_memory(e);
	buffer_text(&e->out, "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[");
	return 0;
}

static int end(struct export *e)
{
	struct trace *t = e->state;
	const struct run *run = &e->facts->run;

	t->json.out = &e->out;
	/* Tracked processes without an exit in the record lived for the whole run. */
	for (size_t i = 0; i < size_min(run->n_pids, ROOTS_MAX); i++) {
		struct tree_exit p = { .pid = run->pids[i], .name = "tracked process" };

		if (!t->root_ended[i])
			one_process(t, &p, e->facts->status.end_monotonic_ns, false);
	}
	buffer_text(&e->out, "\n],\"otherData\":");
	t->json.comma = false;
	json_open(&t->json, '{');
	json_member_text(&t->json, "run", e->name);
	json_member_text(&t->json, "host", e->facts->host.name);
	json_member_number(&t->json, "start", (double)run->start_wall_ns / 1e9, 6);
	if (run->job_name)
		json_member_text(&t->json, "job_name", run->job_name);
	json_close(&t->json, '}');
	buffer_text(&e->out, "}\n");
	return 0;
}

static void release(struct export *e)
{
	struct trace *t = e->state;

	for (enum table i = 0; t && i < TABLE_COUNT; i++) {
		free(t->reported[i]);
		free(t->keys[i]);
	}
	free(t);
}

const struct export_form export_perfetto = {
	.name = "perfetto", .help = "a trace for ui.perfetto.dev: counters, processes and regions",
	.begin = begin, .row = row, .process = process, .region = region, .end = end, .release = release,
};
