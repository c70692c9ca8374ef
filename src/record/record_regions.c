/* record_regions.c - regions in a run record: a line for an entry, a mark or a value; totals at the end. */
#include "record_lines.h"

static void seconds_key(struct json *j, const char *key, double seconds)
{
	json_member_number(j, key, seconds, 9);
}

/* A number from the program, which can be very large or small. */
static void value_key(struct json *j, double value)
{
	json_key(j, "value");
	if (isfinite(value) && fabs(value) >= 1e-9 && fabs(value) < 1e9)
		json_number(j, value, 9);
	else if (value == 0 || !isfinite(value))
		json_number(j, value, 0);
	else {
		buffer_format(j->out, "%.15e", value);
		j->comma = true;
	}
}

void record_region_line(struct buffer *out, const struct run *run, const struct region_event *e)
{
	static const char *const kinds[] = {
		[REGION_ENTRY] = "region", [REGION_MARK] = "mark", [REGION_VALUE] = "value",
	};
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_open(&j, kinds[e->kind], '{');
	/* As precise as the durations, so that no inner entry seems to end after the outer one. */
	seconds_key(&j, "t", (double)(e->monotonic_ns - run->start_monotonic_ns) / 1e9);
	json_member_text(&j, "path", e->path);
	switch (e->kind) {
	case REGION_ENTRY:
		seconds_key(&j, "seconds", e->seconds);
		seconds_key(&j, "cpu_seconds", e->cpu_seconds);
		break;
	case REGION_MARK:
		json_member_text(&j, "text", e->text);
		break;
	case REGION_VALUE:
		json_member_text(&j, "name", e->text);
		value_key(&j, e->value);
		break;
	}
	if (e->tid > 0)
		json_member_u64(&j, "tid", e->tid);
	if (e->unfinished)
		json_member_bool(&j, "unfinished", true);
	json_close(&j, '}');
	json_close(&j, '}');
	buffer_char(out, '\n');
}

static int decimals_of(size_t use)
{
	return use == REGION_TREE_CPU || use == REGION_GPU ? 6 : 0;
}

static bool has_bounds(const struct region_use *u)
{
	return !region_use_is_exact(u) && !(is_none(u->lower) && is_none(u->upper));
}

/* "overlap" has the bounds of values that are not exact. */
static void region_uses(struct json *j, const struct region_total *r)
{
	for (size_t k = 0; k < REGION_USES; k++)
		json_member_number(j, region_use_names[k], r->use[k].value, decimals_of(k));
	json_member_number(j, "peak_rss_bytes", r->peak_rss_bytes, 0);
	json_member_number(j, "rss_rise_bytes", r->rss_rise_bytes, 0);
	json_member_open(j, "overlap", '{');
	for (size_t k = 0; k < REGION_USES; k++) {
		if (!has_bounds(&r->use[k]))
			continue;
		json_member_open(j, region_use_names[k], '[');
		json_number(j, r->use[k].lower, decimals_of(k));
		json_number(j, r->use[k].upper, decimals_of(k));
		json_close(j, ']');
	}
	json_close(j, '}');
}

void record_region_total(struct json *j, const struct region_total *r)
{
	json_member_u64(j, "count", r->count);
	json_member_u64(j, "recursed", r->recursed);
	json_member_u64(j, "unfinished", r->unfinished);
	seconds_key(j, "seconds", r->seconds);
	seconds_key(j, "cpu_seconds", r->cpu_seconds);
	seconds_key(j, "mean_seconds", r->seconds / (double)r->count);
	seconds_key(j, "min_seconds", r->shortest_seconds);
	seconds_key(j, "max_seconds", r->longest_seconds);
	seconds_key(j, "p50_seconds", r->p50_seconds);
	seconds_key(j, "p95_seconds", r->p95_seconds);
	seconds_key(j, "p99_seconds", r->p99_seconds);
	seconds_key(j, "elapsed_seconds", r->elapsed_seconds);
	region_uses(j, r);
}

void record_region_totals(struct json *j, const struct region_totals *totals)
{
	if (totals->n == 0 && totals->lost == 0)
		return;
	json_member_open(j, "regions", '[');
	for (size_t i = 0; i < totals->n; i++) {
		if (!region_among_longest(totals, i, END_REGIONS_MAX))
			continue;
		json_open(j, '{');
		json_member_text(j, "path", totals->at[i].path);
		record_region_total(j, &totals->at[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_member_u64(j, "regions_left_out", totals->n > END_REGIONS_MAX ? totals->n - END_REGIONS_MAX : 0);
	json_member_u64(j, "regions_lost", totals->lost);
	json_member_u64(j, "regions_untold", totals->unreported);
}
