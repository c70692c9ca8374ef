/* record_reader.c - reads run records. */
#include "record_reader.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "record_reader_parts.h"

enum { NOTICES_MAX = 256 };

/* ---- opening ----------------------------------------------------------------------------- */

static int read_first_line(struct record_reader *r, struct why *why)
{
	struct word line = { NULL, 0 };
	struct json_value v;
	int result;

	while ((result = record_source_line(&r->source, &line)) == -EAGAIN)
		record_source_wait(&r->source, -1);
	if (result < 0)
		return why_set(why, result, "cannot read %s: %s", r->name, strerror(-result));
	if (result == 0)
		return why_set(why, -EBADMSG, "%s is empty: no record was written", r->name);
	if (json_parse(&v, line.at, line.len) < 0)
		return why_set(why, -EBADMSG, "%s:1: this is not a record of resource-tracker", r->name);
	return record_read_header(r, v, why);
}

int record_reader_take(struct record_reader **ret, const char *name, const struct record_source *source,
		       struct why *why)
{
	struct record_reader *r = calloc(1, sizeof *r);
	int result;

	if (!r) {
		if (source->fd > STDIN_FILENO)
			(void)close(source->fd);
		return why_set(why, -ENOMEM, "out of memory");
	}
	r->source = *source;
	r->name = strdup(name);
	if (!r->name) {
		record_reader_close(r);
		return why_set(why, -ENOMEM, "out of memory");
	}
	row_clear(TABLE_TOTAL, &r->fixed);
	result = read_first_line(r, why);
	if (result < 0) {
		record_reader_close(r);
		return result;
	}
	*ret = r;
	return 0;
}

static int open_path(struct record_reader **ret, const char *path, bool follow, struct why *why)
{
	struct record_source source = { .fd = STDIN_FILENO, .follow = follow };
	struct stat status;

	if (strcmp(path, "-") != 0)
		source.fd = open(path, O_RDONLY | O_CLOEXEC);
	if (source.fd < 0)
		return why_set(why, -errno, "cannot open %s: %s", path, strerror(errno));
	if (fstat(source.fd, &status) == 0 && S_ISREG(status.st_mode))
		source.file_bytes = (uint64_t)status.st_size;
	return record_reader_take(ret, strcmp(path, "-") == 0 ? "stdin" : path, &source, why);
}

int record_reader_open(struct record_reader **ret, const char *path, struct why *why)
{
	return open_path(ret, path, false, why);
}

int record_reader_follow(struct record_reader **ret, const char *path, struct why *why)
{
	return open_path(ret, path, true, why);
}

int record_reader_of(struct record_reader **ret, const char *name, const char *text, size_t n, struct why *why)
{
	/* The source never writes to borrowed memory. */
	union { const char *given; char *at; } memory = { text };
	struct record_source source = { .fd = -1, .borrowed = true, .at = memory.at, .len = n };

	return record_reader_take(ret, name, &source, why);
}

void record_reader_close(struct record_reader *r)
{
	if (!r)
		return;
	record_source_release(&r->source);
	for (enum table t = 0; t < TABLE_COUNT; t++)
		free(r->tables[t].rows);
	record_sentences_release(&r->notices);
	record_sentences_release(&r->problems);
	aggregate_close(r->totals);
	free(r->moments);
	free(r->facts.regions.at);
	free(r->texts);
	free(r->command);
	free(r->tags);
	free(r->pids);
	free(r->columns);
	free(r->values);
	free(r->sample);
	free(r->maxima);
	free(r->sums);
	free(r->name);
	free(r);
}

/* ---- lines ------------------------------------------------------------------------------- */

static void read_exit(struct record_reader *r, struct json_value v)
{
	struct json_value part;
	double values[6];
	static const char *const names[] = {
		"t", "pid", "parent", "started_after_boot_seconds", "cpu_seconds", "peak_rss_bytes",
	};

	for (size_t i = 0; i < countof(names); i++)
		values[i] = json_find(v, names[i], &part) ? json_as_number(part) : NONE;
	r->exit = (struct tree_exit){
		.pid = (pid_t)(record_count(values[1]) & INT32_MAX),
		.parent = (pid_t)(record_count(values[2]) & INT32_MAX),
		.start_seconds = known_span(values[3] - r->start_after_boot_seconds),
		.seen_seconds = known_span(values[0]),
		.cpu_seconds = values[4], .peak_rss_bytes = values[5],
		.exact = json_find(v, "exact", &part) && json_as_bool(part),
	};
	if (json_find(v, "name", &part))
		(void)json_as_text(part, r->exit.name, sizeof r->exit.name);
}

static void read_notice(struct record_reader *r, struct json_value v)
{
	char text[512];

	if (r->notices.n < NOTICES_MAX && json_as_text(v, text, sizeof text))
		record_sentence(&r->notices, text);
}

static void read_lost(struct record_reader *r, struct json_value v)
{
	uint64_t lines = record_count(json_as_number(v));

	if (lines == 0)
		return;
	r->facts.lost_lines += lines;
	record_problem(r, "%llu %s lost before this one: the feed's reader was too slow, or the disk was full",
		       (unsigned long long)lines, lines == 1 ? "line was" : "lines were");
}

/* Reads a line that is an object; its first known key decides.  Skips unknown objects. */
static enum record_item read_object(struct record_reader *r, struct json_value line)
{
	struct json_value v;
	int result = 0;

	if (json_find(line, "exit", &v)) {
		read_exit(r, v);
		r->facts.exits++;
		r->facts.exits_written++;
		return RECORD_EXIT;
	}
	if (record_read_region_event(r, line))
		return RECORD_REGION;
	if (json_find(line, "columns", &v))
		result = record_read_columns(r, v);
	else if (json_find(line, "rows", &v))
		result = record_read_rows(r, v);
	else if (json_find(line, "fixed", &v))
		record_read_fixed(r, v);
	else if (json_find(line, "cloud", &v))
		cloud_read(&r->facts.cloud, v);
	else if (json_find(line, "notice", &v))
		read_notice(r, v);
	else if (json_find(line, "last_minute", &v))
		record_read_last_minute(r, v);
	else if (json_find(line, "limit", &v))
		r->facts.limit_reached = true;
	else if (json_find(line, "lost", &v))
		read_lost(r, v);
	if (result < 0)
		record_problem(r, "this line is invalid and is left out: %s", strerror(-result));
	return RECORD_OVER;
}

/* Reads a line that is an array: RECORD_ROW, or RECORD_OVER if it is not a row, or a partial one. */
static enum record_item read_array(struct record_reader *r, struct json_value line)
{
	struct json_walk w = json_walk(line);
	struct json_value kind;

	if (!json_next(&w, NULL, &kind) || (!json_is(kind, "r") && !json_is(kind, "p")))
		return RECORD_OVER;
	r->held = false;
	if (record_read_row(r, line) < 0) {
		record_problem(r, "this row is invalid and is left out");
		return RECORD_OVER;
	}
	r->partial = json_is(kind, "p");
	r->held = r->partial;                   /* the next row of either kind replaces it */
	return r->partial ? RECORD_OVER : RECORD_ROW;
}

static void finish(struct record_reader *r)
{
	if (r->over)
		return;
	r->over = true;
	if (!r->facts.has_end)
		record_problem(r, RECORD_NO_END);
	if (r->problems.more > 0) {
		char text[128];

		(void)snprintf(text, sizeof text, "%zu more problem%s like these", r->problems.more,
			       r->problems.more == 1 ? "" : "s");
		record_sentence(&r->problems, text);
	}
}

static void row_done(struct record_reader *r)
{
	r->held = false;
	r->facts.rows++;
	outline_add(&r->outline, &r->sample->total, (double)r->sample->monotonic_ns / 1e9, r->sample->interval_seconds);
	if (!r->facts.has_end) {
		r->facts.status.end_monotonic_ns = r->sample->monotonic_ns;
		r->facts.status.end_wall_ns = r->sample->wall_ns;
	}
}

/* Reads one line; false: the record ends here. */
static bool read_line(struct record_reader *r, struct word line, enum record_item *item)
{
	struct json_value v, part;

	*item = RECORD_OVER;
	if ((r->totals_alone && r->source.whole ? json_parse_first(&v, line.at, line.len, ROW_TOTALS)
						: json_parse(&v, line.at, line.len)) < 0) {
		record_problem(r, r->source.whole ? "this line is not JSON and is left out" : "the last line is cut off");
		return true;
	}
	if (json_find(v, "record", &part)) {
		record_problem(r, "another record begins here: it is left out");
		return false;
	}
	if (json_find(v, "end", &part)) {
		record_read_end(r, part);
		if (record_source_line(&r->source, &line) > 0)
			record_problem(r, "lines after the end line are left out");
		return false;
	}
	*item = v.kind == JSON_ARRAY ? read_array(r, v) : read_object(r, v);
	return true;
}

enum record_item record_reader_next(struct record_reader *r)
{
	while (!r->over) {
		struct word line = { NULL, 0 };
		enum record_item item = RECORD_OVER;
		int result = record_source_line(&r->source, &line);

		if (result == -EAGAIN)
			return RECORD_LATER;
		if (result < 0)
			record_problem(r, "cannot read on: %s", strerror(-result));
		if (result <= 0 || !read_line(r, line, &item)) {
			finish(r);
			break;
		}
		if (item == RECORD_ROW)
			row_done(r);
		if (item != RECORD_OVER)
			return item;
	}
	if (!r->held)
		return RECORD_OVER;
	row_done(r);
	return RECORD_ROW;
}

void record_reader_wait(const struct record_reader *r, int timeout_ms)
{
	record_source_wait(&r->source, timeout_ms);
}

void record_reader_totals_alone(struct record_reader *r, bool alone)
{
	r->totals_alone = alone;
}

/* ---- accessors --------------------------------------------------------------------------- */

const struct record_source *record_reader_source(const struct record_reader *r) { return &r->source; }

const struct record_facts *record_reader_facts(struct record_reader *r)
{
	r->facts.notices = (const char *const *)r->notices.at;
	r->facts.n_notices = r->notices.n;
	r->facts.moments = r->moments;
	r->facts.n_moments = r->n_moments;
	r->facts.outline = &r->outline;
	r->facts.programs = &r->programs;
	r->facts.problems = (const char *const *)r->problems.at;
	r->facts.n_problems = r->problems.n;
	return &r->facts;
}

const struct sample *record_reader_sample(const struct record_reader *r) { return r->sample; }
size_t record_reader_samples(const struct record_reader *r) { return r->samples; }
bool record_reader_partial(const struct record_reader *r) { return r->partial; }
size_t record_reader_columns(const struct record_reader *r) { return r->n_columns; }
size_t record_reader_columns_known(const struct record_reader *r) { return r->columns_known; }
const struct tree_exit *record_reader_exit(const struct record_reader *r) { return &r->exit; }
const struct region_event *record_reader_region(const struct record_reader *r) { return &r->region; }
const struct aggregate *record_reader_totals(const struct record_reader *r) { return r->totals; }

const struct sample *record_reader_maxima(const struct record_reader *r)
{
	return r->has_maxima ? r->maxima : NULL;
}

const struct sample *record_reader_sums(const struct record_reader *r)
{
	return r->has_sums ? r->sums : NULL;
}

const struct record_column *record_reader_column(const struct record_reader *r, size_t i)
{
	return &r->columns[i];
}

const double *record_reader_values(const struct record_reader *r)
{
	return r->values;
}

void record_reader_replay(const struct record_reader *r, struct aggregate *to)
{
	/* The maxima first, so that the last value is the row's own. */
	if (r->has_maxima)
		aggregate_add(to, r->maxima);
	aggregate_add(to, r->sample);
	if (r->samples > 1)
		aggregate_restore_extent(to, aggregate_samples(to) + r->samples - 1, aggregate_seconds(to));
}
