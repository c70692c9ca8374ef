/* test_sideband_parse.c - records of a perf ring as bytes: whole, wrapped, torn, and malformed. */
#include "fixture.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

#include "kernel/sideband_parse.h"

enum { SIZE = 256 };

struct stream { unsigned char at[SIZE]; uint64_t head; };

static void put(struct stream *s, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		s->at[s->head++ % SIZE] = ((const unsigned char *)bytes)[i];
}

static void put_header(struct stream *s, uint32_t type, uint16_t misc, size_t size)
{
	struct perf_event_header h = { .type = type, .misc = misc, .size = (uint16_t)size };

	put(s, &h, sizeof h);
}

static void put_task(struct stream *s, uint32_t type, uint32_t pid, uint32_t parent, uint32_t thread, uint64_t time)
{
	uint32_t ids[] = { pid, parent, thread, parent };

	put_header(s, type, 0, 40);
	put(s, ids, sizeof ids);
	put(s, &time, sizeof time);
	put(s, &time, sizeof time);
}

/* Names are padded with zeros to 8 or 16 bytes. */
static void put_comm(struct stream *s, uint16_t misc, uint32_t pid, uint32_t thread, const char *name, uint64_t time)
{
	uint32_t ids[] = { pid, thread };
	char padded[16] = "";
	size_t n = strlen(name) < 8 ? 8 : 16;

	(void)snprintf(padded, sizeof padded, "%s", name);
	put_header(s, PERF_RECORD_COMM, misc, 24 + n);
	put(s, ids, sizeof ids);
	put(s, padded, n);
	put(s, &time, sizeof time);
}

static struct sideband_ring ring_of(const struct stream *s, uint64_t tail)
{
	return (struct sideband_ring){ .at = s->at, .size = SIZE, .tail = tail, .head = s->head };
}

static void records_equal_those_written_by_the_kernel(void **state)
{
	struct stream s = { .head = 0 };
	struct sideband_record r;
	uint64_t lost[] = { 9, 1234, 55 };      /* id, lost, time */
	uint64_t read[] = { 102ULL << 32 | 101, 1500000, 0, 77 };      /* pid and thread, CPU time, lost, time */

	(void)state;
	put_task(&s, PERF_RECORD_FORK, 101, 100, 101, 11);
	put_comm(&s, PERF_RECORD_MISC_COMM_EXEC, 101, 101, "cc1", 22);
	put_comm(&s, 0, 101, 102, "fifteen letters", 33);
	put_header(&s, PERF_RECORD_LOST, 0, 32);
	put(&s, lost, sizeof lost);
	put_task(&s, PERF_RECORD_EXIT, 101, 100, 101, 66);
	put_header(&s, PERF_RECORD_READ, 0, 40);
	put(&s, read, sizeof read);

	struct sideband_ring ring = ring_of(&s, 0);

	assert_int_equal(sideband_parse(&r, &ring), 1);
	assert_int_equal(r.kind, SIDEBAND_FORK);
	assert_int_equal(r.pid, 101);
	assert_int_equal(r.thread, 101);
	assert_int_equal(r.parent, 100);
	assert_int_equal(r.time_ns, 11);
	assert_int_equal(ring.tail, 40);

	assert_int_equal(sideband_parse(&r, &ring), 1);
	assert_int_equal(r.kind, SIDEBAND_NAME);
	assert_string_equal(r.name, "cc1");
	assert_true(r.exec);
	assert_int_equal(r.time_ns, 22);

	assert_int_equal(sideband_parse(&r, &ring), 1);
	assert_string_equal(r.name, "fifteen letters");
	assert_false(r.exec);
	assert_int_equal(r.pid, 101);
	assert_int_equal(r.thread, 102);
	assert_int_equal(r.time_ns, 33);

	assert_int_equal(sideband_parse(&r, &ring), 1);
	assert_int_equal(r.kind, SIDEBAND_LOST);
	assert_int_equal(r.lost, 1234);
	assert_int_equal(r.time_ns, 55);

	assert_int_equal(sideband_parse(&r, &ring), 1);
	assert_int_equal(r.kind, SIDEBAND_EXIT);
	assert_int_equal(r.time_ns, 66);

	assert_int_equal(sideband_parse(&r, &ring), 1);
	assert_int_equal(r.kind, SIDEBAND_CPU_TIME);
	assert_int_equal(r.pid, 101);
	assert_int_equal(r.thread, 102);
	assert_int_equal(r.cpu_ns, 1500000);
	assert_int_equal(r.time_ns, 77);
	assert_int_equal(sideband_parse(&r, &ring), 0);
	assert_int_equal(ring.tail, ring.head);
}

/* A record can begin at any place, 8 bytes apart, before the ring's end, with its header or its body torn. */
static void records_wrap_at_any_place(void **state)
{
	(void)state;
	for (uint64_t begin = 0; begin < 2 * SIZE; begin += 8) {
		struct stream s = { .head = begin };
		struct sideband_record r;

		put_comm(&s, PERF_RECORD_MISC_COMM_EXEC, 7, 7, "twelve chars", 77);

		struct sideband_ring ring = ring_of(&s, begin);

		assert_int_equal(sideband_parse(&r, &ring), 1);
		assert_string_equal(r.name, "twelve chars");
		assert_int_equal(r.time_ns, 77);
		assert_int_equal(sideband_parse(&r, &ring), 0);
	}
}

static void records_of_other_kinds_are_skipped(void **state)
{
	struct stream s = { .head = 0 };
	struct sideband_record r;
	unsigned char large[104] = { 0xee };

	(void)state;
	put_header(&s, PERF_RECORD_MMAP2, 0, 8 + sizeof large);
	put(&s, large, sizeof large);
	put_header(&s, PERF_RECORD_THROTTLE, 0, 8);
	put_task(&s, PERF_RECORD_EXIT, 5, 4, 5, 1);

	struct sideband_ring ring = ring_of(&s, 0);

	assert_int_equal(sideband_parse(&r, &ring), 1);
	assert_int_equal(r.pid, 5);
}

/* Malformed bytes are skipped up to the head, and reported: the caller then walks the tree. */
static void nonsense_is_reported(void **state)
{
	static const struct { uint32_t type; uint16_t size; } bad[] = {
		{ PERF_RECORD_FORK, 0 }, { PERF_RECORD_FORK, 7 }, { PERF_RECORD_FORK, 16 },
		{ PERF_RECORD_FORK, 24 },
		{ PERF_RECORD_COMM, 8 }, { PERF_RECORD_COMM, 16 }, { PERF_RECORD_LOST, 24 }, { PERF_RECORD_EXIT, 96 },
		{ PERF_RECORD_MMAP, 4 }, { PERF_RECORD_MMAP, 208 }, { 77, 65528 },
	};

	(void)state;
	for (size_t i = 0; i < countof(bad); i++) {
		struct stream s = { .head = 0 };
		struct sideband_record r = { .pid = 42 };
		unsigned char rest[120] = { 0 };

		put_header(&s, bad[i].type, 0, bad[i].size);
		put(&s, rest, sizeof rest);

		struct sideband_ring ring = ring_of(&s, 0);

		assert_int_equal(sideband_parse(&r, &ring), -EBADMSG);
		assert_int_equal(ring.tail, ring.head);
		assert_int_equal(r.pid, 42);
		assert_int_equal(sideband_parse(&r, &ring), 0);
	}
}

/* Half a header, and a length larger than the ring. */
static void a_torn_stream_is_reported(void **state)
{
	struct stream s = { .head = 0 };
	struct sideband_record r;

	(void)state;
	put_task(&s, PERF_RECORD_FORK, 1, 2, 3, 4);

	struct sideband_ring half = { .at = s.at, .size = SIZE, .tail = 0, .head = 4 };
	struct sideband_ring cut = { .at = s.at, .size = SIZE, .tail = 0, .head = 32 };
	struct sideband_ring over = { .at = s.at, .size = SIZE, .tail = 0, .head = SIZE + 8 };

	assert_int_equal(sideband_parse(&r, &half), -EBADMSG);
	assert_int_equal(sideband_parse(&r, &cut), -EBADMSG);
	assert_int_equal(sideband_parse(&r, &over), -EBADMSG);
}

static ptrdiff_t cpus(int *ret, size_t room, const char *text)
{
	return sideband_parse_cpus(ret, room, text, strlen(text));
}

static void lists_of_cpus(void **state)
{
	int n[4] = { 0 };

	(void)state;
	assert_int_equal(cpus(n, 4, "0\n"), 1);
	assert_int_equal(n[0], 0);
	assert_int_equal(cpus(n, 4, "1-2,8,10-15\n"), 9);
	assert_int_equal(n[0], 1);
	assert_int_equal(n[1], 2);
	assert_int_equal(n[2], 8);
	assert_int_equal(n[3], 10);
	assert_int_equal(cpus(NULL, 0, "0-127"), 128);
	assert_int_equal(cpus(n, 4, ""), -EBADMSG);
	assert_int_equal(cpus(n, 4, "3-1"), -EBADMSG);
	assert_int_equal(cpus(n, 4, "1-"), -EBADMSG);
	assert_int_equal(cpus(n, 4, "0-99999999999"), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_equal_those_written_by_the_kernel),
		cmocka_unit_test(records_wrap_at_any_place),
		cmocka_unit_test(records_of_other_kinds_are_skipped),
		cmocka_unit_test(nonsense_is_reported),
		cmocka_unit_test(a_torn_stream_is_reported),
		cmocka_unit_test(lists_of_cpus),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
