/* test_regions.c - the channel of regions, as left by correct and by broken programs. */
#include "fixture.h"

#include <math.h>
#include <string.h>

#include "regions/channel.h"

static struct rt_region_channel *channel;

static int setup(void **state)
{
	(void)state;
	channel = calloc(1, sizeof *channel);
	return channel ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	free(channel);
	return 0;
}

static void name_path(uint32_t path, uint32_t parent, const char *name)
{
	struct rt_region_path *p = &channel->path[path];

	p->state = RT_REGION_READY;
	p->parent = (uint16_t)parent;
	p->length = (uint16_t)strlen(name);
	memcpy(p->name, name, strlen(name));
}

static void path_is(uint32_t path, const char *expected)
{
	char text[REGION_PATH_SIZE];

	channel_path(text, channel, path);
	assert_string_equal(text, expected);
}

static void test_paths(void **state)
{
	(void)state;
	name_path(1, 0, "train");
	name_path(2, 1, "epoch 7");
	name_path(3, 2, "backward");
	path_is(3, "train/epoch 7/backward");
	path_is(1, "train");
	path_is(4, "?");                                /* unused */
	path_is(60000, "?");
	name_path(5, 9, "lost");                        /* no parent */
	path_is(5, "?/lost");
	name_path(8, 1, "");
	path_is(8, "train/?");
	name_path(6, 7, "a");                           /* a cycle */
	name_path(7, 6, "b");
	char text[REGION_PATH_SIZE];

	channel_path(text, channel, 6);
	assert_memory_equal(text, "?/", 2);
	assert_true(strlen(text) < sizeof text);
	channel->path[1].length = 65535;                /* its length exceeds the buffer */
	memset(channel->path[1].name, 'x', sizeof channel->path[1].name);
	channel_path(text, channel, 1);
	assert_int_equal(strlen(text), RT_REGION_NAME - 1);
	memset(channel->path[1].name, 0, 3);
	channel_path(text, channel, 1);
	assert_memory_equal(text, "???x", 4);
}

static size_t entries(struct channel_reader *r)
{
	struct channel_item item;
	size_t n = 0;

	channel_pass(r);
	while (channel_next(r, &item))
		n++;
	return n;
}

static void test_a_ring_that_was_overwritten(void **state)
{
	(void)state;
	struct channel_reader r = { .channel = channel };

	for (size_t i = 0; i < RT_REGION_RING; i++)
		channel->lane[1].ring[i].path = 1;
	channel->lanes = 2;
	channel->lane[1].head = 3;
	assert_int_equal(entries(&r), 3);
	assert_int_equal(entries(&r), 0);
	/* Of 600 more, the last 512 are there, and the oldest of them is possibly being overwritten. */
	channel->lane[1].head = 603;
	assert_int_equal(entries(&r), RT_REGION_RING - 1);
	assert_int_equal(r.unseen, 600 - RT_REGION_RING + 1);
	channel->lane[1].head = 5;                      /* backwards */
	assert_int_equal(entries(&r), 0);
	channel->lane[1].head = UINT64_MAX;
	assert_true(entries(&r) < RT_REGION_RING);
	channel->lanes = UINT32_MAX;
	assert_int_equal(entries(&r), 0);
}

/* A head without entries, as garbage in the shared memory leaves it. */
static void test_an_entry_of_the_root_is_none(void **state)
{
	(void)state;
	struct channel_reader r = { .channel = channel };

	channel->lanes = 1;
	channel->lane[0].head = 3;
	channel->lane[0].ring[1].path = 1;
	assert_int_equal(entries(&r), 1);
	assert_int_equal(r.unseen, 2);
}

static void test_notes(void **state)
{
	(void)state;
	struct channel_reader r = { .channel = channel };
	struct channel_item item;

	channel->notes_head = 2;
	channel->note[0] = (struct rt_region_note){
		.sequence = 1, .kind = RT_REGION_VALUE, .value = 0.25, .length = 200, .text = "loss" };
	channel_pass(&r);
	assert_true(channel_next(&r, &item));
	assert_int_equal(item.kind, REGION_VALUE);
	assert_true(item.value > 0.24 && item.value < 0.26);
	assert_string_equal(item.text, "loss");
	/* The second is being written: it comes with the next pass, or never. */
	assert_false(channel_next(&r, &item));
	channel->note[1] = (struct rt_region_note){ .sequence = 2, .kind = RT_REGION_MARK, .length = 1, .text = "x" };
	assert_int_equal(entries(&r), 1);
	channel->notes_head = 2 + RT_REGION_NOTES;
	assert_int_equal(entries(&r), 0);
	assert_int_equal(r.unseen_notes, RT_REGION_NOTES / 2 + 1);
}

static void put_memory(struct rt_region_channel *c, uint64_t number, double pages, uint32_t pid, uint64_t at,
		       uint64_t until)
{
	struct rt_region_note *note = &c->note[number];
	struct rt_region_memory memory = { until, pid, 0 };

	*note = (struct rt_region_note){
		.sequence = number + 1, .at = at, .value = pages, .kind = RT_REGION_MEMORY, .length = sizeof memory,
	};
	memcpy(note->text, &memory, sizeof memory);
}

/* Memory reported by a program is not a line of the record; impossible values are dropped. */
static void test_memory_is_reported(void **state)
{
	(void)state;
	struct source source;
	struct channel c = { 0 };
	struct memory_notes reported = { 0 };
	struct region_event event;

	assert_int_equal(source_open(&source, "/", NULL), 0);
	assert_int_equal(channel_open_memory(&c), 0);
	channel_start(&c, &source, 1e7);
	assert_int_equal(c.memory->asks, 0);            /* memory is not asked for */
	c.reported = &reported;
	channel_start(&c, &source, 1e7);
	assert_int_equal(c.memory->asks, RT_REGION_ASKS_MEMORY);

	double before = (double)(c.start_ns - c.clock.first_ns) / c.clock.ns_per_tick;
	uint64_t tick = c.clock.first_tick + (uint64_t)before + 1;

	if (!c.clock.cpu_counter)
		tick = (uint64_t)c.start_ns;
	c.memory->lanes = 1;
	c.memory->notes_head = 8;
	put_memory(c.memory, 0, 25600, 77, tick + 5, tick + 6);
	c.memory->note[1] = (struct rt_region_note){ .sequence = 2, .at = tick, .kind = RT_REGION_MARK, .length = 1,
						      .text = "m" };
	put_memory(c.memory, 2, (double)NAN, 77, tick, tick);
	put_memory(c.memory, 3, -1, 77, tick, tick);
	put_memory(c.memory, 4, 1e300, 77, tick, tick);
	put_memory(c.memory, 5, 5, 0, tick, tick);
	put_memory(c.memory, 6, 5, UINT32_MAX, tick, tick);
	put_memory(c.memory, 7, 5, 77, tick + 10000, tick);
	channel_drain(&c, &source, false);
	assert_true(channel_next_event(&c, &event));
	assert_int_equal(event.kind, REGION_MARK);
	assert_false(channel_next_event(&c, &event));
	assert_int_equal(reported.n, 1);
	assert_int_equal(reported.at[0].pid, 77);
	assert_near(reported.at[0].rss_bytes, 25600.0 * (double)source.page_bytes);
	assert_true(reported.at[0].from_ns <= reported.at[0].until_ns && reported.at[0].until_ns < c.start_ns + 1000);
	channel_close(&c);
	source_close(&source);
}

static uint64_t tick_at(const struct channel *c, int64_t ns)
{
	const struct channel_clock *k = &c->clock;

	return k->cpu_counter ? k->first_tick + (uint64_t)((double)(ns - k->first_ns) / k->ns_per_tick) : (uint64_t)ns;
}

/* Regression: an entry written after the clock was read and before its ring was read got the time of that clock. */
static void test_entries_written_late(void **state)
{
	enum { MS = 1000000 };
	(void)state;
	struct source source;
	struct channel c = { 0 };
	struct region_event event;

	assert_int_equal(source_open(&source, "/", NULL), 0);
	assert_int_equal(channel_open_memory(&c), 0);
	channel_start(&c, &source, 1e7);
	c.memory->lanes = 1;
	c.memory->path[1] = (struct rt_region_path){ .state = RT_REGION_READY, .length = 1, .name = "r" };
	channel_drain(&c, &source, false);

	int64_t drained_ns = c.now_ns, end_ns;

	/* A region of the whole run until now: read late, it counted as an impossible time. */
	while ((end_ns = source.monotonic_ns(source.clock)) < drained_ns + 20 * MS)
		;
	c.memory->lane[0].ring[0] = (struct rt_region_entry){
		.path = 1, .begin = tick_at(&c, c.start_ns), .wall = tick_at(&c, end_ns) - tick_at(&c, c.start_ns),
	};
	c.memory->lane[0].head = 1;
	c.memory->note[0] = (struct rt_region_note){
		.sequence = 1, .at = tick_at(&c, end_ns), .kind = RT_REGION_MARK,
	};
	c.memory->notes_head = 1;
	for (int i = 0; i < 2; i++) {
		assert_true(channel_next_event(&c, &event));
		if (event.kind == REGION_ENTRY)
			assert_true(event.seconds > 0.019);
		else
			assert_true(event.monotonic_ns > end_ns - MS);
	}
	channel_close(&c);
	source_close(&source);
}

/* Programs with an older header go on: a change of the layout needs a new magic. */
static void test_the_layout_is_that_of_its_magic(void **state)
{
	(void)state;
	assert_memory_equal(&(uint64_t){ RT_REGION_MAGIC }, "RTREGN02", 8);
	assert_int_equal(sizeof(struct rt_region_channel), 8133744);
	assert_int_equal(offsetof(struct rt_region_channel, called), 56);
	assert_int_equal(offsetof(struct rt_region_channel, path), 112);
	assert_int_equal(offsetof(struct rt_region_channel, note), 32880);
	assert_int_equal(offsetof(struct rt_region_channel, lane), 131184);
	assert_int_equal(offsetof(struct rt_region_channel, block), 2628720);
	assert_true(sizeof(struct rt_region_memory) <= RT_REGION_TEXT);
}

static void test_sums(void **state)
{
	(void)state;
	struct region_sums sums = { 0 };
	struct region_totals t;

	name_path(1, 0, "a");
	name_path(2, 0, "a");                           /* two threads named it at once */
	channel->blocks = 3;
	for (uint32_t i = 0; i < 3; i++) {
		struct rt_region_block *b = &channel->block[i];

		*b = (struct rt_region_block){
			.path = 1 + i % 2, .count = 100, .wall = 100000, .shortest = 1000 - i, .longest = 1000 + i,
			.cpu = 50000 };
		b->buckets[rt_region_bucket(1000)] = 100;
	}
	channel->block[2].wall = UINT64_MAX;            /* longer than the run */
	channel_sum(&sums, channel, 1000000);
	assert_int_equal(region_sums_totals(&t, &sums, 2.0), 0);
	assert_int_equal(t.n, 1);
	assert_string_equal(t.at[0].path, "a");
	assert_int_equal(t.at[0].count, 200);
	assert_int_equal(t.lost, 1);
	assert_true(t.at[0].seconds > 399.9e-6 && t.at[0].seconds < 400.1e-6);
	assert_true(t.at[0].cpu_seconds > 99.9e-6 && t.at[0].cpu_seconds < 100.1e-6);
	/* Within the range of the values, in any bucket. */
	assert_true(t.at[0].p50_seconds >= 1998e-9 - 1e-12 && t.at[0].p50_seconds <= 2002e-9 + 1e-12);
	region_totals_release(&t);
	region_sums_release(&sums);
}

static void test_percentiles(void **state)
{
	(void)state;
	struct region_sums sums = { 0 };
	struct region_totals t;

	for (uint64_t i = 1; i <= 1000; i++)
		region_sums_add(&sums, "x", &(struct region_visit){ .wall = i * 1000 });
	region_sums_add(&sums, "y", &(struct region_visit){ .wall = 5, .cpu_unknown = true });
	assert_int_equal(region_sums_totals(&t, &sums, 1.0), 0);
	assert_int_equal(t.n, 2);
	assert_true(fabs(t.at[0].p50_seconds / 500e-6 - 1) < 0.065);
	assert_true(fabs(t.at[0].p95_seconds / 950e-6 - 1) < 0.065);
	assert_true(fabs(t.at[0].p99_seconds / 990e-6 - 1) < 0.065);
	assert_true(is_none(t.at[1].cpu_seconds));
	region_totals_release(&t);
	region_sums_release(&sums);
}

static void test_buckets(void **state)
{
	(void)state;
	unsigned last = 0;

	for (uint64_t ticks = 1; ticks < UINT64_MAX / 3; ticks += ticks / 20 + 1) {
		unsigned bucket = rt_region_bucket(ticks);

		assert_true(bucket >= last && bucket < RT_REGION_BUCKETS);
		last = bucket;
	}
	assert_int_equal(rt_region_bucket(0), 0);
	assert_int_equal(rt_region_bucket(UINT64_MAX), RT_REGION_BUCKETS - 1);
}

/* The memory exists and is sealed, and a process that ended leaves its open regions. */
static void test_regions_of_ended_processes(void **state)
{
	(void)state;
	struct source source;
	struct channel c = { 0 };
	struct region_event event;
	struct region_totals t;

	assert_int_equal(source_open(&source, "/", NULL), 0);
	assert_int_equal(channel_open_memory(&c), 0);
	assert_int_equal(ftruncate(c.fd, 0), -1);
	assert_int_equal(ftruncate(c.fd, 1 << 30), -1);
	channel_start(&c, &source, 1e7);
	assert_int_equal(c.memory->magic, RT_REGION_MAGIC);
	c.memory->lanes = 1;
	c.memory->path[1] = (struct rt_region_path){ .state = RT_REGION_READY, .length = 1, .name = "r" };
	c.memory->lane[0].owner = (uint64_t)INT32_MAX << 32 | INT32_MAX;
	c.memory->lane[0].depth = 1;
	c.memory->lane[0].open[0] = (struct rt_region_open){ .path = 1, .begin = tick_at(&c, c.clock.first_ns) };
	channel_drain(&c, &source, false);
	assert_true(channel_next_event(&c, &event));
	assert_true(event.unfinished && event.seconds >= 0);
	assert_int_equal(event.monotonic_ns, c.start_ns);        /* no region began before the command ran */
	assert_string_equal(event.path, "r");
	assert_false(channel_next_event(&c, &event));
	assert_int_equal(c.memory->lane[0].owner, 0);
	channel_drain(&c, &source, false);
	assert_false(channel_next_event(&c, &event));
	assert_int_equal(channel_totals(&t, &c, NULL), 0);
	assert_int_equal(t.n, 1);
	assert_int_equal(t.at[0].unfinished, 1);
	assert_true(is_none(t.at[0].cpu_seconds));
	region_totals_release(&t);
	channel_close(&c);
	source_close(&source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_paths, setup, teardown),
		cmocka_unit_test_setup_teardown(test_a_ring_that_was_overwritten, setup, teardown),
		cmocka_unit_test_setup_teardown(test_an_entry_of_the_root_is_none, setup, teardown),
		cmocka_unit_test_setup_teardown(test_notes, setup, teardown),
		cmocka_unit_test(test_memory_is_reported),
		cmocka_unit_test(test_the_layout_is_that_of_its_magic),
		cmocka_unit_test_setup_teardown(test_sums, setup, teardown),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_regions_of_ended_processes), cmocka_unit_test(test_entries_written_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
