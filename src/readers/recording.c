/* recording.c - one interface to the files of all trackers. */
#include "recording.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../text/shown.h"
#include "recording_parts.h"

/* ---- opening ------------------------------------------------------------------------------- */

static int unknown(const struct recording *r, struct why *why)
{
	return why_set(why, -EBADMSG, "%s has an unknown format: neither a run record, nor JSON Lines or CSV of a tracker",
		       show_path(r->name).text);
}

/* Finds the format from the first line.  The first line of a run record is left unread for the record reader. */
static int find_format(struct recording *r, struct why *why)
{
	static int (*const tries[])(struct recording *r, struct why *why) = {
		recording_try_json, recording_try_csv, recording_try_events,
	};
	struct word line = { NULL, 0 };
	struct json_value v, part;
	int result = record_source_line(&r->source, &line);

	if (result < 0)
		return result == -EFBIG ? unknown(r, why)
					: why_set(why, result, "cannot read %s: %s", show_path(r->name).text,
						  strerror(-result));
	if (result == 0)
		return why_set(why, -EBADMSG, "%s is empty", show_path(r->name).text);
	if (json_parse(&v, line.at, line.len) == 0 && json_find(v, "record", &part)) {
		r->source.next = (size_t)(line.at - r->source.at);
		r->source.line = 0;
		r->source.whole = false;
		result = record_reader_take(&r->record, r->name, &r->source, why);
		r->source = (struct record_source){ .fd = -1, .borrowed = true };
		return result;
	}
	buffer_bytes(&r->ahead[r->n_ahead++], line.at, line.len);
	result = 0;
	for (size_t i = 0; result == 0 && i < countof(tries); i++)
		result = tries[i](r, why);
	return result < 0 ? result : result > 0 ? 0 : unknown(r, why);
}

/* Owns the source from then on, even if it fails. */
static int open_source(struct recording **ret, const char *name, const struct record_source *source, struct why *why)
{
	struct recording *r = calloc(1, sizeof *r);
	int result;

	if (!r) {
		if (source->fd > STDIN_FILENO)
			(void)close(source->fd);
		return why_set(why, -ENOMEM, "out of memory");
	}
	r->source = *source;
	r->name = strdup(name);
	r->whole = aggregate_open();
	r->interval_seconds = NONE;
	r->facts = (struct recording_facts){
		.format = "run record", .id = "", .host = { .cpus = NONE, .memory_bytes = NONE, .sockets = NONE, .cores = NONE },
	};
	result = r->name && r->whole ? 0 : why_set(why, -ENOMEM, "out of memory");
	if (result == 0)
		result = find_format(r, why);
	if (result < 0) {
		recording_close(r);
		return result;
	}
	*ret = r;
	return 0;
}

int recording_open(struct recording **ret, const char *path, struct why *why)
{
	struct record_source source = { .fd = STDIN_FILENO };
	struct stat status;

	if (strcmp(path, "-") == 0)
		return open_source(ret, "stdin", &source, why);
	source.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (source.fd < 0)
		return why_set(why, -errno, "cannot open %s: %s", show_path(path).text, strerror(errno));
	if (fstat(source.fd, &status) == 0 && S_ISDIR(status.st_mode)) {
		(void)close(source.fd);
		return why_set(why, -EISDIR, "%s is a directory", show_path(path).text);
	}
	return open_source(ret, path, &source, why);
}

int recording_of(struct recording **ret, const char *name, const char *text, size_t n, struct why *why)
{
	/* The source never writes to borrowed memory. */
	union { const char *given; char *at; } memory = { text };
	struct record_source source = { .fd = -1, .borrowed = true, .at = memory.at, .len = n };

	return open_source(ret, name, &source, why);
}

void recording_close(struct recording *r)
{
	if (!r)
		return;
	record_reader_close(r->record);
	record_source_release(&r->source);
	for (size_t i = 0; i < LINES_AHEAD; i++)
		buffer_release(&r->ahead[i]);
	if (r->close_state)
		r->close_state(r->state);
	record_sentences_release(&r->notices);
	record_sentences_release(&r->problems);
	aggregate_close(r->whole);
	free(r->sample);
	free(r->name);
	free(r);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Computes metrics that follow from others, as not every tracker writes them. */
static void complete(struct totals *t)
{
	if (is_none(t->process_cpu_seconds))
		t->process_cpu_seconds = add_known(t->process_cpu_user_seconds, t->process_cpu_system_seconds);
	if (is_none(t->memory_used_pct) && t->memory_total_bytes > 0)
		t->memory_used_pct = 100 * t->memory_used_bytes / t->memory_total_bytes;
}

static enum record_item next_foreign(struct recording *r)
{
	struct word line = { NULL, 0 };
	int result;

	while ((result = recording_line(r, &line)) > 0) {
		if (line.len > 0 && line.at[line.len - 1] == '\r')
			line.len--;
		if (line.len == 0)
			continue;

		enum line_is what = r->read_line(r, line);

		r->lines_left_out += what == LINE_BAD;
		if (what == LINE_REGION)
			return RECORD_REGION;
		if (what != LINE_ROW)
			continue;
		complete(&r->sample->total);
		aggregate_add(r->whole, r->sample);
		r->rows++;
		r->facts.status.end_wall_ns = r->sample->wall_ns;
		r->facts.status.end_monotonic_ns = r->sample->monotonic_ns;
		return RECORD_ROW;
	}
	r->error = result;
	return RECORD_OVER;
}

enum record_item recording_next_item(struct recording *r)
{
	if (!r->record)
		return next_foreign(r);

	enum record_item item = record_reader_next(r->record);

	if (item == RECORD_ROW)
		record_reader_replay(r->record, r->whole);
	return item;
}

bool recording_next(struct recording *r)
{
	for (enum record_item item; (item = recording_next_item(r)) != RECORD_OVER;)
		if (item == RECORD_ROW)
			return true;
	return false;
}

void recording_progress(const struct recording *r, struct progress *p)
{
	const struct record_source *source = r->record ? record_reader_source(r->record) : &r->source;
	struct stat status;

	if (!progress_due(p))
		return;
	bool file = source->fd >= 0 && fstat(source->fd, &status) == 0 && S_ISREG(status.st_mode);

	progress_show(p, source->bytes + source->next, file ? (uint64_t)status.st_size : 0);
}

bool recording_failed(const struct recording *r, struct why *why)
{
	bool empty = !r->record && r->rows == 0 && r->facts.n_regions == 0;

	if (r->error < 0)
		(void)why_set(why, r->error, "cannot read %s on: %s", show_path(r->name).text, strerror(-r->error));
	else if (empty)
		(void)why_set(why, -ENODATA, "%s has no sample in it", show_path(r->name).text);
	return r->error < 0 || empty;
}

const struct sample *recording_sample(const struct recording *r)
{
	return r->record ? record_reader_sample(r->record) : r->sample;
}

size_t recording_samples(const struct recording *r)
{
	return r->record ? record_reader_samples(r->record) : 1;
}

const struct aggregate *recording_whole(const struct recording *r)
{
	const struct aggregate *exact = r->record ? record_reader_totals(r->record) : NULL;

	return exact ? exact : r->whole;
}

const struct sample *recording_maxima(const struct recording *r)
{
	return r->record ? record_reader_maxima(r->record) : NULL;
}

const struct tree_exit *recording_exit(const struct recording *r)
{
	return record_reader_exit(r->record);
}

const struct region_event *recording_region(const struct recording *r)
{
	return r->record ? record_reader_region(r->record) : &r->region;
}

static void facts_of_record(struct recording_facts *to, struct record_reader *record)
{
	const struct record_facts *f = record_reader_facts(record);

	to->id = f->id;
	to->run = f->run;
	to->host = f->host;
	to->cloud = f->cloud;
	to->records_end = true;
	to->status = f->status;
	to->tracked = f->run.command || f->run.n_pids > 0;
	to->limit_reached = f->limit_reached;
	to->exits = f->exits;
	to->outline = f->outline;
	to->programs = f->programs;
	to->moments = f->moments;
	to->n_moments = f->n_moments;
	to->region_totals = f->regions;
	to->notices = f->notices;
	to->n_notices = f->n_notices;
	to->problems = f->problems;
	to->n_problems = f->n_problems;
}

const struct recording_facts *recording_facts(struct recording *r)
{
	struct recording_facts *f = &r->facts;

	if (r->record) {
		facts_of_record(f, r->record);
		return f;
	}
	if (r->lines_left_out > 0) {
		char text[256];

		(void)snprintf(text, sizeof text, "%s: %zu line%s left out: no %s", show_path(r->name).text,
			       r->lines_left_out, r->lines_left_out == 1 ? " is" : "s are",
			       f->n_regions > 0 ? "event with its other end" : "sample");
		record_sentence(&r->problems, text);
		r->lines_left_out = 0;
	}
	if (f->tracked && r->pid > 0) {
		f->run.pids = &r->pid;
		f->run.n_pids = 1;
	}
	f->notices = (const char *const *)r->notices.at;
	f->n_notices = r->notices.n;
	f->problems = (const char *const *)r->problems.at;
	f->n_problems = r->problems.n;
	return f;
}
