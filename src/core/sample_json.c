/* sample_json.c - a sample as one line of JSON: a walk over the plan. */
#include <string.h>

#include "json_write.h"
#include "sample_plan.h"
#include "sample_write.h"
#include "scan.h"

struct line {
	const struct sample_writer *w;
	struct buffer *out;
	const struct sample *s;
	const struct run *run;
};

static void write_special(const struct line *l, const struct member *f, const char *base);

static void write_text(const struct line *l, const char *text)
{
	struct json j = json_to(l->out);

	json_text(&j, text);
}

static void write_number(const struct line *l, double value, int decimals)
{
	if (!isfinite(value))
		buffer_bytes(l->out, "null", 4);
	else
		buffer_trimmed(l->out, value, decimals);
}

static size_t left_out(const struct sample *s, unsigned table)
{
	size_t n;

	memcpy(&n, (const char *)s + tables[table].left_out, sizeof n);
	return n;
}

static bool is_silent(const struct line *l, const struct member *f)
{
	if (f->source != MEMBER_SPECIAL || f->special < SPECIAL_INTERVAL)
		return false;
	return f->special == SPECIAL_INTERVAL ? is_none(l->s->interval_seconds) : left_out(l->s, f->index) == 0;
}

/* There are hundreds of short keys.  Bytes after a key are copied too, so that no call is needed. */
static void write_key(struct buffer *out, const char *key, size_t length)
{
	if (!buffer_reserve(out, length + KEY_CHUNK))
		return;
	for (size_t i = 0; i < length; i += KEY_CHUNK)
		memcpy(out->at + out->len + i, key + i, KEY_CHUNK);
	out->len += length;
}

/* `base`: the totals or the row that the members' offsets count from. */
static void write_object(const struct line *l, const struct plan *p, const char *base)
{
	const char *key = p->keys;
	size_t comma = 1;                       /* bytes of the first key to leave out */

	buffer_char(l->out, '{');
	for (size_t i = 0; i < p->n; key += p->members[i++].key_length) {
		const struct member *f = &p->members[i];
		double value;

		if (is_silent(l, f))
			continue;
		write_key(l->out, key + comma, f->key_length - comma);
		comma = 0;
		switch (f->source) {
		case MEMBER_NUMBER:
			memcpy(&value, base + f->offset, sizeof value);
			write_number(l, scaled(value, f->scale, l->s->interval_seconds), f->decimals);
			break;
		case MEMBER_TEXT:
			write_text(l, base[f->offset] ? base + f->offset : NULL);
			break;
		case MEMBER_KEY_NUMBER:
			buffer_text(l->out, base[f->offset] ? base + f->offset : "null");
			break;
		case MEMBER_SPECIAL:
			write_special(l, f, base);
			break;
		}
	}
	buffer_char(l->out, '}');
}

static void write_rows(const struct line *l, enum table t)
{
	struct rows rows = sample_rows(l->s, t);

	buffer_char(l->out, '[');
	for (size_t i = 0; i < rows.n; i++) {
		if (i > 0)
			buffer_char(l->out, ',');
		write_object(l, &l->w->row[t], row_key(rows, i));
	}
	buffer_char(l->out, ']');
}

static void write_mounts_of(const struct line *l, const char *device)
{
	bool comma = false;

	buffer_char(l->out, '[');
	for (size_t i = 0; i < l->s->n_mount; i++) {
		if (strcmp(l->s->mount[i].device, device) != 0)
			continue;
		if (comma)
			buffer_char(l->out, ',');
		comma = true;
		write_object(l, &l->w->row[TABLE_MOUNT], (const char *)&l->s->mount[i]);
	}
	buffer_char(l->out, ']');
}

/* The first mount of a device that is not a disk of this sample: overlay, tmpfs, a network share. */
static bool is_strange(const struct sample *s, size_t mount)
{
	const char *device = s->mount[mount].device;

	for (size_t i = 0; i < s->n_disk; i++)
		if (strcmp(s->disk[i].key, device) == 0)
			return false;
	for (size_t i = 0; i < mount; i++)
		if (strcmp(s->mount[i].device, device) == 0)
			return false;
	return true;
}

/*
 * Peers' readers know mounts only inside disks, with numbers for the rates.  A mount without a disk gets an entry of
 * its own, as ZFS pools do in the Rust tracker: no identity, no traffic.
 */
static void write_strange_disk(const struct line *l, const char *device)
{
	struct disk_row row;

	row_clear(TABLE_DISK, &row);
	row.read_bytes = row.write_bytes = row.read_bytes_total = row.write_bytes_total = 0;
	(void)word_copy(word_of(device), row.key, sizeof row.key);
	write_object(l, &l->w->row[TABLE_DISK], (const char *)&row);
}

static void write_disks(const struct line *l)
{
	const struct sample *s = l->s;
	bool comma = false;

	buffer_char(l->out, '[');
	for (size_t i = 0; i < s->n_disk; i++) {
		if (comma)
			buffer_char(l->out, ',');
		comma = true;
		write_object(l, &l->w->row[TABLE_DISK], (const char *)&s->disk[i]);
	}
	for (size_t i = 0; i < s->n_mount; i++) {
		if (!is_strange(s, i))
			continue;
		if (comma)
			buffer_char(l->out, ',');
		comma = true;
		write_strange_disk(l, s->mount[i].device);
	}
	buffer_char(l->out, ']');
}

/* The texts of a GPU, as the Rust tracker's map. */
static void write_detail(const struct line *l, const char *row)
{
	static const struct { const char *key; size_t offset; } details[] = {
#define JSON_DETAIL(key) { #key, offsetof(struct gpu_row, key) },
#include "layouts.def"
	};
	struct json j = json_to(l->out);

	json_open(&j, '{');
	for (size_t i = 0; i < countof(details); i++)
		if (row[details[i].offset])
			json_member_text(&j, details[i].key, row + details[i].offset);
	json_close(&j, '}');
}

static void write_cores(const struct line *l)
{
	buffer_char(l->out, '[');
	for (size_t i = 0; i < l->s->n_core; i++) {
		if (i > 0)
			buffer_char(l->out, ',');
		write_number(l, l->s->core[i].utilization_pct, 2);
	}
	buffer_char(l->out, ']');
}

static void write_collectors(const struct line *l)
{
	const struct collector_row *order[COLLECTOR_MAX];
	struct json j = json_to(l->out);
	size_t n = 0;

	for (; n < l->s->n_collector; n++) {
		const struct collector_row *row = &l->s->collector[n];
		size_t at = n;

		for (; at > 0 && strcmp(order[at - 1]->key, row->key) > 0; at--)
			order[at] = order[at - 1];
		order[at] = row;
	}
	json_open(&j, '{');
	for (size_t i = 0; i < n; i++)
		json_member_number(&j, order[i]->key, order[i]->seconds, 6);
	json_close(&j, '}');
}

static void write_pids(const struct line *l)
{
	struct json j = json_to(l->out);

	json_open(&j, '[');
	for (size_t i = 0; i < l->run->n_pids; i++)
		json_i64(&j, l->run->pids[i]);
	json_close(&j, ']');
}

static void write_group(const struct line *l, const struct member *f)
{
	if (f->special == SPECIAL_PROCESS && l->run->n_pids == 0)
		buffer_bytes(l->out, "null", 4);
	else
		write_object(l, &l->w->group[f->index], (const char *)&l->s->total);
}

static void write_special(const struct line *l, const struct member *f, const char *base)
{
	switch (f->special) {
	case SPECIAL_GROUP:
	case SPECIAL_PROCESS:
		write_group(l, f);
		break;
	case SPECIAL_DISKS:
		write_disks(l);
		break;
	case SPECIAL_MOUNTS:
		write_mounts_of(l, base);       /* a row begins with its key */
		break;
	case SPECIAL_ROWS:
		write_rows(l, f->index);
		break;
	case SPECIAL_GPU_DETAIL:
		write_detail(l, base);
		break;
	case SPECIAL_CORES:
		write_cores(l);
		break;
	case SPECIAL_COLLECTORS:
		write_collectors(l);
		break;
	case SPECIAL_TIMESTAMP:
		timestamp_write(l->out, l->s->wall_ns, l->run->interval_seconds < 1 ? 6 : 3);
		break;
	case SPECIAL_WHOLE_TIMESTAMP:
		timestamp_write(l->out, l->s->wall_ns, 0);
		break;
	case SPECIAL_JOB_NAME:
		write_text(l, l->run->job_name);
		break;
	case SPECIAL_VERSION:
		write_text(l, RT_VERSION);
		break;
	case SPECIAL_PID:
		write_number(l, l->run->n_pids > 0 ? (double)l->run->pids[0] : NONE, 0);
		break;
	case SPECIAL_PIDS:
		write_pids(l);
		break;
	case SPECIAL_INTERVAL:
		write_number(l, l->s->interval_seconds * 1000, 0);
		break;
	case SPECIAL_LEFT_OUT:
		buffer_u64(l->out, left_out(l->s, f->index));
		break;
	}
}

void sample_write_json(const struct sample_writer *w, struct buffer *out, const struct sample *s,
		       const struct run *run)
{
	struct line l = { .w = w, .out = out, .s = s, .run = run };

	write_object(&l, &w->line, (const char *)&s->total);
	buffer_char(out, '\n');
}
