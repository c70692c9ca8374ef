/* sample_plan.c - spells and sorts the keys of the JSON line. */
#include "sample_plan.h"

#include <string.h>

#include "sample_write.h"

struct renamed {                                /* a metric under a peer's key */
	enum table table;
	const char *object;                     /* name of the group, or of the table */
	const char *key;
	size_t offset;
	enum scale scale;
	int decimals;
};

#define TABLE_disk TABLE_DISK
#define TABLE_mount TABLE_MOUNT
#define TABLE_network TABLE_NETWORK
#define TABLE_gpu TABLE_GPU
#define TABLE_program TABLE_PROGRAM
#define TABLE_root TABLE_ROOT

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

static void add(struct plan *p, struct member f)
{
	p->members[p->n++] = f;
}

static bool is_renamed(enum table table, const char *object, size_t offset)
{
	for (size_t i = 0; i < countof(renamed); i++)
		if (renamed[i].table == table && renamed[i].offset == offset &&
		    strcmp(renamed[i].object, object) == 0)
			return true;
	return false;
}

/* The members of one object, not in order yet. */
static void collect(struct plan *p, enum table table, const char *object)
{
	const struct table_info *info = &tables[table];

	for (size_t i = 0; i < countof(renamed); i++)
		if (renamed[i].table == table && strcmp(renamed[i].object, object) == 0)
			add(p, (struct member){ .key = renamed[i].key, .offset = renamed[i].offset,
					       .scale = renamed[i].scale, .decimals = renamed[i].decimals });
	for (size_t i = 0; i < info->n_metrics; i++) {
		const struct metric *m = &info->metrics[i];

		if (strcmp(m->group, object) == 0 && !is_renamed(table, object, m->offset))
			add(p, (struct member){ .key = m->name, .offset = m->offset, .decimals = m->decimals });
	}
	for (size_t i = 0; i < info->n_labels; i++)
		if (strcmp(info->labels[i].group, object) == 0 && !is_detail(table, info->labels[i].offset))
			add(p, (struct member){ .key = info->labels[i].name, .source = MEMBER_TEXT,
					       .offset = info->labels[i].offset });
	for (size_t i = 0; i < countof(others); i++)
		if (strcmp(others[i].object, object) == 0)
			add(p, (struct member){ .key = others[i].key, .source = MEMBER_SPECIAL,
					       .special = others[i].special });
	for (size_t i = 0; i < countof(row_keys); i++)
		if (strcmp(row_keys[i].object, object) == 0)
			add(p, (struct member){ .key = row_keys[i].key, .source = row_keys[i].source });
}

static void collect_line(struct sample_writer *w)
{
	const struct table_info *total = &tables[TABLE_TOTAL];
	struct member *next;
	size_t n_groups = 0;

	w->line.members = w->members;
	for (size_t i = 0; i < countof(others); i++)
		if (others[i].object[0] == '\0')
			add(&w->line, (struct member){ .key = others[i].key, .source = MEMBER_SPECIAL,
						      .special = others[i].special });
	/* Metrics of a group stand together in metrics.def. */
	for (size_t i = 0; i < total->n_metrics && n_groups < GROUPS_MAX; i++) {
		const char *group = total->metrics[i].group;

		if (i > 0 && strcmp(group, total->metrics[i - 1].group) == 0)
			continue;
		add(&w->line, (struct member){
			.key = group, .source = MEMBER_SPECIAL, .index = n_groups++,
			.special = strcmp(group, "process") == 0 ? SPECIAL_PROCESS : SPECIAL_GROUP });
	}
	next = w->line.members + w->line.n;
	for (size_t i = 0; i < w->line.n; i++) {
		const struct member *f = &w->line.members[i];

		if (f->special != SPECIAL_GROUP && f->special != SPECIAL_PROCESS)
			continue;
		w->group[f->index].members = next;
		collect(&w->group[f->index], TABLE_TOTAL, f->key);
		next += w->group[f->index].n;
	}
	for (enum table t = TABLE_CORE; t < TABLE_COUNT; t++) {
		w->row[t].members = next;
		collect(&w->row[t], t, tables[t].name);
		next += w->row[t].n;
	}
}

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct member *)a)->key, ((const struct member *)b)->key);
}

/* Sorts a plan and spells its keys at `at`; returns the end of what it wrote. */
static char *spell(struct plan *p, char *at)
{
	if (p->n > 0)
		qsort(p->members, p->n, sizeof *p->members, by_key);
	p->room = 2;
	for (size_t i = 0; i < p->n; i++) {
		struct member *f = &p->members[i];
		size_t n = strlen(f->key);

		f->key_length = n + 4;
		at[0] = ',';
		at[1] = '"';
		memcpy(at + 2, f->key, n);
		memcpy(at + 2 + n, "\":", 2);
		f->key = at;
		at += f->key_length;
		p->room += f->key_length + NUMBER_ROOM;
	}
	return at;
}

int sample_writer_open(struct sample_writer **ret)
{
	size_t most = countof(renamed) + countof(others) + countof(row_keys) + GROUPS_MAX, bytes = 0;

	for (enum table t = 0; t < TABLE_COUNT; t++)
		most += tables[t].n_metrics + tables[t].n_labels;

	struct sample_writer *w = calloc(1, sizeof *w);

	if (w)
		w->members = calloc(most, sizeof *w->members);
	if (!w || !w->members) {
		sample_writer_close(w);
		return -ENOMEM;
	}
	collect_line(w);
	for (size_t i = 0; i < most && w->members[i].key; i++)
		bytes += strlen(w->members[i].key) + 4;
	w->keys = malloc(bytes);
	if (!w->keys) {
		sample_writer_close(w);
		return -ENOMEM;
	}

	char *at = spell(&w->line, w->keys);

	for (size_t i = 0; i < GROUPS_MAX; i++)
		at = spell(&w->group[i], at);
	for (enum table t = 0; t < TABLE_COUNT; t++)
		at = spell(&w->row[t], at);
	*ret = w;
	return 0;
}

void sample_writer_close(struct sample_writer *w)
{
	if (!w)
		return;
	free(w->members);
	free(w->keys);
	free(w);
}
