/*
 * recording_json.c - reads our JSON Lines and those of the Rust tracker.
 *
 * The lines of a file mostly have the same keys in the same order.  So the column of a key is remembered by its place
 * in the object, and looked up again only if the key at this place has changed.
 */
#include "recording_parts.h"

#include <stdio.h>
#include <string.h>

enum { PLACES_MAX = 96, KEY_MAX = 40, MEMBERS_MAX = 64 };

struct place { char key[KEY_MAX]; size_t n; bool known; struct column column; };
struct shape { struct place places[PLACES_MAX]; };

/* The JSON key with the name of a row, for tables that have one. */
static const char *const row_keys[TABLE_COUNT] = {
#define JSON_KEY(table, key, form) [TABLE_##table] = #key,
#include "../core/layouts.def"
};

struct json_lines {
	const char *group_names[METRIC_GROUPS_MAX];
	size_t n_groups;
	struct shape groups[METRIC_GROUPS_MAX], rows[TABLE_COUNT];
	double space_total, space_free;         /* over the mounts of this line; NONE: no mounts */
	bool sums_reported;
};

/* The column of this key at this place; NULL: no metric.  group: of totals; NULL: a row of table t. */
static const struct column *column_at(struct shape *shape, size_t i, struct word key, const char *group, enum table t)
{
	struct place *p;

	if (i >= PLACES_MAX || key.len >= KEY_MAX)
		return NULL;
	p = &shape->places[i];
	if (p->n != key.len || memcmp(p->key, key.at, key.len) != 0) {
		p->n = key.len;
		memcpy(p->key, key.at, key.len);
		p->known = group ? column_find_total(&p->column, group, key) : column_find_row(&p->column, t, key);
	}
	return p->known ? &p->column : NULL;
}

static struct word name_of(struct json_value key)
{
	return (struct word){ key.at + 1, key.n - 2 };
}

static void read_cores(struct recording *r, struct json_value list)
{
	struct json_walk w = json_walk(list);
	struct json_value v;
	char name[8] = "";

	for (unsigned i = 0; i < CORE_MAX && json_next(&w, NULL, &v); i++) {
		struct core_row *row;

		(void)snprintf(name, sizeof name, "%u", i % 10000);
		row = sample_add_core(r->sample, name);
		if (row)
			row->utilization_pct = json_as_number(v);
	}
}

static void read_group(struct recording *r, size_t g, struct json_value object)
{
	struct json_lines *lines = r->state;
	struct json_walk w = json_walk(object);
	struct json_value key, v;

	for (size_t i = 0; w.object && json_next(&w, &key, &v); i++) {
		const struct column *c = column_at(&lines->groups[g], i, name_of(key),
						  lines->group_names[g], TABLE_TOTAL);

		if (c && v.kind == JSON_NUMBER)
			recording_set(&r->sample->total, c, json_as_number(v), r->sample->interval_seconds);
		else if (v.kind == JSON_ARRAY && json_is(key, "per_core_pct"))
			read_cores(r, v);
	}
}

static void read_labels(void *row, enum table t, struct word key, struct json_value v)
{
	for (size_t i = 0; i < tables[t].n_labels; i++)
		if (word_is(key, tables[t].labels[i].name))
			(void)json_as_text(v, (char *)row + tables[t].labels[i].offset, tables[t].labels[i].size);
}

static void read_rows(struct recording *r, enum table t, struct json_value list);

static void read_row(struct recording *r, enum table t, struct json_value object)
{
	struct json_lines *lines = r->state;
	struct json_value name, key, v;
	char text[MOUNT_KEY_SIZE];
	void *row;

	if (!json_find(object, row_keys[t], &name) || !json_as_text(name, text, sizeof text))
		return;
	row = sample_add_row(r->sample, t, text);
	struct json_walk w = json_walk(object);

	for (size_t i = 0; row && json_next(&w, &key, &v); i++) {
		const struct column *c = column_at(&lines->rows[t], i, name_of(key), NULL, t);

		if (c && v.kind == JSON_NUMBER)
			recording_set(row, c, json_as_number(v), r->sample->interval_seconds);
		else if (v.kind == JSON_STRING)
			read_labels(row, t, name_of(key), v);
		else if (t == TABLE_DISK && v.kind == JSON_ARRAY && json_is(key, "mounts"))
			read_rows(r, TABLE_MOUNT, v);
	}
	if (row && t == TABLE_MOUNT) {
		const struct mount_row *m = row;

		lines->space_total = add_known(lines->space_total, m->total_bytes);
		lines->space_free = add_known(lines->space_free, m->available_bytes);
	}
}

static void read_rows(struct recording *r, enum table t, struct json_value list)
{
	struct json_walk w = json_walk(list);
	struct json_value object;

	while (list.kind == JSON_ARRAY && json_next(&w, NULL, &object))
		read_row(r, t, object);
}

/* The same sums as in that tracker's CSV. */
static void sum_gpus(const struct sample *s, struct totals *t)
{
	for (size_t i = 0; i < s->n_gpu; i++) {
		double percent = s->gpu[i].utilization_pct;

		t->gpu_total_utilization_gpus = add_known(t->gpu_total_utilization_gpus, percent / 100);
		t->gpu_total_vram_used_bytes = add_known(t->gpu_total_vram_used_bytes, s->gpu[i].vram_used_bytes);
		if (!is_none(percent))
			t->gpu_total_utilized = add_known(t->gpu_total_utilized, percent > 0);
	}
}

/* The JSON of the Rust tracker has no sums; as in its CSV, they are over all devices and mounts. */
static void read_sums(struct recording *r)
{
	struct json_lines *lines = r->state;
	struct sample *s = r->sample;
	struct totals *t = &s->total;
	bool ours = !is_none(t->disk_total_read_bytes) || !is_none(t->network_total_recv_bytes);

	if (is_none(t->gpu_total_utilization_gpus))
		sum_gpus(s, t);
	if (ours)
		return;
	for (size_t i = 0; i < s->n_disk; i++) {
		t->disk_total_read_bytes = add_known(t->disk_total_read_bytes, s->disk[i].read_bytes);
		t->disk_total_write_bytes = add_known(t->disk_total_write_bytes, s->disk[i].write_bytes);
	}
	for (size_t i = 0; i < s->n_network; i++) {
		t->network_total_recv_bytes = add_known(t->network_total_recv_bytes, s->network[i].recv_bytes);
		t->network_total_sent_bytes = add_known(t->network_total_sent_bytes, s->network[i].sent_bytes);
	}
	t->disk_total_space_total_bytes = lines->space_total;
	t->disk_total_space_free_bytes = lines->space_free;
	t->disk_total_space_used_bytes = lines->space_total - lines->space_free;
	if (!lines->sums_reported && s->n_disk + s->n_network > 0) {
		lines->sums_reported = true;
		recording_notice(r, "sums over all disks, mounts and interfaces: this tracker counts stacked ones several times");
	}
}

/* The members of a line, from a single pass over it. */
struct members {
	struct { struct json_value key, value; } at[MEMBERS_MAX];
	size_t n;
	double seconds, interval_seconds;       /* since 1970, and since the line before; NONE: missing */
};

static bool read_members(struct members *ret, struct word line)
{
	struct json_value all, key, v;
	double whole_seconds = NONE;

	if (json_parse(&all, line.at, line.len) < 0 || all.kind != JSON_OBJECT)
		return false;
	ret->n = 0;
	ret->seconds = ret->interval_seconds = NONE;
	for (struct json_walk w = json_walk(all); ret->n < MEMBERS_MAX && json_next(&w, &key, &v);) {
		if (v.kind == JSON_NUMBER && json_is(key, "timestamp"))
			ret->seconds = json_as_number(v);
		else if (v.kind == JSON_NUMBER && json_is(key, "timestamp_secs"))
			whole_seconds = json_as_number(v);
		else if (v.kind == JSON_NUMBER && json_is(key, "actual_interval_ms"))
			ret->interval_seconds = json_as_number(v) / 1000;
		ret->at[ret->n].key = key;
		ret->at[ret->n++].value = v;
	}
	if (is_none(ret->seconds))
		ret->seconds = whole_seconds;
	return is_instant(ret->seconds);
}

static void read_member(struct recording *r, struct json_value key, struct json_value v)
{
	struct json_lines *lines = r->state;

	if (v.kind == JSON_OBJECT)
		for (size_t g = 0; g < lines->n_groups; g++)
			if (json_is(key, lines->group_names[g])) {
				read_group(r, g, v);
				return;
			}
	if (v.kind == JSON_ARRAY)
		for (enum table t = 0; t < TABLE_COUNT; t++)
			if (row_keys[t] && json_is(key, tables[t].json[0] ? tables[t].json : tables[t].name)) {
				read_rows(r, t, v);
				return;
			}
	if (json_is(key, "tracked_pid") && v.kind == JSON_NUMBER && r->pid == 0) {
		double pid = json_as_number(v);

		r->pid = pid > 0 && pid < INT32_MAX ? (pid_t)pid : 0;
		r->facts.tracked = r->pid > 0;
	}
}

static enum line_is read_json_row(struct recording *r, struct word line)
{
	struct json_lines *lines = r->state;
	struct members members;

	if (!read_members(&members, line) ||
	    !recording_begin_row(r, members.seconds, members.interval_seconds))
		return LINE_BAD;
	lines->space_total = lines->space_free = NONE;
	for (size_t i = 0; i < members.n; i++)
		read_member(r, members.at[i].key, members.at[i].value);
	read_sums(r);
	return LINE_ROW;
}

int recording_try_json(struct recording *r, struct why *why)
{
	struct members members;
	struct word line;
	size_t i = 0;

	/* Warnings can precede the samples: the Rust tracker writes both to stderr. */
	while (i < LINES_AHEAD - 1 && recording_peek(r, i, &line) && !read_members(&members, line))
		i++;
	if (!recording_peek(r, i, &line) || !read_members(&members, line))
		return 0;
	/* The first line of the Rust tracker has no interval; it is assumed to have that of the second. */
	if (recording_peek(r, i + 1, &line) && read_members(&members, line) && is_interval(members.interval_seconds))
		r->interval_seconds = members.interval_seconds;

	struct json_lines *lines = calloc(1, sizeof *lines);

	if (!lines)
		return why_set(why, -ENOMEM, "out of memory");
	lines->n_groups = metric_groups(lines->group_names);
	r->state = lines;
	r->close_state = free;
	r->read_line = read_json_row;
	r->facts.format = "JSON Lines";
	return 1;
}
