/* test_open_regions.c - the open regions of a recorder, read by another process: here, the test is both. */
#include "fixture.h"

#include <string.h>
#include <sys/mman.h>

#include "regions/channel.h"
#include "regions/open_regions.h"

static struct source machine;
static struct channel c;
static const struct rt_region_channel *seen;

static void open_in(uint32_t lane, uint16_t path, uint64_t ago_ns)
{
	struct rt_region_lane *at = &c.memory->lane[lane];
	int64_t now_ns = machine.monotonic_ns(machine.clock);
	double since = (double)(now_ns - c.clock.first_ns) / c.clock.ns_per_tick;
	uint64_t now = c.clock.cpu_counter ? c.clock.first_tick + (uint64_t)since : (uint64_t)now_ns;

	at->owner = UINT64_C(77) << 32 | (77 + lane);
	at->open[at->depth++] = (struct rt_region_open){
		.path = path, .begin = now - (uint64_t)((double)ago_ns / c.clock.ns_per_tick),
	};
	if (c.memory->lanes <= lane)
		c.memory->lanes = lane + 1;
}

static void name(uint16_t path, uint16_t parent, const char *text)
{
	struct rt_region_path *p = &c.memory->path[path];

	p->parent = parent;
	p->length = (uint16_t)strlen(text);
	memcpy(p->name, text, strlen(text));
	p->state = RT_REGION_READY;
}

static int begin(void **state)
{
	(void)state;
	memset(&c, 0, sizeof c);
	assert_int_equal(source_open(&machine, "/", NULL), 0);
	assert_int_equal(channel_open_memory(&c), 0);
	channel_start(&c, &machine, 1e7);
	name(1, 0, "epoch");
	name(2, 1, "load");
	assert_int_equal(open_regions_attach(&seen, &machine, getpid()), 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	open_regions_detach(seen);
	channel_close(&c);
	source_close(&machine);
	return 0;
}

static void none_is_open(void **state)
{
	struct open_region r[4];

	(void)state;
	assert_int_equal(open_regions_now(r, 4, seen), 0);
}

static void threads_are_joined_by_path(void **state)
{
	struct open_region r[4];

	(void)state;
	open_in(0, 1, 30 * NS_PER_SECOND);
	open_in(0, 2, 2 * NS_PER_SECOND);
	open_in(3, 1, 10 * NS_PER_SECOND);
	assert_int_equal(open_regions_now(r, 4, seen), 2);
	assert_string_equal(r[0].path, "epoch");
	assert_int_equal(r[0].entries, 2);
	assert_true(r[0].seconds > 29.5);
	assert_string_equal(r[1].path, "epoch/load");
	assert_int_equal(r[1].entries, 1);
	assert_true(r[1].seconds > 1.9 && r[1].seconds < r[0].seconds);
	c.memory->lane[3].owner = 0;                    /* its thread is over */
	assert_int_equal(open_regions_now(r, 4, seen), 2);
	assert_int_equal(r[0].entries, 1);
}

static void what_has_no_room_is_counted(void **state)
{
	struct open_region r[1];

	(void)state;
	open_in(0, 1, 1);
	open_in(0, 2, 1);
	assert_int_equal(open_regions_now(r, 1, seen), 2);
	assert_string_equal(r[0].path, "epoch");
	assert_int_equal(open_regions_now(NULL, 0, seen), 2);
}

/* Any process of the job can write anything there, at any time. */
static void anything_can_stand_there(void **state)
{
	struct open_region r[16];
	unsigned seed = 5;

	(void)state;
	for (unsigned round = 0; round < 20; round++) {
		for (size_t i = offsetof(struct rt_region_channel, cpu_counter); i < sizeof *c.memory; i++) {
			seed = seed * 1103515245 + 12345;
			((unsigned char *)c.memory)[i] = (unsigned char)(seed >> 16);
		}
		c.memory->cpu_counter &= 1;
		(void)open_regions_now(r, 16, seen);
	}
	c.memory->magic = 0;
	assert_int_equal(open_regions_now(r, 16, seen), 0);
}

static void it_is_mapped_for_reading(void **state)
{
	const struct rt_region_channel *other;

	(void)state;
	assert_int_equal(mprotect((void *)(uintptr_t)seen, 4096, PROT_READ | PROT_WRITE), -1);
	channel_close(&c);
	assert_int_equal(open_regions_attach(&other, &machine, getpid()), -ENOENT);
	assert_int_equal(channel_open_memory(&c), 0);
}

/* Regression: it was mapped, and its owner could truncate it then: SIGBUS. */
static void one_without_a_seal_is_not_mapped(void **state)
{
	const struct rt_region_channel *other;
	int fd = memfd_create(RT_REGION_MEMFD, MFD_CLOEXEC);

	(void)state;
	channel_close(&c);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, sizeof(struct rt_region_channel)), 0);
	assert_int_equal(open_regions_attach(&other, &machine, getpid()), -ENOENT);
	(void)close(fd);
	assert_int_equal(channel_open_memory(&c), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(none_is_open, begin, end),
		cmocka_unit_test_setup_teardown(threads_are_joined_by_path, begin, end),
		cmocka_unit_test_setup_teardown(what_has_no_room_is_counted, begin, end),
		cmocka_unit_test_setup_teardown(anything_can_stand_there, begin, end),
		cmocka_unit_test_setup_teardown(it_is_mapped_for_reading, begin, end),
		cmocka_unit_test_setup_teardown(one_without_a_seal_is_not_mapped, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
