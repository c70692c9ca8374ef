/*
 * form_prometheus.c - remote write 1.0: https://prometheus.io/docs/concepts/remote_write_spec/
 *
 * WriteRequest { repeated TimeSeries timeseries = 1; }
 * TimeSeries   { repeated Label labels = 1; repeated Sample samples = 2; }
 * Label        { string name = 1; string value = 2; }
 * Sample       { double value = 1; int64 timestamp = 2; }      milliseconds
 */
#include <string.h>

#include "../export/openmetrics_name.h"
#include "form.h"
#include "protobuf.h"
#include "snappy.h"

static void label(struct buffer *out, const char *name, const char *value, size_t n)
{
	size_t begin = protobuf_open(out, 1);

	protobuf_text(out, 1, name);
	protobuf_bytes(out, 2, value, n);
	protobuf_close(out, begin);
}

static void sample(struct buffer *out, double value, int64_t ms)
{
	size_t begin = protobuf_open(out, 2);

	protobuf_double(out, 1, value);
	protobuf_u64(out, 2, (uint64_t)ms);
	protobuf_close(out, begin);
}

/* __name__ sorts before all labels of ours, which points_labels sorts. */
static void series(struct buffer *out, const struct points *p, const struct series *s, struct buffer *name)
{
	size_t begin = protobuf_open(out, 1);
	struct label_pair labels[LABELS_MAX];
	size_t n = points_labels(labels, p, s);

	buffer_clear(name);
	openmetrics_name(name, s->metric);
	label(out, "__name__", name->at, name->len);
	for (size_t i = 0; i < n; i++)
		label(out, labels[i].name, labels[i].value, strlen(labels[i].value));
	for (const struct point *at = points_first(p, s); at; at = points_next(p, at))
		sample(out, at->value, p->moments[at->moment]);
	protobuf_close(out, begin);
}

static void encode(struct buffer *out, const struct points *p)
{
	struct buffer request = { 0 }, name = { 0 };

	for (size_t i = 0; i < p->n_series; i++)
		if (points_first(p, &p->series[i]))
			series(&request, p, &p->series[i], &name);
	snappy_write(out, request.at, request.len);
	out->failed = out->failed || request.failed || name.failed;
	buffer_release(&request);
	buffer_release(&name);
}

static const char *const headers[] = {
	"Content-Type: application/x-protobuf", "Content-Encoding: snappy", "X-Prometheus-Remote-Write-Version: 0.1.0", NULL,
};

const struct push_form form_prometheus = { .word = "prometheus", .headers = headers, .encode = encode };
