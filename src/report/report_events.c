/* report_events.c - the data of a report's page about events with a duration: processes and regions. */
#include "report_run.h"

#include <stdio.h>
#include <string.h>

#include "../history/past_run.h"

static void seconds(struct json *j, const char *key, double value)
{
	json_member_number(j, key, value, 4);
}

/* The kernel reports start times in ticks, rounded down: a process started with the run would be up to 10 ms early. */
static double process_start(const struct report_run *r, const struct tree_exit *e)
{
	return r->digest.facts->run.command && e->start_seconds < 0 ? 0 : e->start_seconds;
}

static void process_end(struct json *j, const struct report_run *r, const struct tree_exit *e)
{
	const struct recording_facts *f = r->digest.facts;
	struct past_run run = { .state = state_of_status(&f->status), .status = f->status };
	char words[32];

	if (!f->run.command || f->run.n_pids == 0 || e->pid != f->run.pids[0] ||
	    (f->status.end != RUN_EXITED && f->status.end != RUN_SIGNALED))
		return;
	past_run_status(words, sizeof words, &run);
	json_member_text(j, "ending", words);
}

static void processes(struct json *j, const struct report_run *r)
{
	if (r->n_processes == 0)
		return;
	json_member_open(j, "processes", '[');
	for (size_t i = 0; i < r->n_processes; i++) {
		const struct tree_exit *e = &r->processes[i];

		json_open(j, '{');
		json_member_i64(j, "pid", e->pid);
		json_member_i64(j, "parent", e->parent);
		json_member_text(j, "name", e->name);
		seconds(j, "start", process_start(r, e));
		seconds(j, "end", e->seen_seconds);
		json_member_number(j, "cpu_seconds", e->cpu_seconds, 6);
		json_member_number(j, "peak_bytes", e->peak_rss_bytes, 0);
		process_end(j, r, e);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_member_u64(j, "processes_left_out",
			size_max(r->processes_seen, (size_t)r->digest.facts->exits) - r->n_processes);
}

static unsigned depth_of(const char *path)
{
	unsigned depth = 0;

	for (; *path; path++)
		depth += *path == '/';
	return depth;
}

static void regions(struct json *j, const struct report_run *r)
{
	if (r->n_regions == 0)
		return;
	json_member_open(j, "regions", '[');
	for (size_t i = 0; i < r->n_regions; i++) {
		const struct region_event *e = &r->regions[i];
		double start = (double)e->monotonic_ns / 1e9;

		json_open(j, '{');
		json_member_text(j, "path", e->path);
		json_member_u64(j, "depth", depth_of(e->path));
		json_member_u64(j, "thread", e->tid);
		json_member_number(j, "start", start, 6);
		json_member_number(j, "end", start + e->seconds, 6);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_member_u64(j, "regions_left_out", r->regions_seen - r->n_regions);
}

static void region_marks(struct json *j, const struct report_run *r)
{
	if (r->n_marks == 0)
		return;
	json_member_open(j, "region_marks", '[');
	for (size_t i = 0; i < r->n_marks; i++) {
		json_open(j, '{');
		json_member_text(j, "path", r->marks[i].path);
		json_member_text(j, "text", r->marks[i].text);
		json_member_u64(j, "thread", r->marks[i].tid);
		json_member_number(j, "at", (double)r->marks[i].monotonic_ns / 1e9, 6);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_member_u64(j, "region_marks_left_out", r->marks_seen - r->n_marks);
}

/* "tree_cpu_seconds"; for an estimated share "tree_cpu_at_least_seconds" and "tree_cpu_at_most_seconds". */
static void region_use(struct json *j, const char *name, const struct region_use *u)
{
	const char *unit = strrchr(name, '_');
	const struct { const char *word; double value; } bounds[] = { { "least", u->lower }, { "most", u->upper } };

	if (!is_none(u->value))
		json_member_number(j, name, u->value, 6);
	for (size_t i = 0; !region_use_is_exact(u) && i < countof(bounds); i++) {
		char key[64];

		(void)snprintf(key, sizeof key, "%.*s_at_%s%s", (int)(unit - name), name, bounds[i].word, unit);
		if (!is_none(bounds[i].value))
			json_member_number(j, key, bounds[i].value, 6);
	}
}

static void region_total(struct json *j, const struct region_total *t)
{
	const struct { const char *key; double value; } times_of[] = {
		{ "wall_seconds", t->seconds }, { "cpu_seconds", t->cpu_seconds },
		{ "mean_seconds", t->count > 0 ? t->seconds / (double)t->count : NONE },
		{ "min_seconds", t->shortest_seconds }, { "max_seconds", t->longest_seconds },
		{ "p50_seconds", t->p50_seconds }, { "p95_seconds", t->p95_seconds }, { "p99_seconds", t->p99_seconds },
	};

	json_open(j, '{');
	json_member_text(j, "path", t->path);
	json_member_u64(j, "count", t->count);
	json_member_u64(j, "unfinished", t->unfinished);
	for (size_t i = 0; i < countof(times_of); i++)
		json_member_number(j, times_of[i].key, times_of[i].value, 9);
	for (size_t i = 0; i < REGION_USES; i++)
		region_use(j, region_use_names[i], &t->use[i]);
	if (!is_none(t->peak_rss_bytes))
		json_member_number(j, "peak_rss_bytes", t->peak_rss_bytes, 0);
	json_close(j, '}');
}

/* From a run record, or from an event log, which has names of any length. */
static void region_totals(struct json *j, const struct recording_facts *f)
{
	if (f->region_totals.n + f->n_regions == 0)
		return;
	json_member_open(j, "region_totals", '[');
	for (size_t i = 0; i < f->region_totals.n; i++)
		region_total(j, &f->region_totals.at[i]);
	for (size_t i = 0; i < f->n_regions; i++) {
		const struct region *named = &f->regions[i];
		struct region_total t = {
			.count = named->count, .unfinished = named->unfinished,
			.seconds = named->count > 0 ? named->seconds : NONE, .cpu_seconds = NONE,
			.shortest_seconds = named->count > 0 ? named->minimum_seconds : NONE,
			.longest_seconds = named->count > 0 ? named->maximum_seconds : NONE,
			.p50_seconds = NONE, .p95_seconds = NONE, .p99_seconds = NONE, .peak_rss_bytes = NONE,
		};

		for (size_t u = 0; u < REGION_USES; u++)
			t.use[u] = (struct region_use){ NONE, NONE, NONE };

		memcpy(t.path, named->name, strnlen(named->name, sizeof t.path - 1));
		region_total(j, &t);
	}
	json_close(j, ']');
}

void report_events(struct json *j, const struct report_run *r)
{
	processes(j, r);
	regions(j, r);
	region_marks(j, r);
	region_totals(j, r->digest.facts);
}
