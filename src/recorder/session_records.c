/* session_records.c - all that is written of a run in the form of a record. */
#include "session_records.h"

#include "../core/tree_exit.h"

static bool put_line(void *context, const char *line, size_t n, bool needed)
{
	if (needed)
		return output_put_needed(context, line, n);
	output_put(context, line, n);
	return true;
}

static struct session_record *own(struct session_records *r)
{
	return &r->at[0];
}

void session_records_open(struct session_records *r, const struct options *o, const struct run *run, const char *host,
			  const struct source *src, const struct aggregate *whole, struct why *note)
{
	struct session_record *record = own(r);
	struct record_options options = {
		.detail = RECORD_BOUNDED, .command = o->record_command, .sums = &r->sums, .put = put_line,
	};

	r->sums.whole = whole;
	record_destination(&record->output, &r->place, o, run, host, note);
	options.context = record->output;
	if (record->output && record_open(&record->writer, run, src, &options) < 0)
		(void)why_set(note, 0, "the record is not written: out of memory");
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

void session_records_cancel(struct session_records *r, double seconds)
{
	struct session_record *record = own(r);

	record_close(record->writer);
	(void)output_close(record->output, seconds, NULL);
	if (record->output && !r->place.named)
		(void)unlink(r->place.path);
	*record = (struct session_record){ NULL, NULL };
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

void session_records_sample(struct session_records *r, const struct sample *s)
{
	for (size_t i = 0; i < RECORDS_MAX; i++)
		if (r->at[i].writer)
			record_sample(r->at[i].writer, s);
}

void session_records_exit(struct session_records *r, const struct tree_exit *e)
{
	r->sums.exits.n++;
	r->sums.exits.cpu_seconds = add_known(r->sums.exits.cpu_seconds, e->cpu_seconds);
	for (size_t i = 0; i < RECORDS_MAX; i++)
		if (r->at[i].writer)
			record_exit(r->at[i].writer, e);
}

void session_records_region(struct session_records *r, const struct region_event *e)
{
	for (size_t i = 0; i < RECORDS_MAX; i++)
		if (r->at[i].writer)
			record_region(r->at[i].writer, e);
}

void session_records_notice(struct session_records *r, const char *sentence)
{
	for (size_t i = 0; i < RECORDS_MAX; i++)
		if (r->at[i].writer)
			record_notice(r->at[i].writer, sentence);
}

static void write_end(struct session_record *record, const struct session_end *end, const struct aggregate *whole)
{
	record_last_minute(record->writer, end->moments, end->n_moments);
	record_regions(record->writer, end->regions);
	record_finish(record->writer, end->status, whole);
}

uint64_t session_records_finish(struct session_records *r, const struct session_end *end, double seconds,
				struct output_end *ret)
{
	struct session_record *record = own(r);

	if (record->writer)
		write_end(record, end, r->sums.whole);
	record_close(record->writer);
	record->writer = NULL;

	uint64_t lost = output_close(record->output, seconds, ret);

	record->output = NULL;
	return lost;
}
