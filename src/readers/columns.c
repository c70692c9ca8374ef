/* columns.c - finds the metric and unit for a column or key of another tracker's file. */
#include "columns.h"

#include <string.h>

#include "../core/layouts.h"

/* Scales of layouts.def backwards, then those of foreign.def. */
enum from {
	FROM_ONE, FROM_MIB, FROM_MIB_FRACTION, FROM_GB, FROM_MEGA, FROM_PER_SECOND,
	FROM_KIB, FROM_GIB, FROM_TICKS, FROM_PERCENT,
};

static const double scales[] = {
	[FROM_ONE] = 1, [FROM_MIB] = 1048576, [FROM_MIB_FRACTION] = 1048576, [FROM_GB] = 1e9, [FROM_MEGA] = 1e6,
	[FROM_PER_SECOND] = 1,
	[FROM_KIB] = 1024, [FROM_GIB] = 1073741824, [FROM_TICKS] = 0.01, [FROM_PERCENT] = 0.01,
};

struct alias { const char *name; size_t offset; enum from from; enum column_how how; };
#define ALIAS(name, row, metric, from, how) { name, offsetof(struct row, metric), from, how }

static struct column column_of(const struct alias *a)
{
	return (struct column){ a->offset, scales[a->from], a->from == FROM_PER_SECOND, a->how };
}

static const struct alias ours_machine[] = {
#define CSV_IN_SYSTEM(column, metric, scale) ALIAS(#column, totals, metric, FROM_##scale, HOW_ROW),
#define CSV_IN_COMBINED(column, metric, scale)
#define CSV_IN_PROCESS(column, metric, scale)
#define CSV(layout, column, metric, scale, decimals) CSV_IN_##layout(column, metric, scale)
#include "../core/layouts.def"
#undef CSV_IN_SYSTEM
#undef CSV_IN_PROCESS
	/* The names of the combined layout, without their prefix. */
	ALIAS("memory_free_mib", totals, memory_free_bytes, FROM_MIB, HOW_ROW),
	ALIAS("memory_used_mib", totals, memory_used_bytes, FROM_MIB, HOW_ROW),
	ALIAS("memory_buffers_mib", totals, memory_buffers_bytes, FROM_MIB, HOW_ROW),
	ALIAS("memory_cached_mib", totals, memory_cached_bytes, FROM_MIB, HOW_ROW),
	ALIAS("memory_active_mib", totals, memory_active_bytes, FROM_MIB, HOW_ROW),
	ALIAS("memory_inactive_mib", totals, memory_inactive_bytes, FROM_MIB, HOW_ROW),
	ALIAS("gpu_vram_mib", totals, gpu_total_vram_used_bytes, FROM_MIB, HOW_ROW),
};

static const struct alias ours_tree[] = {
#define CSV_IN_SYSTEM(column, metric, scale)
#define CSV_IN_PROCESS(column, metric, scale) ALIAS(#column, totals, metric, FROM_##scale, HOW_ROW),
#define CSV(layout, column, metric, scale, decimals) CSV_IN_##layout(column, metric, scale)
#include "../core/layouts.def"
#undef CSV_IN_SYSTEM
#undef CSV_IN_PROCESS
#undef CSV_IN_COMBINED
};

static const struct foreign { enum column_family family; enum column_scope scope; struct alias alias; } foreign[] = {
#define COLUMN(family, scope, name, metric, scale, how) \
	{ FAMILY_##family, SCOPE_##scope, ALIAS(#name, totals, metric, FROM_##scale, HOW_##how) },
#include "foreign.def"
};

static const struct { const char *group; struct alias alias; } json_totals[] = {
#define JSON_TOTAL(object, key, metric, scale, decimals) \
	{ #object, ALIAS(#key, totals, metric, FROM_##scale, HOW_ROW) },
#include "../core/layouts.def"
};

static const struct { enum table table; struct alias alias; } json_rows[] = {
#define JSON_ROW(table, key, metric, scale, decimals) \
	{ TABLE_##table, ALIAS(#key, table##_row, metric, FROM_##scale, HOW_ROW) },
#include "../core/layouts.def"
};

/* N in our name matches any number in theirs. */
static bool matches(struct word theirs, const char *ours)
{
	const char *p = theirs.at, *end = p + theirs.len;

	for (; *ours; ours++) {
		if (*ours == 'N') {
			const char *first = p;

			while (p < end && *p >= '0' && *p <= '9')
				p++;
			if (p == first)
				return false;
		} else if (p == end || *p++ != *ours) {
			return false;
		}
	}
	return p == end;
}

static bool find(struct column *ret, const struct alias *aliases, size_t n, struct word name)
{
	for (size_t i = 0; i < n; i++)
		if (word_is(name, aliases[i].name)) {
			*ret = column_of(&aliases[i]);
			return true;
		}
	return false;
}

bool column_find(struct column *ret, enum column_family family, enum column_scope scope, struct word name)
{
	for (size_t i = 0; i < countof(foreign); i++)
		if (foreign[i].family == family && foreign[i].scope == scope && matches(name, foreign[i].alias.name)) {
			*ret = column_of(&foreign[i].alias);
			return true;
		}
	if (family == FAMILY_MONITOR)
		return false;
	return scope == SCOPE_MACHINE ? find(ret, ours_machine, countof(ours_machine), name)
				      : find(ret, ours_tree, countof(ours_tree), name);
}

/* A metric under its own name.  Skips counters since boot, which have no use in a row. */
static bool find_native(struct column *ret, enum table t, const char *group, struct word key)
{
	const struct table_info *info = &tables[t];

	for (size_t i = 0; i < info->n_metrics; i++) {
		const struct metric *m = &info->metrics[i];

		if (m->kind != KIND_COUNTER && word_is(key, m->name) && (!group || strcmp(m->group, group) == 0)) {
			*ret = (struct column){ m->offset, 1, false, HOW_ROW };
			return true;
		}
	}
	return false;
}

bool column_find_total(struct column *ret, const char *group, struct word key)
{
	for (size_t i = 0; i < countof(json_totals); i++)
		if (strcmp(json_totals[i].group, group) == 0 && word_is(key, json_totals[i].alias.name)) {
			*ret = column_of(&json_totals[i].alias);
			return true;
		}
	return find_native(ret, TABLE_TOTAL, group, key);
}

bool column_find_row(struct column *ret, enum table t, struct word key)
{
	for (size_t i = 0; i < countof(json_rows); i++)
		if (json_rows[i].table == t && word_is(key, json_rows[i].alias.name)) {
			*ret = column_of(&json_rows[i].alias);
			return true;
		}
	return find_native(ret, t, NULL, key);
}
