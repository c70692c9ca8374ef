/* record_reader_regions.c - reads regions of a record: their events, and the totals in its end line. */
#include "record_reader_parts.h"

enum { REGIONS_MAX = 4096 };

static double number(struct json_value row, const char *name)
{
	struct json_value v;

	return json_find(row, name, &v) ? json_as_number(v) : NONE;
}

bool record_read_region_event(struct record_reader *r, struct json_value line)
{
	static const struct { const char *key, *text; enum region_event_kind kind; } kinds[] = {
		{ "region", NULL, REGION_ENTRY }, { "mark", "text", REGION_MARK }, { "value", "name", REGION_VALUE },
	};
	struct json_value v, part;

	for (size_t i = 0; i < countof(kinds); i++) {
		struct region_event *e = &r->region;

		if (!json_find(line, kinds[i].key, &v) || v.kind != JSON_OBJECT)
			continue;
		*e = (struct region_event){
			.kind = kinds[i].kind, .monotonic_ns = span_ns(number(v, "t")),
			.value = number(v, "value"), .seconds = known_span(number(v, "seconds")),
			.cpu_seconds = number(v, "cpu_seconds"),
			.tid = (uint32_t)(record_count(number(v, "tid")) & UINT32_MAX),
			.unfinished = json_find(v, "unfinished", &part) && json_as_bool(part),
		};
		if (json_find(v, "path", &part))
			(void)json_as_text(part, e->path, sizeof e->path);
		if (kinds[i].text && json_find(v, kinds[i].text, &part))
			(void)json_as_text(part, e->text, sizeof e->text);
		return is_span(number(v, "t"));
	}
	return false;
}

/* Reads two numbers; other JSON values become NONE. */
static void read_bounds(struct region_use *u, struct json_value pair)
{
	double *const to[] = { &u->lower, &u->upper };
	struct json_value v;
	size_t i = 0;

	if (pair.kind != JSON_ARRAY)
		return;
	for (struct json_walk w = json_walk(pair); i < countof(to) && json_next(&w, NULL, &v);)
		*to[i++] = json_as_number(v);
}

static void read_uses(struct region_total *t, struct json_value row)
{
	struct json_value overlap, pair;
	bool some = json_find(row, "overlap", &overlap) && overlap.kind == JSON_OBJECT;

	t->elapsed_seconds = number(row, "elapsed_seconds");
	t->peak_rss_bytes = number(row, "peak_rss_bytes");
	t->rss_rise_bytes = number(row, "rss_rise_bytes");
	for (size_t k = 0; k < REGION_USES; k++) {
		double value = number(row, region_use_names[k]);

		t->use[k] = (struct region_use){ value, value, value };
		if (some && json_find(overlap, region_use_names[k], &pair))
			read_bounds(&t->use[k], pair);
	}
	region_total_settle(t);
}

static void read_total(struct region_total *t, struct json_value row)
{
	struct json_value path;

	*t = (struct region_total){
		.count = record_count(number(row, "count")), .recursed = record_count(number(row, "recursed")),
		.unfinished = record_count(number(row, "unfinished")), .seconds = number(row, "seconds"),
		.shortest_seconds = number(row, "min_seconds"), .longest_seconds = number(row, "max_seconds"),
		.p50_seconds = number(row, "p50_seconds"), .p95_seconds = number(row, "p95_seconds"),
		.p99_seconds = number(row, "p99_seconds"), .cpu_seconds = number(row, "cpu_seconds"),
	};
	read_uses(t, row);
	if (json_find(row, "path", &path))
		(void)json_as_text(path, t->path, sizeof t->path);
}

void record_read_regions(struct record_reader *r, struct json_value end)
{
	struct region_totals *to = &r->facts.regions;
	struct json_value all, row;

	to->lost = record_count(number(end, "regions_lost"));
	to->unreported = record_count(number(end, "regions_untold"));
	if (!json_find(end, "regions", &all) || all.kind != JSON_ARRAY || to->at)
		return;

	size_t n = size_min(json_count(all), REGIONS_MAX);

	to->at = calloc(size_max(n, 1), sizeof *to->at);
	if (!to->at) {
		record_problem(r, "out of memory");
		return;
	}
	for (struct json_walk w = json_walk(all); to->n < n && json_next(&w, NULL, &row);)
		read_total(&to->at[to->n++], row);
}
