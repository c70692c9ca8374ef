/* session_samples.c - writes samples as lines of JSON or CSV. */
#include "session_samples.h"

int session_samples_open(struct session_samples *s, const struct options *o, struct why *why, struct why *note)
{
	int r = samples_destination(&s->output, o, why, note);

	s->layout = o->csv_given ? o->csv : options_mode(o) == MODE_WATCH ? CSV_SYSTEM : CSV_COMBINED;
	if (r < 0 || !s->output || o->format != FORMAT_JSON || sample_writer_open(&s->json) == 0)
		return r;
	(void)output_close(s->output, 0, NULL);
	s->output = NULL;
	return why_set(why, -ENOMEM, "out of memory");
}

/* Writes the CSV header, without which rows mean nothing.  false: the queue is full. */
static bool put_header(struct session_samples *s)
{
	buffer_clear(&s->line);
	sample_write_csv_header(&s->line, s->layout);
	s->header_written = !s->line.failed && output_put_needed(s->output, s->line.at, s->line.len);
	return s->header_written;
}

void session_samples_write(struct session_samples *s, const struct sample *sample, const struct run *run)
{
	if (!s->output || (!s->json && !s->header_written && !put_header(s)))
		return;
	buffer_clear(&s->line);
	if (s->json) {
		sample_write_json(s->json, &s->line, sample, run);
	} else {
		sample_write_csv(&s->line, sample, run, s->layout);
	}
	if (!s->line.failed)
		output_put(s->output, s->line.at, s->line.len);
}

void session_samples_close(struct session_samples *s)
{
	sample_writer_close(s->json);
	buffer_release(&s->line);
}
