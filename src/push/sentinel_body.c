/* sentinel_body.c - a run as the service Sentinel is sent it. */
#include "sentinel_body.h"

#include <string.h>
#include <time.h>

#include "../core/json_write.h"

static void write_command(struct json *j, char *const *command)
{
	struct buffer words = { 0 };
	struct json list = json_to(&words);

	if (!command || !*command)
		return;
	json_open(&list, '[');
	for (; *command; command++)
		json_text(&list, *command);
	json_close(&list, ']');
	json_key(j, "command");
	json_text_n(j, words.failed ? "" : words.at, words.failed ? 0 : words.len);
	j->out->failed = j->out->failed || words.failed;
	buffer_release(&words);
}

static void write_metadata(struct json *j, const struct run *run)
{
	const struct { const char *key, *value; } given[] = {
#define MEMBER(name, variable) { #name, run->name },
		RUN_METADATA(MEMBER)
#undef MEMBER
	};

	for (size_t i = 0; i < countof(given); i++)
		if (given[i].value)
			json_member_text(j, given[i].key, given[i].value);
	if (run->n_tags > 0)
		json_member_open(j, "tags", '[');
	for (size_t i = 0; i < run->n_tags; i++)
		json_text(j, run->tags[i]);
	if (run->n_tags > 0)
		json_close(j, ']');
	write_command(j, run->command);
}

void sentinel_write_begin(struct buffer *out, const struct record_facts *facts, const struct devices *devices)
{
	/* Not in a record: the first is secret (machine-id(5)), the next can be any of several, the last is a guess. */
	static const char *const unknown[] = { "host_id", "host_ip", "host_server_allocation" };
	struct json j = json_to(out);

	json_open(&j, '{');
	write_metadata(&j, &facts->run);
	for (size_t i = 0; i < countof(unknown); i++)
		json_member_text(&j, unknown[i], NULL);
	host_shared_members(&j, &facts->host, devices);
	cloud_shared_members(&j, &facts->cloud);
	json_close(&j, '}');
}

static void write_time(struct json *j, int64_t wall_ns)
{
	time_t seconds = (time_t)(wall_ns / NS_PER_SECOND);
	struct tm utc;
	char text[32];

	if (gmtime_r(&seconds, &utc) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
		json_member_text(j, "finished_at", text);
}

void sentinel_write_end(struct buffer *out, const struct record_facts *facts)
{
	enum { SIGNAL_BASE = 128 };
	const struct run_status *status = &facts->status;
	const int codes[] = {
		[RUN_RUNNING] = -1, [RUN_EXITED] = status->value, [RUN_SIGNALED] = SIGNAL_BASE + status->value,
		[RUN_ROOTS_ENDED] = 0, [RUN_STOPPED] = 0,
	};
	int code = codes[status->end];
	struct json j = json_to(out);

	json_open(&j, '{');
	if (status->end != RUN_RUNNING)
		json_member_i64(&j, "exit_code", code);
	json_member_word(&j, "run_status", code == 0 ? "finished" : "failed");
	write_time(&j, status->end_wall_ns);
	json_close(&j, '}');
}

void sentinel_write_name(struct buffer *out, const struct sentinel_run *run, uint64_t number)
{
	buffer_format(out, "%s/%06llu.csv.gz", run->id, (unsigned long long)number);
}

void sentinel_write_inline(struct buffer *out, const char *end, size_t n, const struct buffer *rows)
{
	struct json j = { out, true };

	buffer_bytes(out, end, n > 0 ? n - 1 : 0);
	json_member_word(&j, "data_source", "inline");
	json_key(&j, "data_csv");
	json_text_n(&j, rows->at ? rows->at : "", rows->len);
	json_close(&j, '}');
	out->failed = out->failed || rows->failed;
}

void sentinel_write_finish(struct buffer *out, const char *end, size_t n, const struct sentinel_run *run,
			   uint64_t sent)
{
	const struct buffer none = { 0 };
	struct json j = { out, true };
	struct buffer uri = { 0 };
	size_t place = strlen(run->place);

	if (sent == 0) {
		sentinel_write_inline(out, end, n, &none);
		return;
	}
	while (place > 0 && run->place[place - 1] == '/')
		place--;
	buffer_bytes(out, end, n > 0 ? n - 1 : 0);
	json_member_word(&j, "data_source", "s3");
	json_member_open(&j, "data_uris", '[');
	for (uint64_t i = 0; i < sent; i++) {
		buffer_clear(&uri);
		buffer_format(&uri, "%.*s/", (int)place, run->place);
		sentinel_write_name(&uri, run, i);
		json_text_n(&j, uri.failed ? "" : uri.at, uri.failed ? 0 : uri.len);
		out->failed = out->failed || uri.failed;
	}
	json_close(&j, ']');
	json_close(&j, '}');
	buffer_release(&uri);
}
