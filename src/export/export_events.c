/*
 * export_events.c - the event log of py-resource-monitor: TIME,start|end,NAME,ID, in the order of time.
 *
 * A record has entries in the order of their ends, so all entries, at most 20,000, are kept until the end.
 */
#include "export.h"

#include <string.h>

#include "../core/json_write.h"
#include "../core/layouts.h"
#include "../text/shown.h"

enum { EVENTS_MOST = 400000 };

struct name { char *text; uint64_t entries; };
struct event {
	int64_t monotonic_ns, other_ns;         /* other: of its end, or of its start */
	size_t name;
	uint64_t id;
	bool start;
	size_t order;
};

struct events {
	struct name *names;
	size_t n_names;
	struct event *at;
	size_t n, room;
};

static void release(struct export *e)
{
	struct events *all = e->state;

	for (size_t i = 0; all && i < all->n_names; i++)
		free(all->names[i].text);
	if (all) {
		free(all->names);
		free(all->at);
	}
	free(all);
}

static int begin(struct export *e)
{
	e->state = calloc(1, sizeof(struct events));
	return e->state ? 0 : export_no_memory(e);
}

/* Lines are split at commas, so a name must not contain one. */
static char *plain(const char *path)
{
	struct buffer text = { 0 };

	show_text(&text, path, strlen(path), ' ');
	for (size_t i = 0; i < text.len; i++)
		if (text.at[i] == ',')
			text.at[i] = ';';
	buffer_char(&text, '\0');
	if (text.failed)
		buffer_release(&text);
	return text.at;
}

/* The name without its path: nesting follows from the order of the events. */
static const char *own_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static struct name *name_of(struct events *all, const char *path)
{
	auto_free char *text = plain(path);

	for (size_t i = 0; text && i < all->n_names; i++)
		if (strcmp(all->names[i].text, text) == 0)
			return &all->names[i];

	struct name *names = text ? reallocarray(all->names, all->n_names + 1, sizeof *names) : NULL;

	if (!names)
		return NULL;
	all->names = names;
	names[all->n_names] = (struct name){ .text = text };
	text = NULL;
	return &names[all->n_names++];
}

static void add(struct events *all, int64_t monotonic_ns, int64_t other_ns, const struct name *name, bool start)
{
	all->at[all->n] = (struct event){
		monotonic_ns, other_ns, (size_t)(name - all->names), name->entries, start, all->n,
	};
	all->n++;
}

static int region(struct export *e, const struct region_event *event)
{
	struct events *all = e->state;
	int64_t end_ns = export_end_ns(event->monotonic_ns, event->seconds);
	struct name *name;

	if (event->kind != REGION_ENTRY)
		return 0;
	if (all->n + 2 > EVENTS_MOST)
		return why_set(e->why, -E2BIG, "%s has more entries of regions than one event log can hold", e->name);
	if (all->n + 2 > all->room) {
		size_t room = all->room ? 2 * all->room : 1024;
		struct event *at = reallocarray(all->at, room, sizeof *at);

		if (!at)
			return export_no_memory(e);
		all->room = room;
		all->at = at;
	}
	name = name_of(all, own_name(event->path));
	if (!name)
		return export_no_memory(e);
	add(all, event->monotonic_ns, end_ns, name, true);
	/* A region that was never left has no end event; readers of the format expect that. */
	if (!event->unfinished && event->seconds >= 0)
		add(all, end_ns, event->monotonic_ns, name, false);
	name->entries++;
	return 0;
}

/* At the same time: ends first, then begins, then events that begin and end there. */
static int rank(const struct event *e)
{
	return e->start ? 1 : e->other_ns < e->monotonic_ns ? 0 : 2;
}

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->monotonic_ns != y->monotonic_ns)
		return x->monotonic_ns < y->monotonic_ns ? -1 : 1;
	if (rank(x) != rank(y))
		return rank(x) - rank(y);
	/* The outer region begins first. */
	if (x->start && x->other_ns != y->other_ns)
		return x->other_ns > y->other_ns ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static int end(struct export *e)
{
	struct events *all = e->state;

	if (all->n > 0)
		qsort(all->at, all->n, sizeof *all->at, by_time);
	for (size_t i = 0; i < all->n; i++) {
		const struct event *event = &all->at[i];

		timestamp_write(&e->out, e->facts->run.start_wall_ns + event->monotonic_ns, 6);
		buffer_text(&e->out, event->start ? ",start," : ",end,");
		buffer_text(&e->out, all->names[event->name].text);
		buffer_char(&e->out, ',');
		buffer_u64(&e->out, event->id);
		buffer_char(&e->out, '\n');
	}
	if (all->n == 0)
		e->notice = "the event log is empty: this run reported no regions of its code";
	return 0;
}

const struct export_form export_events = {
	.name = "events", .help = "the entries of regions as an event log of py-resource-monitor",
	.begin = begin, .region = region, .end = end, .release = release,
};
