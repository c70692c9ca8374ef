/*
 * form_otlp_json.c - OpenTelemetry's protocol as JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 *
 * The messages of form_otlp.c with names in lowerCamelCase; integers of 64 bits are texts, enums are numbers.
 */
#include <stdio.h>

#include "../core/json_write.h"
#include "../export/export.h"
#include "form.h"
#include "gzip.h"
#include "otlp_names.h"

static void attribute(struct json *j, const char *key, const char *value)
{
	json_open(j, '{');
	json_member_word(j, "key", key);
	json_member_open(j, "value", '{');
	json_member_text(j, "stringValue", value);
	json_close(j, '}');
	json_close(j, '}');
}

static void resource(struct json *j, const struct run_labels *l)
{
	struct label_pair attributes[OTLP_RESOURCE_MAX];
	size_t n = otlp_resource(attributes, l);

	json_member_open(j, "resource", '{');
	json_member_open(j, "attributes", '[');
	for (size_t i = 0; i < n; i++)
		attribute(j, attributes[i].name, attributes[i].value);
	json_close(j, ']');
	json_close(j, '}');
}

static void nanoseconds(struct json *j, const char *key, int64_t ns)
{
	char text[24];

	(void)snprintf(text, sizeof text, "%lld", (long long)ns);
	json_member_word(j, key, text);
}

static void data_points(struct json *j, const struct points *p, const struct series *s)
{
	for (const struct point *at = points_first(p, s); at; at = points_next(p, at)) {
		json_open(j, '{');
		if (otlp_is_sum(s->metric))
			nanoseconds(j, "startTimeUnixNano", p->start_wall_ns);
		nanoseconds(j, "timeUnixNano", p->moments[at->moment] * 1000000);
		json_key(j, "asDouble");
		json_number(j, at->value, export_decimals(s->metric, at->value));
		if (s->table != TABLE_TOTAL) {
			json_member_open(j, "attributes", '[');
			attribute(j, tables[s->table].name, s->key);
			json_close(j, ']');
		}
		json_close(j, '}');
	}
}

/* The points of one metric, of all its rows, if there are any. */
static void metric(struct json *j, const struct points *p, const struct metric *m)
{
	const struct series *s = otlp_next(p, m, NULL);
	char name[128];

	if (!s)
		return;
	(void)snprintf(name, sizeof name, "resource_tracker.%s.%s", m->group, m->name);
	json_open(j, '{');
	json_member_word(j, "name", name);
	json_member_text(j, "description", m->help);
	json_member_word(j, "unit", otlp_unit(m->unit));
	json_member_open(j, otlp_is_sum(m) ? "sum" : "gauge", '{');
	if (otlp_is_sum(m)) {
		json_member_i64(j, "aggregationTemporality", OTLP_CUMULATIVE);
		json_member_bool(j, "isMonotonic", true);
	}
	json_member_open(j, "dataPoints", '[');
	for (; s; s = otlp_next(p, m, s))
		data_points(j, p, s);
	json_close(j, ']');
	json_close(j, '}');
	json_close(j, '}');
}

static void encode(struct buffer *out, const struct points *p)
{
	struct buffer request = { 0 };
	struct json j = json_to(&request);

	json_open(&j, '{');
	json_member_open(&j, "resourceMetrics", '[');
	json_open(&j, '{');
	resource(&j, &p->labels);
	json_member_open(&j, "scopeMetrics", '[');
	json_open(&j, '{');
	json_member_open(&j, "scope", '{');
	json_member_word(&j, "name", OTLP_SCOPE);
	json_member_word(&j, "version", RT_VERSION);
	json_close(&j, '}');
	json_member_open(&j, "metrics", '[');
	for (enum table t = 0; t < TABLE_COUNT; t++)
		for (size_t k = 0; k < tables[t].n_metrics; k++)
			metric(&j, p, &tables[t].metrics[k]);
	json_close(&j, ']');
	json_close(&j, '}');
	json_close(&j, ']');
	json_close(&j, '}');
	json_close(&j, ']');
	json_close(&j, '}');
	gzip_write(out, request.at, request.len);
	out->failed = out->failed || request.failed;
	buffer_release(&request);
}

static const char *const headers[] = { "Content-Type: application/json", "Content-Encoding: gzip", NULL };

const struct push_form form_otlp_json = { .word = "otlp-json", .headers = headers, .encode = encode };
