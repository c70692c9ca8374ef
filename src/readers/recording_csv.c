/* recording_csv.c - reads our CSV, that of the Python trackers, and the log of py-resource-monitor. */
#include "recording_parts.h"

#include <stdio.h>
#include <string.h>

enum { CELLS_MAX = 512 };

enum cell_kind { CELL_IGNORED, CELL_TIME, CELL_PID, CELL_VALUE };

struct cell { enum cell_kind kind; struct column column; double last; };  /* last: the counter in the row before */

struct csv {
	struct cell cells[CELLS_MAX];
	size_t n;
	bool monitor;
};

/* The next cell, without its quotes.  A doubled quote inside is not decoded, as no known name has one. */
static bool next_cell(struct scan *s, bool first, struct word *ret)
{
	const char *p;

	if (!first && (s->at == s->end || *s->at++ != ','))
		return false;
	if (first && s->at == s->end)
		return false;
	if (s->at < s->end && *s->at == '"') {
		for (p = ++s->at; p < s->end && (*p != '"' || (p + 1 < s->end && p[1] == '"')); p++)
			p += *p == '"';
		*ret = (struct word){ s->at, (size_t)(p - s->at) };
		s->at = p < s->end ? p + 1 : p;
		return true;
	}
	p = memchr(s->at, ',', (size_t)(s->end - s->at));
	p = p ? p : s->end;
	*ret = (struct word){ s->at, (size_t)(p - s->at) };
	s->at = p;
	return true;
}

static double number(struct word w)
{
	struct json_value v;

	return w.len > 0 && json_parse(&v, w.at, w.len) == 0 && isfinite(json_as_number(v)) ? json_as_number(v) : NONE;
}

/* A value of "key:value,key:value": facts of the machine, in the second line of the log. */
static double fact(struct word line, const char *key)
{
	struct scan s = scan_of(line.at, line.len);
	struct word w;

	for (bool first = true; next_cell(&s, first, &w); first = false) {
		struct scan inside = scan_of(w.at, w.len);

		if (scan_literal(&inside, key) && scan_literal(&inside, ":"))
			return number((struct word){ inside.at, (size_t)(inside.end - inside.at) });
	}
	return NONE;
}

/* ---- the header ---------------------------------------------------------------------------- */

struct header { bool quoted, prefixed, mib, ticks, pid, timestamp; };

static bool ends_with(struct word w, const char *end)
{
	size_t n = strlen(end);

	return w.len >= n && memcmp(w.at + w.len - n, end, n) == 0;
}

static struct header look_at_header(struct word line)
{
	struct header h = { .quoted = line.len > 0 && *line.at == '"' };
	struct scan s = scan_of(line.at, line.len);
	struct word w;

	for (bool first = true; next_cell(&s, first, &w); first = false) {
		h.timestamp = h.timestamp || word_is(w, "timestamp");
		h.prefixed = h.prefixed || word_starts(w, "system_");
		h.mib = h.mib || ends_with(w, "_mib");
		h.ticks = h.ticks || word_is(w, "pss") || word_is(w, "memory_active_anon") ||
			  word_is(w, "process_pss") || word_is(w, "system_memory_active_anon");
		h.pid = h.pid || word_is(w, "pid") || word_is(w, "process_pid");
	}
	return h;
}

/* Only the Python tracker quotes names.  Before 0.5 it wrote KiB under the same names. */
static enum column_family family_of(const struct header *h)
{
	if (h->ticks)
		return FAMILY_PYTHON_TICKS;
	if (h->mib)
		return h->quoted ? FAMILY_PYTHON_MIB : FAMILY_OURS;
	return h->quoted || h->prefixed ? FAMILY_PYTHON_KIB : FAMILY_OURS;
}

static struct cell cell_of(struct word name, enum column_family family, const struct header *h)
{
	struct cell c = { .kind = CELL_IGNORED, .last = NONE };
	enum column_scope scope = h->pid && !h->prefixed ? SCOPE_TREE : SCOPE_MACHINE;
	struct scan s = scan_of(name.at, name.len);

	if (word_is(name, "timestamp") || word_is(name, "time"))
		c.kind = CELL_TIME;
	else if (word_is(name, "pid") || word_is(name, "process_pid"))
		c.kind = CELL_PID;
	if (c.kind != CELL_IGNORED)
		return c;
	if (h->prefixed && scan_literal(&s, "system_"))
		scope = SCOPE_MACHINE;
	else if (h->prefixed && scan_literal(&s, "process_"))
		scope = SCOPE_TREE;
	if (column_find(&c.column, family, scope, (struct word){ s.at, (size_t)(s.end - s.at) }))
		c.kind = CELL_VALUE;
	return c;
}

static bool read_header(struct csv *csv, struct word line, enum column_family family, const struct header *h)
{
	struct scan s = scan_of(line.at, line.len);
	size_t known = 0;
	struct word w;

	for (bool first = true; next_cell(&s, first, &w) && csv->n < CELLS_MAX; first = false) {
		csv->cells[csv->n] = cell_of(w, family, h);
		known += csv->cells[csv->n++].kind == CELL_VALUE;
	}
	return known > 0;
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void set_cell(struct recording *r, struct cell *c, double value)
{
	double was = c->last;

	if (c->kind == CELL_PID && r->pid == 0 && value > 0 && value < INT32_MAX)
		r->pid = (pid_t)value;
	if (c->kind != CELL_VALUE || is_none(value))
		return;
	if (c->column.how == HOW_TOTAL) {
		c->last = value;
		if (is_none(was))
			return;
		value = value > was ? value - was : 0;
	}
	recording_set(&r->sample->total, &c->column, value, r->sample->interval_seconds);
}

static double time_in(const struct csv *csv, struct word line)
{
	struct scan s = scan_of(line.at, line.len);
	struct word w;
	size_t i = 0;

	for (bool first = true; i < csv->n && next_cell(&s, first, &w); first = false, i++)
		if (csv->cells[i].kind == CELL_TIME)
			return number(w);
	return NONE;
}

static enum line_is read_csv_row(struct recording *r, struct word line)
{
	struct csv *csv = r->state;
	double at = time_in(csv, line);
	struct scan s = scan_of(line.at, line.len);
	struct word w;
	size_t i = 0;

	if (!is_instant(at) || recording_cut(r) || !recording_begin_row(r, at, NONE))
		return LINE_BAD;
	for (bool first = true; i < csv->n && next_cell(&s, first, &w); first = false, i++)
		set_cell(r, &csv->cells[i], number(w));
	if (csv->monitor) {
		r->sample->total.memory_total_bytes = r->facts.host.memory_bytes;
		if (r->rows == 0)               /* the first percentage covers no time and is always 0 */
			r->sample->total.process_cpu_cores = NONE;
	}
	return LINE_ROW;
}

/* ---- opening ------------------------------------------------------------------------------- */

static const char *const formats[] = {
	[FAMILY_OURS] = "CSV", [FAMILY_PYTHON_MIB] = "CSV of the Python tracker",
	[FAMILY_PYTHON_KIB] = "CSV of the Python tracker 0.2 to 0.4", [FAMILY_PYTHON_TICKS] = "CSV of the Python tracker 0.1",
	[FAMILY_MONITOR] = "log of py-resource-monitor",
};

static struct word without_return(struct word line)
{
	if (line.len > 0 && line.at[line.len - 1] == '\r')
		line.len--;
	return line;
}

/* Rows have no interval; the first row is assumed to have that of the second. */
static void find_interval(struct recording *r, struct csv *csv)
{
	struct word first, second;

	if (recording_peek(r, 0, &first) && recording_peek(r, 1, &second)) {
		double seconds = time_in(csv, without_return(second)) - time_in(csv, without_return(first));

		if (is_interval(seconds) && seconds < 1e6)
			r->interval_seconds = seconds;
	}
}

static bool monitor_header(struct recording *r, struct word *ret)
{
	return recording_peek(r, 2, ret) && word_starts(*ret, "time,cpu_percent");
}

int recording_try_csv(struct recording *r, struct why *why)
{
	struct csv *csv = calloc(1, sizeof *csv);
	enum column_family family = FAMILY_MONITOR;
	struct header h = { .pid = true };
	struct word line, machine;

	if (!csv)
		return why_set(why, -ENOMEM, "out of memory");
	if (monitor_header(r, &line) && recording_peek(r, 1, &machine)) {
		csv->monitor = true;
		r->facts.host.memory_bytes = fact(without_return(machine), "vm_total_mb") * 1048576;
		r->next_ahead += 2;
		recording_notice(r, "a log of py-resource-monitor: it has processes without their descendants and times without a "
				 "date; the machine's CPU is left out, because the number of its cores is unknown");
	} else if (recording_peek(r, 0, &line)) {
		h = look_at_header(line = without_return(line));
		family = family_of(&h);
	}
	if ((!csv->monitor && !h.timestamp) || !read_header(csv, without_return(line), family, &h)) {
		free(csv);
		return 0;
	}
	r->next_ahead++;                                /* the header */
	r->state = csv;
	r->close_state = free;
	r->read_line = read_csv_row;
	r->facts.format = formats[family];
	r->facts.tracked = h.pid;
	find_interval(r, csv);
	return 1;
}
