/*
 * form_influx.c - InfluxDB's line protocol:
 * https://docs.influxdata.com/influxdb/v1/write_protocols/line_protocol_reference/
 *
 * The measurement and the field together are the name for Prometheus: VictoriaMetrics joins them with _.
 */
#include <string.h>

#include "../export/export.h"
#include "form.h"
#include "gzip.h"

static const char PREFIX[] = "resource_tracker_";

/* A value of a tag: a backslash would escape the separator after it, and a line ends at a newline. */
static void tag(struct buffer *out, const char *name, const char *value)
{
	buffer_format(out, ",%s=", name);
	for (; *value; value++) {
		if (*value == ',' || *value == '=' || *value == ' ')
			buffer_char(out, '\\');
		buffer_char(out, *value == '\\' ? '/' : (unsigned char)*value < ' ' ? '?' : *value);
	}
}

static void series(struct buffer *out, const struct points *p, const struct series *s, struct buffer *begin)
{
	const struct metric *m = s->metric;
	struct label_pair labels[LABELS_MAX];
	size_t n = points_labels(labels, p, s);

	buffer_clear(begin);
	buffer_format(begin, "%s%s", PREFIX, m->group);
	for (size_t i = 0; i < n; i++)
		tag(begin, labels[i].name, labels[i].value);
	buffer_format(begin, " %s%s=", m->name, m->kind == KIND_AMOUNT ? "_total" : "");
	for (const struct point *at = points_first(p, s); at; at = points_next(p, at)) {
		buffer_bytes(out, begin->at, begin->len);
		buffer_trimmed(out, at->value, export_decimals(m, at->value));
		buffer_format(out, " %lld000000\n", (long long)p->moments[at->moment]);
	}
}

static void encode(struct buffer *out, const struct points *p)
{
	struct buffer text = { 0 }, begin = { 0 };

	for (size_t i = 0; i < p->n_series; i++)
		if (points_first(p, &p->series[i]))
			series(&text, p, &p->series[i], &begin);
	gzip_write(out, text.at, text.len);
	out->failed = out->failed || text.failed || begin.failed;
	buffer_release(&text);
	buffer_release(&begin);
}

static const char *const headers[] = { "Content-Type: text/plain; charset=utf-8", "Content-Encoding: gzip", NULL };

const struct push_form form_influx = { .word = "influx", .headers = headers, .encode = encode };
