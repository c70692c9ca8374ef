/* session_records.c - the run's own record and its feeds. */
#include "session_records.h"

#include <string.h>

#include "../core/companion.h"
#include "../core/tree_exit.h"
#include "push_program.h"

static const double STOP_SECONDS = 0.2;         /* longest wait for a terminal that takes nothing */

static struct session_record *own(struct session_records *r)
{
	return &r->at[0];
}

/* ---- lines ------------------------------------------------------------------------------- */

void session_records_sample(struct session_records *r, const struct sample *s)
{
	if (!is_none(s->interval_seconds))
		outline_add(&r->sums.outline, &s->total, r->seconds, s->interval_seconds);
	for (size_t i = 0; i < r->n; i++)
		if (r->at[i].writer)
			record_sample(r->at[i].writer, s);
}

void session_records_exit(struct session_records *r, const struct tree_exit *e)
{
	r->sums.exits.n++;
	r->sums.exits.cpu_seconds = add_known(r->sums.exits.cpu_seconds, e->cpu_seconds);
	for (size_t i = 0; i < r->n; i++)
		if (r->at[i].writer)
			record_exit(r->at[i].writer, e);
}

void session_records_region(struct session_records *r, const struct region_event *e)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->at[i].writer)
			record_region(r->at[i].writer, e);
}

void session_records_notice(struct session_records *r, const char *sentence)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->at[i].writer)
			record_notice(r->at[i].writer, sentence);
}

void session_records_cloud(struct session_records *r, const struct cloud *cloud)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->at[i].writer)
			record_cloud(r->at[i].writer, cloud);
}

void session_records_wake(struct session_records *r)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->at[i].output)
			output_wake(r->at[i].output);
}

/* ---- beginning --------------------------------------------------------------------------- */

int session_records_prepare(struct session_records *r, const struct options *o, struct why *why, struct why *note)
{
	int result = 0;

	r->at = calloc(1 + o->feeds.n + o->feed_programs.n + options_push(o) + 1, sizeof *r->at);
	if (!r->at)
		return why_set(why, -ENOMEM, "out of memory");
	r->n = 1;
	for (size_t i = 0; i < o->feeds.n && result == 0; i++) {
		struct session_record *feed = &r->at[r->n++];

		feed->name = o->feeds.at[i];
		result = feed_destination(&feed->output, o, feed->name, why, note);
	}
	if (result < 0)
		session_records_close(r);
	return result;
}

static void start_program(struct session_record *feed, const struct options *o, const char *name, struct why *note)
{
	feed->is_program = true;
	feed->name = name;

	struct output_options output = {
		.fd = -1, .open = feed_program_start, .context = &feed->program, .name = feed->name,
		.gather_seconds = gather_seconds(o),
	};

	if (output_open(&feed->output, &output, note) < 0)
		feed->output = NULL;
}

static void open_program(struct session_record *feed, const struct options *o, const char *line,
			 const struct inherited_signals *signals, struct why *note)
{
	int r = feed_program_open(&feed->program, line, signals);

	if (r < 0)
		(void)why_set(note, 0, "the feed to %s is not written: %s", line, strerror(-r));
	else
		start_program(feed, o, feed->program.words[0], note);
}

/* --status: a companion that reads a feed, where there is a terminal to show a line on. */
static void open_status(struct session_records *r, const struct options *o, const struct inherited_signals *signals,
			struct why *note)
{
	const char *terminal = getenv("TERM");

	if (!o->status || !isatty(STDERR_FILENO) || !terminal || !*terminal || strcmp(terminal, "dumb") == 0)
		return;
	if (!companion_path(r->status_path, sizeof r->status_path, RT_LIBEXEC, "resource-tracker-top")) {
		(void)why_set(note, 0, "no status line: resource-tracker-top: %s", strerror(errno));
		return;
	}
	r->status = &r->at[r->n++];

	struct feed_program *program = &r->status->program;
	int result = feed_program_open(program, "resource-tracker-top --status-line", signals);

	if (result < 0) {
		(void)why_set(note, 0, "no status line: %s", strerror(-result));
		return;
	}
	program->words[0] = r->status_path;
	start_program(r->status, o, "the status line", note);
}

static void open_push(struct session_record *feed, const struct options *o, const struct inherited_signals *signals,
		      struct why *note)
{
	if (push_program_open(&feed->program, o, signals, note) < 0)
		return;
	feed->leave_seconds = o->push_drain_seconds;
	start_program(feed, o, feed->program.line, note);
}

int session_records_open(struct session_records *r, const struct options *o, const struct run *run, const char *host,
			 const struct source *src, const struct aggregate *whole,
			 const struct inherited_signals *signals, struct why *why, struct why *note)
{
	struct record_options options = { .command = o->record_command, .sums = &r->sums, .put = session_record_put };

	r->sums.whole = whole;

	int result = record_destination(&own(r)->output, &r->place, o, run, host, why, note);

	for (size_t i = 0; i < o->feed_programs.n; i++)
		open_program(&r->at[r->n++], o, o->feed_programs.at[i], signals, note);
	if (options_push(o))
		open_push(&r->at[r->n++], o, signals, note);
	open_status(r, o, signals, note);
	for (size_t i = 0; i < r->n; i++) {
		struct session_record *record = &r->at[i];

		record->seconds = &r->seconds;
		options.context = record;
		if (record->output && record_open(&record->writer, run, src, &options) < 0)
			(void)why_set(note, 0, "%s is not written: out of memory", i == 0 ? "the record" : "a feed");
		options.detail = RECORD_ALL;
		options.put = session_record_put_to_feed;
	}
	return result;
}

int session_records_begun(struct session_records *r, double seconds, struct why *why)
{
	return own(r)->output ? output_begun(own(r)->output, seconds, why) : 0;
}

void session_records_write_now(struct session_records *r)
{
	if (own(r)->output)
		output_write_now(own(r)->output);
}

void session_records_start(struct session_records *r, struct why *note)
{
	if (own(r)->output)
		output_start(own(r)->output, note);
}

bool session_records_has_output(const struct session_records *r)
{
	return r->at[0].output != NULL;
}

bool session_records_has_own(const struct session_records *r)
{
	return r->at[0].writer != NULL;
}

uint64_t session_records_dropped(struct session_records *r)
{
	return own(r)->output ? output_dropped(own(r)->output) : 0;
}

/* ---- the status line --------------------------------------------------------------------- */

void session_records_hide_status(struct session_records *r)
{
	if (r->status)
		feed_program_stop(&r->status->program, STOP_SECONDS);
}

void session_records_show_status(struct session_records *r)
{
	if (r->status)
		feed_program_continue(&r->status->program);
}

/* ---- feeds that end ---------------------------------------------------------------------- */

bool session_records_trouble(struct session_records *r, struct why *ret)
{
	for (size_t i = 1; i < r->n; i++) {
		session_record_poll(&r->at[i]);
		if (!r->at[i].trouble.text[0])
			continue;
		*ret = r->at[i].trouble;
		r->at[i].trouble.text[0] = '\0';
		return true;
	}
	return false;
}

/* ---- the end ----------------------------------------------------------------------------- */

/* Ends all feeds before it waits for any of them, so that they finish in parallel. */
void session_records_finish_feeds(struct session_records *r, const struct session_end *end, double seconds)
{
	double now = seconds_now();
	bool written[1 + 2 * FEEDS_MAX + 2] = { false };

	for (size_t i = 1; i < r->n; i++) {
		struct session_record *feed = &r->at[i];

		written[i] = feed->writer && end;
		if (written[i])
			session_record_end(feed, end, r->sums.whole);
		record_close(feed->writer);
		feed->writer = NULL;
		if (feed->output)
			output_end(feed->output);
	}
	for (size_t i = 1; i < r->n; i++) {
		if (r->at[i].output)
			session_record_close(&r->at[i], written[i], now + seconds + r->at[i].leave_seconds);
		feed_program_close(&r->at[i].program);
	}
}

uint64_t session_records_finish(struct session_records *r, const struct session_end *end, double seconds,
				struct output_end *ret)
{
	if (own(r)->writer)
		session_record_end(own(r), end, r->sums.whole);

	uint64_t lost = output_close(own(r)->output, seconds, ret);

	own(r)->output = NULL;
	return lost;
}

void session_records_cancel(struct session_records *r, double seconds)
{
	session_records_finish_feeds(r, NULL, seconds);
	record_close(own(r)->writer);
	(void)output_close(own(r)->output, seconds, NULL);
	if (own(r)->output && !r->place.named)
		(void)unlink(r->place.path);
	*own(r) = (struct session_record){ .name = NULL };
}

void session_records_close(struct session_records *r)
{
	for (size_t i = 0; i < r->n; i++) {
		record_close(r->at[i].writer);
		(void)output_close(r->at[i].output, 0, NULL);
		feed_program_close(&r->at[i].program);
	}
	free(r->at);
	*r = (struct session_records){ .n = 0 };
}
