/* summary_json.c - the summary of a recording as JSON. */
#include "digest.h"

#include <stdio.h>

#include "../core/json_write.h"
#include "../core/layouts.h"
#include "../record/record_lines.h"
#include "run_json.h"

static const struct { const char *name; double share; } percentiles[] = { { "p50", 0.5 }, { "p95", 0.95 }, { "p99", 0.99 } };

/* ---- with the names of the Python tracker's stats() -------------------------------------------- */

struct statistic_column {
	const char *name;                       /* "process_cpu_usage" */
	size_t offset;                          /* of the metric; SIZE_MAX: not measured */
	enum scale scale;
};

static const struct statistic_column statistic_columns[] = {
#define CSV_IN_SYSTEM(column, offset, scale)
#define CSV_IN_PROCESS(column, offset, scale)
#define CSV_IN_COMBINED(column, offset, scale) { #column, offset, scale },
#define CSV(layout, column, metric, scale, decimals) \
	CSV_IN_##layout(column, offsetof(struct totals, metric), SCALE_##scale)
#define OTHER_TIMESTAMP(column)
#define OTHER_PID(column)
#define OTHER_IN_SYSTEM(column, what)
#define OTHER_IN_PROCESS(column, what)
#define OTHER_IN_COMBINED(column, what) OTHER_##what(column)
#define CSV_OTHER(layout, column, what) OTHER_IN_##layout(column, what)
#include "../core/layouts.def"
};

/* Rounding to whole units is for columns; a mean keeps its fraction. */
static double in_unit(double value, enum scale scale)
{
	return scaled(value, scale == SCALE_MIB ? SCALE_MIB_FRACTION : scale, NONE);
}

static const struct metric *metric_at(size_t offset)
{
	const struct table_info *info = &tables[TABLE_TOTAL];

	for (size_t i = 0; i < info->n_metrics; i++)
		if (info->metrics[i].offset == offset)
			return &info->metrics[i];
	return NULL;
}

static void statistics(struct json *j, const struct digest *d)
{
	json_member_open(j, "stats", '{');
	for (size_t i = 0; i < countof(statistic_columns); i++) {
		const struct statistic_column *c = &statistic_columns[i];
		const struct metric *m = metric_at(c->offset);
		struct statistic s = { NONE, NONE, NONE, NONE, NONE, 0 };

		if (m)
			s = aggregate_total(d->whole, m);
		json_member_open(j, c->name, '{');
		if (m && m->kind == KIND_AMOUNT) {
			json_member_number(j, "sum", in_unit(s.sum, c->scale), 6);
		} else {
			json_member_number(j, "mean", in_unit(s.mean, c->scale), 6);
			json_member_number(j, "max", in_unit(s.maximum, c->scale), 6);
			for (size_t p = 0; p < countof(percentiles); p++) {
				double at = m ? distribution_at(&d->of[m - tables[TABLE_TOTAL].metrics],
								percentiles[p].share) : NONE;

				json_member_number(j, percentiles[p].name, m ? in_unit(at, c->scale) : NONE, 6);
			}
		}
		json_close(j, '}');
	}
	json_member_open(j, "timestamp", '{');
	json_member_number(j, "duration", d->seconds, 6);
	json_close(j, '}');
	json_close(j, '}');
}

/* ---- with our own names ------------------------------------------------------------------------ */

static int decimals_of(const struct metric *m)
{
	return m->unit == UNIT_BYTES ? 0 : 6;
}

static void metrics(struct json *j, const struct digest *d)
{
	const struct table_info *info = &tables[TABLE_TOTAL];
	char name[96];

	json_member_open(j, "metrics", '{');
	for (size_t i = 0; i < info->n_metrics; i++) {
		const struct metric *m = &info->metrics[i];
		struct statistic s = aggregate_total(d->whole, m);

		if (is_none(s.mean) && is_none(s.sum))
			continue;
		(void)snprintf(name, sizeof name, "%s.%s", m->group, m->name);
		json_member_open(j, name, '{');
		json_member_text(j, "unit", unit_name(m->unit));
		if (m->kind == KIND_FIXED) {
			json_member_number(j, "value", s.last, decimals_of(m));
		} else {
			bool amount = m->kind == KIND_AMOUNT;

			if (amount)
				json_member_number(j, "sum", s.sum, decimals_of(m));
			json_member_number(j, amount ? "mean_per_second" : "mean", s.mean, 6);
			json_member_number(j, amount ? "max_per_second" : "max", s.maximum, 6);
			for (size_t p = 0; p < countof(percentiles); p++) {
				(void)snprintf(name, sizeof name, "%s%s", percentiles[p].name, amount ? "_per_second" : "");
				json_member_number(j, name, distribution_at(&d->of[i], percentiles[p].share), 6);
			}
		}
		json_close(j, '}');
	}
	json_close(j, '}');
}

static void programs(struct json *j, const struct aggregate *whole)
{
	const struct table_info *info = &tables[TABLE_PROGRAM];

	json_member_open(j, "programs", '[');
	for (size_t row = 0; row < aggregate_rows(whole, TABLE_PROGRAM); row++) {
		json_open(j, '{');
		json_member_text(j, "name", aggregate_key(whole, TABLE_PROGRAM, row));
		for (size_t i = 0; i < info->n_metrics; i++) {
			const struct metric *m = &info->metrics[i];
			struct statistic s = aggregate_row(whole, TABLE_PROGRAM, row, m);
			bool is_memory = m->kind == KIND_LEVEL && strstr(m->name, "ss_bytes");

			json_member_open(j, m->name, '{');
			if (m->kind == KIND_AMOUNT)
				json_member_number(j, "sum", s.sum, decimals_of(m));
			json_member_number(j, m->kind == KIND_AMOUNT ? "max_per_second" : "max",
					   is_memory ? bytes_seen(s.maximum) : s.maximum, 6);
			json_close(j, '}');
		}
		json_close(j, '}');
	}
	json_close(j, ']');
}

/* Regions of a run record; `name` is the whole path, since other trackers' regions have only a name. */
static void region_totals(struct json *j, const struct region_totals *t)
{
	for (size_t i = 0; i < t->n; i++) {
		json_open(j, '{');
		json_member_text(j, "name", t->at[i].path);
		record_region_total(j, &t->at[i]);
		json_close(j, '}');
	}
}

static void regions(struct json *j, const struct recording_facts *f)
{
	json_member_open(j, "regions", '[');
	region_totals(j, &f->region_totals);
	for (size_t i = 0; i < f->n_regions; i++) {
		const struct region *r = &f->regions[i];
		bool left = r->count > 0;

		json_open(j, '{');
		json_member_text(j, "name", r->name);
		json_member_u64(j, "count", r->count);
		json_member_u64(j, "unfinished", r->unfinished);
		json_member_number(j, "seconds", r->seconds, 6);
		json_member_number(j, "mean_seconds", left ? r->seconds / (double)r->count : NONE, 6);
		json_member_number(j, "min_seconds", left ? r->minimum_seconds : NONE, 6);
		json_member_number(j, "max_seconds", left ? r->maximum_seconds : NONE, 6);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void sentences(struct json *j, const char *key, const char *const *list, size_t n)
{
	json_member_open(j, key, '[');
	for (size_t i = 0; i < n; i++)
		json_text(j, list[i]);
	json_close(j, ']');
}

static void cost_member(struct json *j, const struct run_cost *c)
{
	if (!c) {
		json_key(j, "cost");
		json_null(j);
		return;
	}
	json_member_open(j, "cost", '{');
	json_member_number(j, "usd", c->usd, 6);
	json_member_number(j, "usd_per_hour", c->usd_per_hour, 6);
	json_member_text(j, "vendor", c->vendor);
	json_member_text(j, "region", *c->region ? c->region : NULL);
	json_member_text(j, "type", c->type);
	json_member_text(j, "date", *c->date ? c->date : NULL);
	json_member_text(j, "source", *c->source ? c->source : NULL);
	json_close(j, '}');
}

void digest_json(struct buffer *out, const struct digest *d)
{
	const struct recording_facts *f = d->facts;
	struct json j = json_to(out);
	const struct run_facts facts = {
		.id = *f->id ? f->id : NULL, .record = d->path, .host = *f->host.name ? f->host.name : NULL,
		.state = d->state, .status = &f->status, .run = &f->run, .samples = aggregate_samples(d->whole),
		.values = &d->values,
	};

	json_open(&j, '{');
	json_run_facts(&j, &facts);
	json_member_text(&j, "format", f->format);
	json_member_bool(&j, "tracked", f->tracked);
	host_members(&j, &f->host, &d->devices);
	cloud_members(&j, &f->cloud);
	cost_member(&j, d->cost);
	statistics(&j, d);
	metrics(&j, d);
	programs(&j, d->whole);
	if (f->programs)
		record_program_tree(&j, f->programs);
	regions(&j, f);
	sentences(&j, "notices", f->notices, f->n_notices);
	sentences(&j, "problems", f->problems, f->n_problems);
	json_close(&j, '}');
	buffer_char(out, '\n');
}
