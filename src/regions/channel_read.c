/* channel_read.c - reads the shared memory of a program's regions, which can hold anything. */
#include "channel_read.h"

#include <string.h>

#define FETCH(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define FETCH_ACQUIRE(place) __atomic_load_n(&(place), __ATOMIC_ACQUIRE)

uint32_t channel_lanes(const struct rt_region_channel *c)
{
	return (uint32_t)size_min(FETCH_ACQUIRE(c->lanes), RT_REGION_LANES);
}

uint64_t channel_lost(const struct rt_region_channel *c)
{
	return FETCH(c->lost);
}

void channel_pass(struct channel_reader *r)
{
	r->lane = 0;
	r->entered = false;
	memset(r->reported_wall, 0, sizeof r->reported_wall);
}

/* Skips and counts overwritten items; a head that went backwards was not written by our header. */
static void enter(struct channel_reader *r, uint64_t *tail, uint64_t head, uint64_t room, uint64_t *unseen)
{
	if (head < *tail)
		*tail = head;
	if (head - *tail > room) {
		*unseen += head - *tail - room;
		*tail = head - room;
	}
	r->end = head;
	r->entered = true;
}

static bool next_entry(struct channel_reader *r, uint32_t n, struct channel_item *ret)
{
	const struct rt_region_lane *lane = &r->channel->lane[n];
	uint64_t *tail = &r->ring_tail[n];

	if (!r->entered)
		enter(r, tail, FETCH_ACQUIRE(lane->head), RT_REGION_RING, &r->unseen);
	while (*tail < r->end) {
		const struct rt_region_entry *at = &lane->ring[*tail % RT_REGION_RING];
		struct channel_item item = {
			.kind = REGION_ENTRY, .path = FETCH(at->path), .tid = FETCH(at->tid), .at = FETCH(at->begin),
			.wall = FETCH(at->wall), .cpu_ns = FETCH(at->cpu),
		};

		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		/* The entry that is being written now can already be this one; the root is not a region. */
		if (FETCH(lane->head) - (*tail)++ >= RT_REGION_RING || item.path == 0) {
			r->unseen++;
			continue;
		}
		r->reported_wall[item.path % RT_REGION_PATHS] += item.wall;
		*ret = item;
		return true;
	}
	return false;
}

static bool next_note(struct channel_reader *r, struct channel_item *ret)
{
	const struct rt_region_channel *c = r->channel;

	if (!r->entered)
		enter(r, &r->notes_tail, FETCH_ACQUIRE(c->notes_head), RT_REGION_NOTES, &r->unseen_notes);
	while (r->notes_tail < r->end) {
		uint64_t number = r->notes_tail;
		const struct rt_region_note *at = &c->note[number % RT_REGION_NOTES];
		uint64_t sequence = FETCH_ACQUIRE(at->sequence);
		uint8_t kind = FETCH(at->kind);
		struct channel_item item = {
			.kind = kind == RT_REGION_MARK ? REGION_MARK : REGION_VALUE,
			.memory = kind == RT_REGION_MEMORY,
		};
		size_t length = size_min(FETCH(at->length), RT_REGION_TEXT);

		/* Being written: read it in the next pass; a writer that is half a ring late will never finish. */
		if (sequence != number + 1 && r->end - number < RT_REGION_NOTES / 2)
			return false;
		r->notes_tail++;
		item.at = FETCH(at->at);
		item.path = FETCH(at->path);
		item.tid = FETCH(at->tid);
		memcpy(&item.value, &at->value, sizeof item.value);
		memcpy(item.text, at->text, length);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (sequence != number + 1 || FETCH(at->sequence) != sequence) {
			r->unseen_notes++;
			continue;
		}
		*ret = item;
		return true;
	}
	return false;
}

bool channel_next(struct channel_reader *r, struct channel_item *ret)
{
	uint32_t lanes = channel_lanes(r->channel);

	for (; r->lane < lanes; r->lane++, r->entered = false)
		if (next_entry(r, r->lane, ret))
			return true;
	/* The notes come after all lanes; new lanes can have appeared meanwhile. */
	if (r->lane < RT_REGION_LANES) {
		r->lane = RT_REGION_LANES;
		r->entered = false;
	}
	return next_note(r, ret);
}

static bool copy_path(struct rt_region_path *ret, const struct rt_region_channel *c, uint32_t path)
{
	if (path == 0 || path >= RT_REGION_PATHS || FETCH_ACQUIRE(c->path[path].state) != RT_REGION_READY)
		return false;
	memcpy(ret, &c->path[path], sizeof *ret);
	ret->length = (uint16_t)size_min(ret->length, RT_REGION_NAME - 1);
	if (ret->length == 0)
		ret->name[ret->length++] = '?';
	return true;
}

/* From the innermost name backwards: a chain that is too long or circular loses its beginning. */
void channel_path(char ret[REGION_PATH_SIZE], const struct rt_region_channel *c, uint32_t path)
{
	struct rt_region_path p;
	size_t at = REGION_PATH_SIZE - 1, names = 0;

	ret[at] = '\0';
	for (; path != 0 && names < RT_REGION_DEPTH; path = p.parent, names++) {
		if (!copy_path(&p, c, path) || at < (size_t)p.length + 4)
			break;
		if (names > 0)
			ret[--at] = '/';
		at -= p.length;
		memcpy(ret + at, p.name, p.length);
	}
	if (path != 0 && names > 0) {
		ret[--at] = '/';
		ret[--at] = '?';
	} else if (path != 0) {
		ret[--at] = '?';
	}
	memmove(ret, ret + at, REGION_PATH_SIZE - at);
	for (size_t i = 0, end = REGION_PATH_SIZE - 1 - at; i < end; i++)
		if ((unsigned char)ret[i] < ' ')
			ret[i] = '?';
}

uint64_t channel_owner(const struct rt_region_channel *c, uint32_t lane)
{
	return FETCH_ACQUIRE(c->lane[lane].owner);
}

size_t channel_open(struct channel_open ret[RT_REGION_DEPTH], const struct rt_region_channel *c, uint32_t lane)
{
	const struct rt_region_lane *at = &c->lane[lane];
	size_t depth = size_min(FETCH_ACQUIRE(at->depth), RT_REGION_DEPTH), n = 0;

	for (size_t i = 0; i < depth; i++) {
		uint32_t path = FETCH(at->open[i].path);

		if (path != 0)                          /* the root is not a region */
			ret[n++] = (struct channel_open){
				.path = path, .begin = FETCH(at->open[i].begin), .recursed = FETCH(at->open[i].folded),
			};
	}
	return n;
}

void channel_short(struct channel_reader *r, uint64_t ret_ticks[RT_REGION_PATHS])
{
	const struct rt_region_channel *c = r->channel;
	size_t n = size_min(FETCH_ACQUIRE(c->blocks), RT_REGION_BLOCKS);

	memset(ret_ticks, 0, RT_REGION_PATHS * sizeof *ret_ticks);
	for (size_t i = 0; i < n; i++) {
		uint64_t wall = FETCH(c->block[i].wall), was = r->block_wall[i];

		r->block_wall[i] = wall;
		if (wall > was)
			ret_ticks[FETCH(c->block[i].path) % RT_REGION_PATHS] += wall - was;
	}
	for (size_t i = 0; i < RT_REGION_PATHS; i++)
		ret_ticks[i] -= ret_ticks[i] < r->reported_wall[i] ? ret_ticks[i] : r->reported_wall[i];
}

/* A thread can be between writing two of the numbers, so they agree only roughly. */
static bool can_be(const struct rt_region_block *b, uint64_t run)
{
	return b->count <= run && b->recursed <= run && b->abandoned <= UINT32_MAX && b->longest <= run &&
	       b->shortest <= run && b->wall <= run && b->cpu / 4 <= run;
}

void channel_sum(struct region_sums *to, const struct rt_region_channel *c, uint64_t run)
{
	size_t n = size_min(FETCH_ACQUIRE(c->blocks), RT_REGION_BLOCKS);
	char path[REGION_PATH_SIZE];

	for (size_t i = 0; i < n; i++) {
		struct rt_region_block block;

		memcpy(&block, &c->block[i], sizeof block);
		if (block.count == 0 && block.recursed == 0 && block.abandoned == 0)
			continue;
		if (block.path == 0 || !can_be(&block, run)) {
			to->lost++;
			continue;
		}
		channel_path(path, c, block.path);
		region_sums_add_block(to, path, &block, false);
	}
}
