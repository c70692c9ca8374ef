/*
 * recording_events.c - the event log of py-resource-monitor: TIME,start|end,NAME,ID.
 *
 * A region can have many entries, also within itself: an entry and its end have the same id.  An entry without an end
 * (an exception, a kill) has no duration; it is counted as unfinished.
 */
#include "recording_parts.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_MOST = 10000, OPEN_MOST = 100000 };

struct entry { size_t region; uint64_t id; double start; };

struct events {
	struct region *regions;
	size_t n, room;
	struct entry *open;
	size_t n_open, open_room;
	double first;
};

struct event { double seconds; bool start; struct word name; uint64_t id; };

static void close_events(void *state)
{
	struct events *e = state;

	for (size_t i = 0; i < e->n; i++)
		free(e->regions[i].name);
	free(e->regions);
	free(e->open);
	free(e);
}

/* The name reaches from the second comma to the last one. */
static bool parse(struct event *ret, struct word line)
{
	struct scan s = scan_of(line.at, line.len);
	struct word time, what;
	struct json_value v;
	const char *last;

	if (!scan_until(&s, ',', &time) || json_parse(&v, time.at, time.len) < 0 || v.kind != JSON_NUMBER ||
	    !scan_until(&s, ',', &what) || (!word_is(what, "start") && !word_is(what, "end")))
		return false;
	last = memrchr(s.at, ',', (size_t)(s.end - s.at));
	if (!last)
		return false;
	ret->seconds = json_as_number(v);
	ret->start = word_is(what, "start");
	ret->name = (struct word){ s.at, (size_t)(last - s.at) };
	s.at = last + 1;
	return is_instant(ret->seconds) && scan_u64(&s, &ret->id) && s.at == s.end;
}

static struct region *region_of(struct events *e, struct word name)
{
	for (size_t i = 0; i < e->n; i++)
		if (word_is(name, e->regions[i].name))
			return &e->regions[i];
	if (e->n == NAMES_MOST)
		return NULL;
	if (e->n == e->room) {
		size_t room = e->room ? 2 * e->room : 16;
		struct region *regions = reallocarray(e->regions, room, sizeof *regions);

		if (!regions)
			return NULL;
		e->room = room;
		e->regions = regions;
	}
	e->regions[e->n] = (struct region){ .name = strndup(name.at, name.len), .minimum_seconds = (double)INFINITY };
	return e->regions[e->n].name ? &e->regions[e->n++] : NULL;
}

static bool enter(struct events *e, size_t region, const struct event *event)
{
	if (e->n_open == OPEN_MOST)
		return false;
	if (e->n_open == e->open_room) {
		size_t room = e->open_room ? 2 * e->open_room : 16;
		struct entry *open = reallocarray(e->open, room, sizeof *open);

		if (!open)
			return false;
		e->open_room = room;
		e->open = open;
	}
	e->open[e->n_open++] = (struct entry){ region, event->id, event->seconds };
	return true;
}

/* Makes the event of entry i, which ends now; its path has the entries that were open when it began. */
static void make_event(struct region_event *ret, const struct events *e, size_t i, double seconds)
{
	size_t n = 0;

	*ret = (struct region_event){
		.kind = REGION_ENTRY, .value = NONE, .cpu_seconds = NONE, .seconds = seconds,
		.monotonic_ns = span_ns(e->open[i].start - e->first),
	};
	for (size_t k = 0; k <= i && n < sizeof ret->path; k++) {
		int more = snprintf(ret->path + n, sizeof ret->path - n, "%s%s", k > 0 ? "/" : "",
				    e->regions[e->open[k].region].name);

		n += more > 0 ? (size_t)more : 0;
	}
}

/* Ends an entry.  Searches from the newest, as regions are mostly nested.  false: no such entry is open. */
static bool leave(struct events *e, struct region *region, const struct event *event, struct region_event *ret)
{
	for (size_t i = e->n_open; i-- > 0;) {
		double seconds = event->seconds - e->open[i].start;

		if (e->open[i].region != (size_t)(region - e->regions) || e->open[i].id != event->id)
			continue;
		make_event(ret, e, i, seconds);
		memmove(e->open + i, e->open + i + 1, (--e->n_open - i) * sizeof *e->open);
		region->unfinished--;
		region->count++;
		region->seconds += seconds;
		region->minimum_seconds = seconds < region->minimum_seconds ? seconds : region->minimum_seconds;
		region->maximum_seconds = seconds > region->maximum_seconds ? seconds : region->maximum_seconds;
		return true;
	}
	return false;
}

static enum line_is read_event(struct recording *r, struct word line)
{
	struct events *e = r->state;
	struct event event;
	struct region *region = !recording_cut(r) && parse(&event, line) ? region_of(e, event.name) : NULL;
	bool fine = false;

	if (!region)
		return LINE_BAD;
	if (is_none(e->first)) {
		e->first = event.seconds;
		r->facts.run.start_wall_ns = instant_ns(e->first);
	}
	if (event.start) {
		fine = enter(e, (size_t)(region - e->regions), &event);
		region->unfinished += fine;
	} else {
		fine = leave(e, region, &event, &r->region);
	}
	r->facts.regions = e->regions;
	r->facts.n_regions = e->n;
	if (event.seconds > e->first)
		r->facts.status.end_monotonic_ns = span_ns(event.seconds - e->first);
	return !fine ? LINE_BAD : event.start ? LINE_FINE : LINE_REGION;
}

int recording_try_events(struct recording *r, struct why *why)
{
	struct event event;
	struct word line;
	struct events *e;

	if (!recording_peek(r, 0, &line) || !parse(&event, line))
		return 0;
	e = calloc(1, sizeof *e);
	if (!e)
		return why_set(why, -ENOMEM, "out of memory");
	e->first = NONE;
	r->state = e;
	r->close_state = close_events;
	r->read_line = read_event;
	r->facts.format = "event log of py-resource-monitor";
	return 1;
}
