/*
 * form_otlp.c - OpenTelemetry's protocol by HTTP: https://opentelemetry.io/docs/specs/otlp/
 *
 * ExportMetricsServiceRequest { ResourceMetrics resource_metrics = 1; }
 * ResourceMetrics { Resource resource = 1; ScopeMetrics scope_metrics = 2; }
 * Resource        { KeyValue attributes = 1; }
 * KeyValue        { string key = 1; AnyValue { string string_value = 1; } value = 2; }
 * ScopeMetrics    { Scope scope = 1; Metric metrics = 2; }     Scope { string name = 1; string version = 2; }
 * Metric          { string name = 1, description = 2, unit = 3; Gauge gauge = 5; Sum sum = 7; }
 * Gauge, Sum      { NumberDataPoint data_points = 1; } Sum { aggregation_temporality = 2; bool is_monotonic = 3; }
 * NumberDataPoint { fixed64 start_time_unix_nano = 2, time_unix_nano = 3; double as_double = 4;
 *                   KeyValue attributes = 7; }
 */
#include "form.h"
#include "gzip.h"
#include "otlp_names.h"
#include "protobuf.h"

static void attribute(struct buffer *out, unsigned field, const char *key, const char *value)
{
	size_t pair = protobuf_open(out, field), any;

	protobuf_text(out, 1, key);
	any = protobuf_open(out, 2);
	protobuf_text(out, 1, value);
	protobuf_close(out, any);
	protobuf_close(out, pair);
}

static void resource(struct buffer *out, const struct run_labels *l)
{
	struct label_pair attributes[OTLP_RESOURCE_MAX];
	size_t begin = protobuf_open(out, 1), n = otlp_resource(attributes, l);

	for (size_t i = 0; i < n; i++)
		attribute(out, 1, attributes[i].name, attributes[i].value);
	protobuf_close(out, begin);
}

static void data_points(struct buffer *out, const struct points *p, const struct series *s)
{
	for (const struct point *at = points_first(p, s); at; at = points_next(p, at)) {
		size_t begin = protobuf_open(out, 1);

		if (otlp_is_sum(s->metric))
			protobuf_fixed64(out, 2, (uint64_t)p->start_wall_ns);
		protobuf_fixed64(out, 3, (uint64_t)p->moments[at->moment] * 1000000);
		protobuf_double(out, 4, at->value);
		if (s->table != TABLE_TOTAL)
			attribute(out, 7, tables[s->table].name, s->key);
		protobuf_close(out, begin);
	}
}

/* The points of one metric, of all its rows, if there are any. */
static void metric(struct buffer *out, const struct points *p, const struct metric *m)
{
	const struct series *s = otlp_next(p, m, NULL);
	size_t begin, data;

	if (!s)
		return;
	begin = protobuf_open(out, 2);
	protobuf_format(out, 1, "resource_tracker.%s.%s", m->group, m->name);
	protobuf_text(out, 2, m->help);
	protobuf_text(out, 3, otlp_unit(m->unit));
	data = protobuf_open(out, otlp_is_sum(m) ? 7 : 5);
	for (; s; s = otlp_next(p, m, s))
		data_points(out, p, s);
	if (otlp_is_sum(m)) {
		protobuf_u64(out, 2, OTLP_CUMULATIVE);
		protobuf_u64(out, 3, true);
	}
	protobuf_close(out, data);
	protobuf_close(out, begin);
}

static void encode(struct buffer *out, const struct points *p)
{
	struct buffer request = { 0 };
	size_t whole = protobuf_open(&request, 1), metrics, scope;

	resource(&request, &p->labels);
	metrics = protobuf_open(&request, 2);
	scope = protobuf_open(&request, 1);
	protobuf_text(&request, 1, OTLP_SCOPE);
	protobuf_text(&request, 2, RT_VERSION);
	protobuf_close(&request, scope);
	for (enum table t = 0; t < TABLE_COUNT; t++)
		for (size_t k = 0; k < tables[t].n_metrics; k++)
			metric(&request, p, &tables[t].metrics[k]);
	protobuf_close(&request, metrics);
	protobuf_close(&request, whole);
	gzip_write(out, request.at, request.len);
	out->failed = out->failed || request.failed;
	buffer_release(&request);
}

static const char *const headers[] = { "Content-Type: application/x-protobuf", "Content-Encoding: gzip", NULL };

const struct push_form form_otlp = { .word = "otlp", .headers = headers, .encode = encode };
