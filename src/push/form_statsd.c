/* form_statsd.c - lines of StatsD. */
#include "form_statsd.h"

#include <string.h>

#include "../export/export.h"
#include "form.h"

/* Digits of a sum in the end of a record. */
static int digits(const struct metric *m)
{
	return m->decimals == 0 ? 0 : m->decimals + 3 > 9 ? 9 : m->decimals + 3;
}

static double scale(const struct metric *m)
{
	double scale = 1;

	for (int i = digits(m); i > 0; i--)
		scale *= 10;
	return scale;
}

int64_t statsd_units(const struct series *s)
{
	double units = round(s->least * scale(s->metric));

	return units < (double)INT64_MAX ? (int64_t)units : INT64_MAX;
}

static void begin(struct buffer *out, const struct series *s)
{
	buffer_format(out, "resource_tracker.%s.%s:", s->metric->group, s->metric->name);
}

/* Values are of any bytes, and some end a tag, the line, or the datagram. */
static void end(struct buffer *out, const char *type, const struct points *p, const struct series *s)
{
	struct label_pair labels[LABELS_MAX];
	size_t n = points_labels(labels, p, s);

	buffer_format(out, "|%s", type);
	for (size_t i = 0; i < n; i++) {
		buffer_format(out, "%s%s:", i == 0 ? "|#" : ",", labels[i].name);
		for (const char *at = labels[i].value; *at; at++)
			buffer_char(out, strchr(",|#", *at) || (unsigned char)*at < ' ' ? '_' : *at);
	}
	buffer_char(out, '\n');
}

void statsd_count(struct buffer *out, const struct points *p, const struct series *s, int64_t units)
{
	begin(out, s);
	buffer_trimmed(out, (double)units / scale(s->metric), digits(s->metric));
	end(out, "c", p, s);
}

void statsd_gauge(struct buffer *out, const struct points *p, const struct series *s)
{
	if (s->newest < 0) {
		begin(out, s);
		buffer_char(out, '0');
		end(out, "g", p, s);
	}
	begin(out, s);
	buffer_trimmed(out, s->newest, export_decimals(s->metric, s->newest));
	end(out, "g", p, s);
}

const struct push_form form_statsd = { .word = "statsd" };
