/* record_reader_header.c - reads the first and the last line of a record. */
#include "record_reader_parts.h"

#include <string.h>

static double number_of(struct json_value object, const char *name)
{
	struct json_value v;

	return json_find(object, name, &v) ? json_as_number(v) : NONE;
}

static void text_of(struct json_value object, const char *name, char *ret, size_t size)
{
	struct json_value v;

	*ret = '\0';
	if (json_find(object, name, &v))
		(void)json_as_text(v, ret, size);
}

/* Decoded text is never longer than its JSON, so memory of the header's length has room for all its texts. */
static char *keep(struct record_reader *r, struct json_value v)
{
	char *text = r->texts + r->texts_used;

	(void)json_as_text(v, text, v.n + 1);
	r->texts_used += strlen(text) + 1;
	return text;
}

static bool read_command(struct record_reader *r, struct json_value line)
{
	struct json_value list, item;

	if (!json_find(line, "command", &list) || list.kind != JSON_ARRAY)
		return true;
	r->command = calloc(json_count(list) + 1, sizeof r->command[0]);
	if (!r->command)
		return false;
	struct json_walk w = json_walk(list);

	for (size_t i = 0; json_next(&w, NULL, &item); i++)
		r->command[i] = keep(r, item);
	r->facts.run.command = r->command;
	text_of(line, "command_recorded", r->facts.command_recorded, sizeof r->facts.command_recorded);
	return true;
}

static bool read_tags(struct record_reader *r, struct json_value line)
{
	struct json_value list, item;

	if (!json_find(line, "tags", &list))
		return true;
	r->tags = calloc(json_count(list) + 1, sizeof r->tags[0]);
	if (!r->tags)
		return false;
	struct json_walk w = json_walk(list);

	while (json_next(&w, NULL, &item))
		r->tags[r->facts.run.n_tags++] = keep(r, item);
	r->facts.run.tags = r->tags;
	return true;
}

static bool read_pids(struct record_reader *r, struct json_value line)
{
	struct json_value list, item;

	if (!json_find(line, "pids", &list))
		return true;
	r->pids = calloc(json_count(list) + 1, sizeof r->pids[0]);
	if (!r->pids)
		return false;
	struct json_walk w = json_walk(list);

	while (json_next(&w, NULL, &item)) {
		uint64_t pid = record_count(json_as_number(item));

		if (pid > 0 && pid <= INT32_MAX)
			r->pids[r->facts.run.n_pids++] = (pid_t)pid;
	}
	r->facts.run.pids = r->pids;
	return true;
}

static void read_metadata(struct record_reader *r, struct json_value line)
{
	struct json_value all, v;

	if (!json_find(line, "metadata", &all))
		return;
#define METADATA_KEY(name, variable) \
	if (json_find(all, #name, &v) && v.kind == JSON_STRING) \
		r->facts.run.name = keep(r, v);
	RUN_METADATA(METADATA_KEY)
#undef METADATA_KEY
}

static void read_host(struct host *host, struct json_value line)
{
	struct json_value v;

	*host = (struct host){ .cpus = NONE, .memory_bytes = NONE, .sockets = NONE, .cores = NONE };
	if (!json_find(line, "host", &v))
		return;
	text_of(v, "name", host->name, sizeof host->name);
	text_of(v, "kernel", host->kernel, sizeof host->kernel);
	text_of(v, "architecture", host->architecture, sizeof host->architecture);
	text_of(v, "cpu_model", host->cpu_model, sizeof host->cpu_model);
	host->cpus = number_of(v, "cpus");
	host->memory_bytes = number_of(v, "memory_bytes");
	host->sockets = number_of(v, "sockets");
	host->cores = number_of(v, "cores");
	text_of(v, "vendor", host->vendor, sizeof host->vendor);
	text_of(v, "product", host->product, sizeof host->product);
	text_of(v, "virtualization", host->virtualization, sizeof host->virtualization);
	text_of(v, "container", host->container, sizeof host->container);
}

/* Reads the scheduler's job. */
static void read_job(struct record_reader *r, struct json_value line)
{
	struct json_value job, v;
	char text[JOB_TEXT_SIZE + 1];           /* one more than fits, so that a truncated text is rejected */
	bool any = false;

	if (!json_find(line, "job", &job) || job.kind != JSON_OBJECT)
		return;
	job_unknown(&r->job);
	for (enum job_key key = 0; key < JOB_KEYS; key++) {
		if (!json_find(job, job_keys[key].name, &v))
			continue;
		any = (v.kind == JSON_NUMBER && job_put_number(&r->job, key, json_as_number(v))) ||
		      (json_as_text(v, text, sizeof text) && job_put_text(&r->job, key, text)) || any;
	}
	if (any)
		r->facts.run.job = &r->job;
}

int record_read_header(struct record_reader *r, struct json_value line, struct why *why)
{
	struct record_facts *f = &r->facts;
	struct json_value v;
	double version = number_of(line, "version"), interval = number_of(line, "interval_seconds");

	if (!json_find(line, "record", &v) || !json_is(v, "resource-tracker") || !(version >= 1 && version < 1e6))
		return why_set(why, -EBADMSG, "%s:1: this is not a record of resource-tracker", r->name);
	if (version >= RECORD_VERSION + 1)
		return why_set(why, -EPROTONOSUPPORT, "%s:1: a newer resource-tracker wrote this record (format %.0f): "
			       "read it with that one", r->name, version);
	r->texts = malloc(2 * line.n + 64);
	if (!r->texts || !read_command(r, line) || !read_tags(r, line) || !read_pids(r, line))
		return why_set(why, -ENOMEM, "out of memory");
	f->version = (int)version;
	text_of(line, "tracker_version", f->tracker_version, sizeof f->tracker_version);
	text_of(line, "id", f->id, sizeof f->id);
	f->run.start_wall_ns = instant_ns(number_of(line, "start"));
	f->run.interval_seconds = is_interval(interval) ? interval : 0;
	r->start_after_boot_seconds = known_span(number_of(line, "start_after_boot_seconds"));
	f->status.end_wall_ns = f->run.start_wall_ns;
	read_metadata(r, line);
	read_job(r, line);
	read_host(&f->host, line);
	if (json_find(line, "fixed", &v))
		record_read_fixed(r, v);
	if (json_find(line, "tables", &v))
		record_read_table_columns(r, v);
	return 0;
}

/* ---- the end --------------------------------------------------------------------------- */

static void read_status(struct record_facts *f, struct json_value end)
{
	static const struct { const char *name; enum run_end end; } ends[] = {
		{ "exited", RUN_EXITED }, { "signaled", RUN_SIGNALED },
		{ "roots_ended", RUN_ROOTS_ENDED }, { "stopped", RUN_STOPPED },
	};
	struct json_value v;
	double value;

	for (size_t i = 0; json_find(end, "status", &v) && i < countof(ends); i++)
		if (json_is(v, ends[i].name))
			f->status.end = ends[i].end;
	value = number_of(end, f->status.end == RUN_SIGNALED ? "signal" : "exit_code");
	f->status.value = fabs(value) < 1e6 ? (int)value : 0;
	f->status.core_dumped = json_find(end, "core_dumped", &v) && json_as_bool(v);
	if (json_find(end, "reason", &v)) {
		struct run_reason *reason = &f->status.reason;

		text_of(v, "cause", reason->cause, sizeof reason->cause);
		text_of(v, "certainty", reason->certainty, sizeof reason->certainty);
		text_of(v, "text", reason->text, sizeof reason->text);
	}
	value = number_of(end, "time");
	if (is_instant(value))                  /* else keep that of the last row */
		f->status.end_wall_ns = instant_ns(value);
	value = number_of(end, "seconds");
	if (is_span(value))
		f->status.end_monotonic_ns = span_ns(value);
	f->status.left_behind = (size_t)record_count(number_of(end, "left_behind"));
	f->status.dropped_lines = record_count(number_of(end, "dropped_lines"));
	f->exits = record_count(number_of(end, "exits"));
	f->exits_written = record_count(number_of(end, "exits_written"));
}

/* [mean, maximum, sum] */
static void restore(struct aggregate *to, enum table t, const char *key, const struct metric *m,
		    struct json_value v, double sampled_seconds)
{
	struct statistic known = { NONE, NONE, NONE, NONE, NONE, sampled_seconds };
	double *const parts[] = { &known.mean, &known.maximum, &known.sum };
	struct json_walk w = json_walk(v);
	struct json_value part;

	for (size_t i = 0; i < countof(parts) && json_next(&w, NULL, &part); i++)
		*parts[i] = json_as_number(part);
	if (m->kind == KIND_AMOUNT && known.mean > 0 && known.sum > 0)
		known.seconds = known.sum / known.mean;
	aggregate_restore(to, t, key, m, &known);
}

static void restore_table(struct aggregate *to, enum table t, struct json_value rows, double sampled_seconds)
{
	struct json_walk w = json_walk(rows), members;
	struct json_value row, name, v;
	char key[MOUNT_KEY_SIZE];

	while (json_next(&w, NULL, &row)) {
		text_of(row, "key", key, sizeof key);
		for (members = json_walk(row); members.object && json_next(&members, &name, &v);) {
			const struct metric *m = record_row_metric(t, name);

			if (m && v.kind == JSON_ARRAY)
				restore(to, t, key, m, v, sampled_seconds);
		}
	}
}

void record_read_end(struct record_reader *r, struct json_value end)
{
	double sampled_seconds = number_of(end, "sampled_seconds");
	struct json_value all, name, v;

	r->facts.has_end = true;
	read_status(&r->facts, end);
	record_read_regions(r, end);
	record_read_outline(r, end);
	record_read_program_tree(r, end);
	r->totals = aggregate_open();
	if (!r->totals) {
		record_problem(r, "out of memory");
		return;
	}
	if (!is_interval(sampled_seconds))
		sampled_seconds = 0;
	if (json_find(end, "statistics", &all))
		for (struct json_walk w = json_walk(all); w.object && json_next(&w, &name, &v);) {
			const struct metric *m = record_metric(name);

			if (m)
				restore(r->totals, TABLE_TOTAL, "", m, v, sampled_seconds);
		}
	for (enum table t = TABLE_TOTAL + 1; json_find(end, "tables", &all) && t < TABLE_COUNT; t++)
		if (json_find(all, tables[t].name, &v))
			restore_table(r->totals, t, v, sampled_seconds);
	aggregate_restore_extent(r->totals, (size_t)record_count(number_of(end, "samples")), sampled_seconds);
}
