/* verify_json.c - prints the verification as JSON. */
#include "../core/json_write.h"
#include "verify.h"

static void number(struct json *j, const char *key, double value)
{
	json_member_number(j, key, value, 6);
}

static void amount(struct json *j, const char *key, const struct quantity_info *q, double value)
{
	json_member_number(j, key, value, q->unit == UNIT_SECONDS ? 6 : 0);
}

static void text(struct json *j, const char *key, const char *value)
{
	json_member_text(j, key, value && *value ? value : NULL);
}

/* Only held quantities have counts of samples. */
static void samples(struct json *j, const char *key, size_t n, const struct figure *f)
{
	json_member_number(j, key, f->quantity == QUANTITY_PSS ? (double)n : NONE, 0);
}

static void figure(struct json *j, const struct figure *f)
{
	static const char *const verdicts[VERDICT_COUNT] = { "ok", "broken", "not_measured", "not_tested" };
	const struct quantity_info *q = &verify_quantities[f->quantity];
	double error = figure_error(f);

	json_open(j, '{');
	text(j, "load", f->load);
	text(j, "quantity", q->key);
	text(j, "program", f->program);
	text(j, "unit", unit_name(q->unit));
	amount(j, "truth", q, f->truth);
	amount(j, "truth_lower", q, f->true_span.low);
	amount(j, "truth_upper", q, f->true_span.high);
	amount(j, "reported", q, f->reported);
	amount(j, "reported_lower", q, f->printed.low);
	amount(j, "reported_upper", q, f->printed.high);
	amount(j, "error", q, error);
	number(j, "error_pct", f->truth > 0 ? 100 * error / f->truth : NONE);
	text(j, "answer", is_none(f->reported) ? NULL : figure_is_interval(f) ? "interval" : "value");
	samples(j, "samples", f->samples, f);
	samples(j, "samples_without_value", f->without_value, f);
	text(j, "source", f->source);
	text(j, "bound", q->bound);
	text(j, "verdict", verdicts[f->verdict]);
	text(j, "reason", f->why.text);
	json_close(j, '}');
}

void verify_json(struct buffer *out, const struct verification *v)
{
	struct json j = json_to(out);
	size_t broken = 0;

	json_open(&j, '{');
	text(&j, "resource-tracker-version", RT_VERSION);
	number(&j, "interval_seconds", v->interval_seconds);
	json_member_bool(&j, "root", v->root);
	json_member_open(&j, "figures", '[');
	for (size_t i = 0; i < v->n; i++) {
		figure(&j, &v->figures[i]);
		broken += v->figures[i].verdict == VERDICT_BROKEN;
	}
	json_close(&j, ']');
	json_member_open(&j, "notices", '[');
	for (size_t i = 0; i < v->notices.n; i++)
		json_text(&j, v->notices.at[i].text);
	json_close(&j, ']');
	json_key(&j, "cost");
	if (v->cost) {
		const struct cost *c = v->cost;

		json_open(&j, '{');
		number(&j, "recorded_seconds", c->own.seconds);
		number(&j, "cpu_seconds", c->own.cpu_seconds);
		amount(&j, "rss_bytes", &verify_quantities[QUANTITY_PEAK], c->own.rss_bytes);
		number(&j, "longest_sample_seconds", c->own.sample_seconds);
		number(&j, "start_delay_seconds", c->start_seconds);
		number(&j, "end_delay_seconds", c->end_seconds);
		number(&j, "longest_mmap_seconds", c->longest_seconds);
		number(&j, "longest_mmap_without_seconds", c->longest_bare_seconds);
		number(&j, "mmap_speed", c->speed);
		json_close(&j, '}');
	} else {
		json_null(&j);
	}
	number(&j, "seconds", v->seconds);
	json_member_u64(&j, "broken", broken);
	json_close(&j, '}');
	buffer_char(out, '\n');
}
