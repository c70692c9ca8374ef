/* sample_plan.c - spells and sorts the keys of the JSON line. */
#include "sample_plan.h"

#include <string.h>

#include "sample_write.h"

/* The small fields of a member are large enough. */
_Static_assert(sizeof(struct totals) <= UINT16_MAX && sizeof(struct gpu_row) <= UINT16_MAX &&
	       METRIC_GROUPS_MAX <= UINT8_MAX && sizeof(struct member) == 8, "members are small");

struct renamed {                                /* a metric under a peer's key */
	enum table table;
	const char *object;                     /* name of the group, or of the table */
	const char *key;
	size_t offset;
	enum scale scale;
	int decimals;
};

static const struct renamed renamed[] = {
#define JSON_TOTAL(object, key, metric, scale, decimals) \
	{ TABLE_TOTAL, #object, #key, offsetof(struct totals, metric), SCALE_##scale, decimals },
#define JSON_ROW(table, key, metric, scale, decimals) \
	{ TABLE_##table, #table, #key, offsetof(struct table##_row, metric), SCALE_##scale, decimals },
#include "layouts.def"
};

static const struct { const char *object, *key; enum special special; } others[] = {
#define JSON_OTHER(object, key, what) { object, key, SPECIAL_##what },
#include "layouts.def"
};

#define MEMBER_KEY_TEXT MEMBER_TEXT
static const struct { const char *object, *key; enum member_source source; } row_keys[] = {
#define JSON_KEY(table, key, form) { #table, #key, MEMBER_KEY_##form },
#include "layouts.def"
};

static const char *const left_out_names[TABLE_COUNT] = {
#define TABLE(name, NAME, json, help) [TABLE_##NAME] = #name "s_left_out",
#include "tables.def"
};

static const size_t details[] = {
#define JSON_DETAIL(key) offsetof(struct gpu_row, key),
#include "layouts.def"
};

static bool is_detail(enum table table, size_t offset)
{
	bool is = false;

	for (size_t i = 0; i < countof(details); i++)
		is = is || (table == TABLE_GPU && details[i] == offset);
	return is;
}

struct named { const char *name; struct member member; };
struct draft { struct named *at; size_t n; };   /* a plan with unsorted keys */
struct drafts { struct draft line, group[METRIC_GROUPS_MAX], row[TABLE_COUNT]; };

static void add(struct draft *d, const char *name, struct member member)
{
	d->at[d->n++] = (struct named){ name, member };
}

static bool is_renamed(enum table table, const char *object, size_t offset)
{
	for (size_t i = 0; i < countof(renamed); i++)
		if (renamed[i].table == table && renamed[i].offset == offset &&
		    strcmp(renamed[i].object, object) == 0)
			return true;
	return false;
}

static struct member number(size_t offset, enum scale scale, int decimals)
{
	return (struct member){ .offset = (uint16_t)offset, .scale = scale, .decimals = (int8_t)decimals };
}

static struct member special(enum special what, size_t index)
{
	return (struct member){ .source = MEMBER_SPECIAL, .special = what, .index = (uint8_t)index };
}

static void collect(struct draft *d, enum table table, const char *object)
{
	const struct table_info *info = &tables[table];

	for (size_t i = 0; i < countof(renamed); i++)
		if (renamed[i].table == table && strcmp(renamed[i].object, object) == 0)
			add(d, renamed[i].key, number(renamed[i].offset, renamed[i].scale, renamed[i].decimals));
	for (size_t i = 0; i < info->n_metrics; i++) {
		const struct metric *m = &info->metrics[i];

		if (strcmp(m->group, object) == 0 && !is_renamed(table, object, m->offset))
			add(d, m->name, number(m->offset, SCALE_ONE, m->decimals));
	}
	for (size_t i = 0; i < info->n_labels; i++)
		if (strcmp(info->labels[i].group, object) == 0 && !is_detail(table, info->labels[i].offset))
			add(d, info->labels[i].name, (struct member){
				.source = MEMBER_TEXT, .offset = (uint16_t)info->labels[i].offset });
	for (size_t i = 0; i < countof(others); i++)
		if (strcmp(others[i].object, object) == 0)
			add(d, others[i].key, special(others[i].special, 0));
	for (size_t i = 0; i < countof(row_keys); i++)
		if (strcmp(row_keys[i].object, object) == 0)
			add(d, row_keys[i].key, (struct member){ .source = row_keys[i].source });
}

/* Drafts all plans from `at` on.  Returns their end. */
static struct named *draft_line(struct drafts *d, struct named *at)
{
	const char *groups[METRIC_GROUPS_MAX];
	size_t n_groups = metric_groups(groups);

	d->line.at = at;
	for (size_t i = 0; i < countof(others); i++)
		if (others[i].object[0] == '\0')
			add(&d->line, others[i].key, special(others[i].special, 0));
	for (enum table t = TABLE_TOTAL + 1; t < TABLE_COUNT; t++) {
		if (tables[t].json[0])
			add(&d->line, tables[t].json, special(SPECIAL_ROWS, t));
		add(&d->line, left_out_names[t], special(SPECIAL_LEFT_OUT, t));
	}
	for (size_t i = 0; i < n_groups; i++)
		add(&d->line, groups[i], special(strcmp(groups[i], "process") == 0 ? SPECIAL_PROCESS : SPECIAL_GROUP, i));
	at += d->line.n;
	for (size_t i = 0; i < n_groups; i++) {
		d->group[i].at = at;
		collect(&d->group[i], TABLE_TOTAL, groups[i]);
		at += d->group[i].n;
	}
	for (enum table t = TABLE_TOTAL + 1; t < TABLE_COUNT; t++) {
		d->row[t].at = at;
		collect(&d->row[t], t, tables[t].name);
		at += d->row[t].n;
	}
	return at;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

struct place { struct member *member; char *key; };     /* where the next ones go */

static struct plan fix(const struct draft *d, struct place *next)
{
	struct plan p = { .members = next->member, .keys = next->key, .n = d->n };

	if (d->n > 0)
		qsort(d->at, d->n, sizeof *d->at, by_name);
	for (size_t i = 0; i < d->n; i++) {
		size_t n = strlen(d->at[i].name);

		*next->member = d->at[i].member;
		next->member++->key_length = (uint8_t)(n + 4);
		memcpy(next->key, ",\"", 2);
		memcpy(next->key + 2, d->at[i].name, n);
		memcpy(next->key + 2 + n, "\":", 2);
		next->key += n + 4;
	}
	return p;
}

static int fix_all(struct sample_writer *w, const struct drafts *d, size_t n)
{
	size_t bytes = n * sizeof *w->members + KEY_CHUNK;

	for (size_t i = 0; i < n; i++)
		bytes += strlen(d->line.at[i].name) + 4;
	w->members = calloc(1, bytes);
	if (!w->members)
		return -ENOMEM;

	struct place next = { w->members, (char *)(w->members + n) };

	w->line = fix(&d->line, &next);
	for (size_t i = 0; i < METRIC_GROUPS_MAX; i++)
		w->group[i] = fix(&d->group[i], &next);
	for (enum table t = 0; t < TABLE_COUNT; t++)
		w->row[t] = fix(&d->row[t], &next);
	return 0;
}

int sample_writer_open(struct sample_writer **ret)
{
	size_t most = countof(renamed) + countof(others) + countof(row_keys) + METRIC_GROUPS_MAX + 2 * TABLE_COUNT;
	struct drafts drafts = { 0 };

	for (enum table t = 0; t < TABLE_COUNT; t++)
		most += tables[t].n_metrics + tables[t].n_labels;

	struct sample_writer *w = calloc(1, sizeof *w);
	auto_free struct named *named = calloc(most, sizeof *named);

	if (!w || !named || fix_all(w, &drafts, (size_t)(draft_line(&drafts, named) - named)) < 0) {
		sample_writer_close(w);
		return -ENOMEM;
	}
	*ret = w;
	return 0;
}

void sample_writer_close(struct sample_writer *w)
{
	if (!w)
		return;
	free(w->members);
	free(w);
}
