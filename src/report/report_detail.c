/* report_detail.c - the rows of a long run as data of the report's page, in the form of line_code.h. */
#include "chart_line.h"
#include "line_code.h"
#include "report_lines.h"

/* Values below this part of the peak are in steps of equal size. */
static const double FLOOR = 1e-4;
/* The steps of values, from fine to coarse: the first is taken with which the rows fit. */
static const double ratios[] = { 0.002, 0.005, 0.01, 0.02 };
static const double TIMES_PER_SECOND = 1000;

struct detail { struct buffer mean, above; double floor; };

static void times(struct json *j, const struct chart_series *rows)
{
	struct buffer text = { 0 };
	struct line_code code = line_code_to(&text);
	int64_t last = 0;

	for (size_t i = 0; i < chart_series_points(rows); i++) {
		int64_t now = llround(chart_series_end(rows, i) * TIMES_PER_SECOND);

		line_code_add(&code, now - last);
		last = now;
	}
	line_code_end(&code);
	report_text(j, "times", &text);
	buffer_release(&text);
}

/* The maximum of a row is written as its steps above the mean. */
static void encode(struct detail *d, const struct report_run *r, const struct chart_line *l, double ratio)
{
	struct line_scale scale = { FLOOR * chart_series_peak(r->rows, l->lines.detail).value, ratio };
	struct line_code mean = line_code_to(&d->mean), above = line_code_to(&d->above);
	bool spread = l->over_seconds <= 0 && chart_series_spread(r->rows, l->lines.detail);

	buffer_clear(&d->mean);
	buffer_clear(&d->above);
	for (size_t i = 0; i < chart_series_points(r->rows); i++) {
		struct chart_series_value v = chart_line_value(l, r->rows, l->lines.detail, i);

		if (is_none(v.mean)) {
			line_code_unknown(&mean);
			line_code_add(&above, 0);
			continue;
		}
		line_code_add(&mean, line_steps(&scale, v.mean));
		line_code_add(&above, line_steps(&scale, v.most) - line_steps(&scale, v.mean));
	}
	line_code_end(&mean);
	line_code_end(&above);
	if (!spread)
		buffer_clear(&d->above);
	d->floor = scale.floor;
}

static size_t size_of(const struct detail *d)
{
	enum { KEYS = 100 };

	return KEYS + d->mean.len + d->above.len;
}

/* The lines' text at this ratio, in bytes. */
static size_t encode_all(struct detail *all, const struct report_run *r, const struct chart_line *lines, size_t n,
			 double ratio)
{
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++) {
		encode(&all[i], r, &lines[i], ratio);
		bytes += size_of(&all[i]);
	}
	return bytes;
}

static void put_line(struct json *j, const struct chart_line *l, struct detail *d)
{
	json_open(j, '{');
	json_member_text(j, "key", l->key);
	json_member_text(j, "label", l->label);
	json_member_number(j, "floor", d->floor, 9);
	report_text(j, "mean", &d->mean);
	if (d->above.len > 0)
		report_text(j, "above", &d->above);
	json_close(j, '}');
}

/* What does not fit is left out: first of what is least the job's own. */
static void put_lines(struct json *j, const struct chart_line *lines, struct detail *all, size_t n, size_t bytes)
{
	bool fits[CHART_LINES] = { false };

	for (enum owner owner = 0; owner <= OWNER_TRACKER; owner++)
		for (size_t i = 0; i < n; i++) {
			if (lines[i].owner != owner || size_of(&all[i]) > bytes)
				continue;
			fits[i] = true;
			bytes -= size_of(&all[i]);
		}
	json_member_open(j, "lines", '[');
	for (size_t i = 0; i < n; i++)
		if (fits[i])
			put_line(j, &lines[i], &all[i]);
	json_close(j, ']');
}

void report_detail(struct json *j, const struct report_run *r, size_t bytes)
{
	struct chart_line lines[CHART_LINES];
	struct detail all[CHART_LINES] = { 0 };
	size_t n = chart_lines(lines, r), at = 0, rows = chart_series_points(r->rows);

	if (rows <= chart_series_points(r->chart_series) || n == 0 || bytes == 0)
		return;
	while (encode_all(all, r, lines, n, ratios[at]) > bytes - size_min(bytes, rows) && at + 1 < countof(ratios))
		at++;
	json_member_open(j, "detail", '{');
	json_member_u64(j, "points", rows);
	json_member_number(j, "ratio", ratios[at], 4);
	times(j, r->rows);
	put_lines(j, lines, all, n, bytes - size_min(bytes, rows));
	json_close(j, '}');
	for (size_t i = 0; i < n; i++) {
		j->out->failed |= all[i].mean.failed || all[i].above.failed;
		buffer_release(&all[i].mean);
		buffer_release(&all[i].above);
	}
}
