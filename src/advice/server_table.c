/* server_table.c - reads servers of clouds and their prices from a CSV file. */
#include "server_table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../core/scan.h"
#include "../text/shown.h"
#include "../text/values.h"

enum { SERVERS_MAX = 1000000, COLUMNS_MAX = 64 };

static const double GIB = 1073741824;

static const struct server_column { const char *name; size_t offset; double unit; bool needed; } server_columns[] = {
#define TEXT(name, needed) { #name, offsetof(struct server, name), 0, needed }
	TEXT(vendor, true), TEXT(region, false), TEXT(type, true),
#undef TEXT
	{ "cpus", offsetof(struct server, cpus), 1, true },
	{ "memory_gib", offsetof(struct server, memory_bytes), GIB, true },
	{ "gpus", offsetof(struct server, gpus), 1, false },
	{ "gpu_memory_gib", offsetof(struct server, gpu_memory_bytes), GIB, false },
	{ "usd_per_hour", offsetof(struct server, usd_per_hour), 1, true },
};

/* A file that is being read.  columns: those of its header; NULL: one that is not used. */
struct reading {
	struct server_table *to;
	size_t room;
	const struct server_column *columns[COLUMNS_MAX];
	size_t n_columns;
	const char *path;
	uint64_t line;
	struct why *why;
};

/* Returns -EINVAL with the file, the line and this sentence. */
__attribute__((format(printf, 2, 3))) static int invalid(const struct reading *r, const char *format, ...)
{
	struct why what = { "" };
	va_list values;

	va_start(values, format);
	(void)vsnprintf(what.text, sizeof what.text, format, values);
	va_end(values);
	return why_set(r->why, -EINVAL, "%s, line %llu: %s", show_path(r->path).text, (unsigned long long)r->line,
		       what.text);
}

/* "# date: 2026-11-25", "# source: a name": what else a comment says has no meaning. */
static void take_comment(struct server_table *t, const char *line)
{
	struct scan s = scan_of(line + 1, strlen(line + 1));
	struct word text;

	scan_blanks(&s);
	if (scan_literal(&s, "date: ") && scan_line(&s, &text))
		(void)word_copy(text, t->date, sizeof t->date);
	else if (scan_literal(&s, "source: ") && scan_line(&s, &text))
		(void)word_copy(text, t->source, sizeof t->source);
}

static int take_header(struct reading *r, const char *line)
{
	struct word name;

	while (list_next(&line, &name) && r->n_columns < COLUMNS_MAX) {
		r->columns[r->n_columns] = NULL;
		for (size_t i = 0; i < countof(server_columns); i++)
			if (word_is(name, server_columns[i].name))
				r->columns[r->n_columns] = &server_columns[i];
		r->n_columns++;
	}
	for (size_t i = 0; i < countof(server_columns); i++) {
		bool there = !server_columns[i].needed;

		for (size_t k = 0; k < r->n_columns; k++)
			there = there || r->columns[k] == &server_columns[i];
		if (!there)
			return invalid(r, "the names of the columns lack '%s'", server_columns[i].name);
	}
	return 0;
}

/* An empty number is 0: a server without GPUs. */
static bool take_field(struct server *to, const struct server_column *c, struct word field)
{
	char text[SERVER_NAME_SIZE];
	double number = 0;

	if (!word_copy(field, text, sizeof text))
		return false;
	if (c->unit == 0) {
		memcpy((char *)to + c->offset, text, sizeof text);
		return *text || !c->needed;
	}
	if ((*text || c->needed) && !value_decimal(text, &number))
		return false;
	number *= c->unit;
	memcpy((char *)to + c->offset, &number, sizeof number);
	return true;
}

static int take_row(struct reading *r, const char *line)
{
	struct server_table *t = r->to;
	const char *rest = line;
	struct word field;
	size_t column = 0;

	if (t->n == SERVERS_MAX)
		return invalid(r, "more than %d servers", SERVERS_MAX);
	if (t->n == r->room) {
		size_t room = r->room ? 2 * r->room : 256;
		struct server *at = realloc(t->at, room * sizeof *at);

		if (!at)
			return why_set(r->why, -ENOMEM, "out of memory");
		t->at = at;
		r->room = room;
	}
	t->at[t->n] = (struct server){ .cpus = 0 };
	for (; list_next(&rest, &field); column++)
		if (column < r->n_columns && r->columns[column] &&
		    !take_field(&t->at[t->n], r->columns[column], field))
			return invalid(r, "%s of '%s' is not valid", r->columns[column]->name, show(line).text);
	if (column != r->n_columns)
		return invalid(r, "%zu fields, but %zu names of columns", column, r->n_columns);
	t->n++;
	return 0;
}

static int take_line(struct reading *r, const char *line)
{
	r->line++;
	if (*line == '#')
		take_comment(r->to, line);
	else if (*line && r->n_columns == 0)
		return take_header(r, line);
	else if (*line)
		return take_row(r, line);
	return 0;
}

int server_table_read(struct server_table *ret, const char *path, struct why *why)
{
	struct reading reading = { .to = ret, .path = path, .why = why };
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t n;
	int r = 0;

	*ret = (struct server_table){ .n = 0 };
	if (!file)
		return why_set(why, -errno, "cannot open %s: %s", show_path(path).text, strerror(errno));
	while (r == 0 && (n = getline(&line, &size, file)) >= 0) {
		line[strcspn(line, "\r\n")] = '\0';
		r = take_line(&reading, line);
	}
	if (r == 0 && ferror(file))
		r = why_set(why, -EIO, "cannot read %s", show_path(path).text);
	if (r == 0 && ret->n == 0)
		r = why_set(why, -EINVAL, "%s has no servers", show_path(path).text);
	free(line);
	(void)fclose(file);
	if (r < 0)
		server_table_release(ret);
	return r;
}

void server_table_release(struct server_table *t)
{
	free(t->at);
	*t = (struct server_table){ .n = 0 };
}
