/* record_lines.c - the lines of a run record as text: header, columns, identities and events. */
#include "record_lines.h"

#include <stdio.h>
#include <string.h>

#include "../text/mask.h"
#include "../text/utc.h"
#include "record_name.h"

static void end_line(struct json *j)
{
	json_close(j, '}');
	buffer_char(j->out, '\n');
}

/* A record has hundreds of names: printf would take longer than the rest of these lines. */
static char *append(char *to, const char *end, const char *text)
{
	size_t n = size_min(strlen(text), (size_t)(end - to));

	memcpy(to, text, n);
	return to + n;
}

void record_metric_name(char ret[RECORD_NAME_SIZE], const struct metric *m)
{
	const char *end = ret + RECORD_NAME_SIZE - 1;

	*append(append(append(ret, end, m->group), end, "."), end, m->name) = '\0';
}

static void column(struct json *j, const struct metric *m, const char *name)
{
	json_open(j, '[');
	json_word(j, name);
	json_word(j, unit_name(m->unit));
	json_word(j, kind_name(m->kind));
	json_close(j, ']');
}

static void total_column(struct json *j, const struct metric *m)
{
	char name[RECORD_NAME_SIZE];

	record_metric_name(name, m);
	column(j, m, name);
}

static void fixed_values(struct json *j, const struct totals *reported, const struct totals *now)
{
	struct rows rows = { (const char *)now, 1, sizeof *now };
	struct rows before = { (const char *)reported, 1, sizeof *reported };

	for (size_t i = 0; i < tables[TABLE_TOTAL].n_metrics; i++) {
		const struct metric *m = &tables[TABLE_TOTAL].metrics[i];
		char name[RECORD_NAME_SIZE];

		if (m->kind != KIND_FIXED || is_none(row_value(rows, 0, m)) ||
		    (reported && fabs(row_value(rows, 0, m) - row_value(before, 0, m)) <= 0))
			continue;
		record_metric_name(name, m);
		json_member_number(j, name, row_value(rows, 0, m), m->decimals);
	}
	for (size_t i = 0; i < tables[TABLE_TOTAL].n_labels; i++) {
		const struct label *l = &tables[TABLE_TOTAL].labels[i];
		const char *text = row_label(rows, 0, l);
		char name[RECORD_NAME_SIZE];

		if (!*text || (reported && strcmp(text, row_label(before, 0, l)) == 0))
			continue;
		(void)snprintf(name, sizeof name, "%s.%s", l->group, l->name);
		json_member_text(j, name, text);
	}
}

static void masked_text(struct json *j, struct mask *mask, const char *text)
{
	struct buffer masked = { 0 };

	mask_argument(mask, &masked, text);
	json_text_n(j, masked.at ? masked.at : "", masked.len);
	buffer_release(&masked);
}

void record_command(struct json *j, char *const *command, enum record_command how)
{
	struct mask mask = { 0 };

	json_open(j, '[');
	for (size_t i = 0; command[i] && (i == 0 || how != COMMAND_NAME); i++) {
		if (how == COMMAND_FULL)
			json_text(j, command[i]);
		else
			masked_text(j, &mask, command[i]);
	}
	json_close(j, ']');
}

static void metadata_member(struct json *j, const char *key, const char *text)
{
	if (!text)
		return;
	json_key(j, key);
	masked_text(j, &(struct mask){ 0 }, text);
}

void record_metadata(struct json *j, const struct run *run)
{
	json_member_open(j, "metadata", '{');
#define METADATA_KEY(name, variable) metadata_member(j, #name, run->name);
	RUN_METADATA(METADATA_KEY)
#undef METADATA_KEY
	json_close(j, '}');
	json_member_open(j, "tags", '[');
	for (size_t i = 0; i < run->n_tags; i++)
		masked_text(j, &(struct mask){ 0 }, run->tags[i]);
	json_close(j, ']');
}

void record_job(struct json *j, const struct job *job)
{
	if (!job)
		return;
	json_member_open(j, "job", '{');
	for (enum job_key key = 0; key < JOB_KEYS; key++) {
		const struct job_key_info *info = &job_keys[key];

		if (info->number && job_number(job, key) >= 0)
			json_member_i64(j, info->name, job_number(job, key));
		else if (!info->number && *job_text(job, key))
			json_member_text(j, info->name, job_text(job, key));
	}
	json_close(j, '}');
}

static void text_unless_empty(struct json *j, const char *key, const char *text)
{
	if (!*text)
		return;
	json_member_text(j, key, text);
}

static void host_object(struct json *j, const struct host *host)
{
	json_member_open(j, "host", '{');
	text_unless_empty(j, "name", host->name);
	text_unless_empty(j, "kernel", host->kernel);
	text_unless_empty(j, "architecture", host->architecture);
	text_unless_empty(j, "cpu_model", host->cpu_model);
	json_member_number(j, "cpus", host->cpus, 0);
	json_member_number(j, "memory_bytes", host->memory_bytes, 0);
	json_member_number(j, "sockets", host->sockets, 0);
	json_member_number(j, "cores", host->cores, 0);
	text_unless_empty(j, "vendor", host->vendor);
	text_unless_empty(j, "product", host->product);
	text_unless_empty(j, "virtualization", host->virtualization);
	text_unless_empty(j, "container", host->container);
	json_close(j, '}');
}

void record_time(struct json *j, const char *key, const char *utc_key, int64_t wall_ns)
{
	char utc[UTC_SIZE];

	utc_write(utc, wall_ns);
	json_member_number(j, key, (double)wall_ns / 1e9, RECORD_SECONDS_DECIMALS);
	json_member_text(j, utc_key, utc);
}

static void table_columns(struct json *j)
{
	json_member_open(j, "tables", '{');
	for (enum table t = 0; t < TABLE_COUNT; t++) {
		if (!record_table(t))
			continue;
		json_member_open(j, tables[t].name, '[');
		for (size_t i = 0; i < tables[t].n_metrics; i++)
			if (record_column(&tables[t].metrics[i]))
				column(j, &tables[t].metrics[i], tables[t].metrics[i].name);
		json_close(j, ']');
	}
	json_close(j, '}');
}

void record_header_line(struct buffer *out, const struct run *run, const struct host *host,
			enum record_command command, const char *detail, const struct totals *fixed)
{
	static const char *const how[] = {
		[COMMAND_MASKED] = "masked", [COMMAND_FULL] = "full", [COMMAND_NAME] = "name",
	};
	struct json j = json_to(out);
	char id[160];

	record_name(id, sizeof id, run, host->name);
	json_open(&j, '{');
	json_member_text(&j, "record", "resource-tracker");
	json_member_i64(&j, "version", RECORD_VERSION);
	json_member_text(&j, "tracker_version", RT_VERSION);
	json_key(&j, "id");
	json_text_n(&j, id, strlen(id) - strlen(".jsonl"));
	record_time(&j, "start", "start_utc", run->start_wall_ns);
	json_member_number(&j, "interval_seconds", run->interval_seconds, RECORD_SECONDS_DECIMALS);
	if (detail)
		json_member_text(&j, "detail", detail);
	if (run->start_boot_ns > 0) {
		json_member_number(&j, "start_after_boot_seconds", (double)run->start_boot_ns / 1e9,
				   RECORD_SECONDS_DECIMALS);
	}
	if (run->command) {
		json_key(&j, "command");
		record_command(&j, run->command, command);
		json_member_text(&j, "command_recorded", how[command]);
	}
	json_member_open(&j, "pids", '[');
	for (size_t i = 0; i < run->n_pids; i++)
		json_i64(&j, run->pids[i]);
	json_close(&j, ']');
	record_metadata(&j, run);
	record_job(&j, run->job);
	host_object(&j, host);
	json_member_open(&j, "fixed", '{');
	if (fixed)
		fixed_values(&j, NULL, fixed);
	json_close(&j, '}');
	table_columns(&j);
	end_line(&j);
}

void record_columns_line(struct buffer *out, const bool *known, bool exit_columns)
{
	static const struct metric exits[] = {
		{ .group = "exits", .name = "count", .unit = UNIT_COUNT, .kind = KIND_AMOUNT },
		{ .group = "exits", .name = "cpu_seconds", .unit = UNIT_SECONDS, .kind = KIND_AMOUNT },
	};
	const struct table_info *info = &tables[TABLE_TOTAL];
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_open(&j, "columns", '[');
	for (size_t i = 0; i < info->n_metrics; i++)
		if (known[i])
			total_column(&j, &info->metrics[i]);
	for (size_t i = 0; exit_columns && i < countof(exits); i++)
		total_column(&j, &exits[i]);
	json_close(&j, ']');
	json_member_open(&j, "missing", '[');
	for (size_t i = 0; i < info->n_metrics; i++)
		if (!known[i] && record_column(&info->metrics[i])) {
			char name[RECORD_NAME_SIZE];

			record_metric_name(name, &info->metrics[i]);
			json_word(&j, name);
		}
	json_close(&j, ']');
	end_line(&j);
}

void record_fixed_line(struct buffer *out, const struct totals *reported, const struct totals *now)
{
	size_t before = out->len;
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_open(&j, "fixed", '{');
	fixed_values(&j, reported, now);
	bool any = j.comma;

	json_close(&j, '}');
	end_line(&j);
	if (!any)
		out->len = before;
}

static void identity_object(struct json *j, const struct table_info *info, struct rows rows, size_t number)
{
	json_open(j, '{');
	json_member_u64(j, "index", number);
	json_member_text(j, "key", row_key(rows, number));
	for (size_t i = 0; i < info->n_labels; i++)
		text_unless_empty(j, info->labels[i].name, row_label(rows, number, &info->labels[i]));
	for (size_t i = 0; i < info->n_metrics; i++) {
		const struct metric *m = &info->metrics[i];

		if (m->kind != KIND_FIXED || is_none(row_value(rows, number, m)))
			continue;
		json_member_number(j, m->name, row_value(rows, number, m), m->decimals);
	}
	json_close(j, '}');
}

void record_rows_line(struct buffer *out, struct identity *identities)
{
	size_t before = out->len;
	struct json j = json_to(out);
	bool any = false;

	json_open(&j, '{');
	json_member_open(&j, "rows", '{');
	for (enum table t = 0; t < TABLE_COUNT; t++) {
		ptrdiff_t number = record_table(t) ? identity_next_unwritten(&identities[t], 0) : -1;

		if (number < 0)
			continue;
		any = true;
		json_member_open(&j, tables[t].name, '[');
		for (; number >= 0; number = identity_next_unwritten(&identities[t], (size_t)number + 1))
			identity_object(&j, &tables[t], identity_rows(&identities[t]), (size_t)number);
		json_close(&j, ']');
	}
	json_close(&j, '}');
	end_line(&j);
	if (!any)
		out->len = before;
}

void record_exit_line(struct buffer *out, const struct run *run, const struct tree_exit *e)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_open(&j, "exit", '{');
	json_member_number(&j, "t", e->seen_seconds - (double)run->start_monotonic_ns / 1e9, 4);
	json_member_i64(&j, "pid", e->pid);
	json_member_i64(&j, "parent", e->parent);
	json_member_text(&j, "name", e->name);
	json_member_number(&j, "started_after_boot_seconds", e->start_seconds, 2);
	json_member_number(&j, "cpu_seconds", e->cpu_seconds, RECORD_SECONDS_DECIMALS);
	json_member_number(&j, "peak_rss_bytes", e->peak_rss_bytes, 0);
	json_member_bool(&j, "exact", e->exact);
	json_close(&j, '}');
	end_line(&j);
}

void record_cloud_line(struct buffer *out, double seconds, const struct cloud *cloud)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_key(&j, "cloud");
	cloud_json(&j, cloud);
	json_member_number(&j, "t", seconds, 4);
	end_line(&j);
}

void record_notice_line(struct buffer *out, double seconds, const char *text)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_text(&j, "notice", text);
	json_member_number(&j, "t", seconds, 4);
	end_line(&j);
}

void record_lost_line(struct buffer *out, double seconds, uint64_t lines)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_u64(&j, "lost", lines);
	json_member_number(&j, "t", seconds, 4);
	end_line(&j);
}

void record_limit_line(struct buffer *out, double seconds, uint64_t bytes)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_text(&j, "limit", "the record has its full size: rows from here on are left out");
	json_member_number(&j, "t", seconds, 4);
	json_member_u64(&j, "bytes", bytes);
	end_line(&j);
}

void record_last_minute_line(struct buffer *out, const struct moment *moments, size_t n)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_open(&j, "last_minute", '{');
	json_member_open(&j, "columns", '[');
	for (size_t i = 0; i < countof(record_moment_columns); i++)
		json_text(&j, record_moment_columns[i].name);
	json_close(&j, ']');
	json_member_open(&j, "points", '[');
	for (size_t i = 0; i < n; i++) {
		json_open(&j, '[');
		for (size_t k = 0; k < countof(record_moment_columns); k++)
			json_number(&j, record_moment_value(&moments[i], k), record_moment_columns[k].decimals);
		json_close(&j, ']');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	json_close(&j, '}');
	buffer_char(out, '\n');
}
