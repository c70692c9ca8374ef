/* recording_parts.c - lines read ahead, rows and notices, for the readers of a recording's formats. */
#include "recording_parts.h"

static struct word line_of(const struct buffer *b)
{
	return (struct word){ b->at ? b->at : "", b->len };
}

bool recording_peek(struct recording *r, size_t ahead, struct word *ret)
{
	while (r->n_ahead <= r->next_ahead + ahead) {
		struct word line;

		if (r->n_ahead == LINES_AHEAD || record_source_line(&r->source, &line) <= 0)
			return false;
		buffer_clear(&r->ahead[r->n_ahead]);
		buffer_bytes(&r->ahead[r->n_ahead], line.at, line.len);
		if (r->ahead[r->n_ahead++].failed)
			return false;
	}
	*ret = line_of(&r->ahead[r->next_ahead + ahead]);
	return true;
}

int recording_line(struct recording *r, struct word *ret)
{
	if (r->next_ahead < r->n_ahead) {
		*ret = line_of(&r->ahead[r->next_ahead++]);
		return 1;
	}
	return record_source_line(&r->source, ret);
}

bool recording_cut(const struct recording *r)
{
	return !r->source.whole && r->next_ahead == r->n_ahead;
}

bool recording_begin_row(struct recording *r, double unix_seconds, double interval_seconds)
{
	if (!r->sample)
		r->sample = malloc(sizeof *r->sample);
	if (!r->sample)
		return false;

	struct sample *s = r->sample;
	int64_t wall_ns = instant_ns(unix_seconds);

	sample_clear(s);
	if (is_none(interval_seconds) && r->last_wall_ns != 0)
		interval_seconds = (double)(wall_ns - r->last_wall_ns) / 1e9;
	/* After the clock was set back, or far ahead, assume the usual interval. */
	if (!is_span(interval_seconds) || interval_seconds < 0)
		interval_seconds = r->interval_seconds;
	else if (is_interval(interval_seconds))
		r->interval_seconds = interval_seconds;
	r->last_wall_ns = wall_ns;
	s->wall_ns = wall_ns;
	s->interval_seconds = is_interval(interval_seconds) ? interval_seconds : NONE;
	if (r->rows == 0) {
		interval_seconds = is_none(s->interval_seconds) ? 0 : interval_seconds;
		r->facts.run.start_wall_ns = wall_ns - span_ns(interval_seconds);
		r->facts.run.interval_seconds = interval_seconds;
	}
	s->monotonic_ns = wall_ns - r->facts.run.start_wall_ns;
	s->seq = r->rows + 1;
	return true;
}

void recording_set(void *row, const struct column *c, double value, double seconds)
{
	double *at = (void *)((char *)row + c->offset);

	value *= c->per_second ? c->scale * seconds : c->scale;
	*at = c->how == HOW_SHARE ? add_known(*at, value) : value;
}

void recording_notice(struct recording *r, const char *text)
{
	record_sentence(&r->notices, text);
}
