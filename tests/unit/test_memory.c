/* test_memory.c - /proc/meminfo and /proc/vmstat. */
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "collect/memory.h"

#define KIB(n) (1024.0 * (n))

static void broken_text_is_refused(void **state)
{
	struct meminfo m;
	struct vmstat v;

	(void)state;
	assert_int_equal(meminfo_parse(&m, "", 0, NULL), -EBADMSG);
	assert_int_equal(meminfo_parse(&m, "MemTotal:", 9, NULL), -EBADMSG);
	assert_int_equal(meminfo_parse(&m, "NotMemTotal: 5 kB\n", 18, NULL), -EBADMSG);
	assert_int_equal(meminfo_parse(&m, "MemTotal: 5", 11, NULL), 0);
	assert_int_equal(m.value[MEMINFO_TOTAL], 5);
	assert_int_equal(vmstat_parse(&v, "pgfault_x 5\n", 12, NULL), -EBADMSG);
	assert_int_equal(vmstat_parse(&v, "oom_kill 5\npswpin 6\n", 20, NULL), 0);  /* in any order */
	assert_int_equal(v.value[VMSTAT_SWAP_IN], 6);
}

static void levels_and_amounts(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	fixture_open(&f, "bare-metal");
	fixture_begin(&f, &collector_memory);
	assert_near(t->memory_total_bytes, KIB(16301000));
	assert_near(t->memory_free_bytes, KIB(2101000));
	assert_near(t->memory_available_bytes, KIB(9801000));
	assert_near(t->memory_used_bytes, KIB(6500000));
	assert_near(t->memory_used_pct, 100 * 6500000.0 / 16301000);
	assert_near(t->memory_buffers_bytes, KIB(301000));
	assert_near(t->memory_cached_bytes, KIB(7420000));      /* with SReclaimable, not KReclaimable */
	assert_near(t->memory_active_bytes, KIB(5200000));
	assert_near(t->memory_inactive_bytes, KIB(6100000));
	assert_near(t->memory_active_anon_bytes, KIB(2900000));
	assert_near(t->memory_inactive_anon_bytes, KIB(700000));
	assert_near(t->memory_shmem_bytes, KIB(210000));
	assert_near(t->memory_dirty_bytes, KIB(1200));
	assert_near(t->memory_writeback_bytes, KIB(64));        /* not WritebackTmp */
	assert_near(t->memory_committed_bytes, KIB(6201344));
	assert_near(t->memory_huge_pages_total_bytes, KIB(1081344));
	assert_near(t->memory_huge_pages_free_bytes, KIB(10 * 2048));
	assert_near(t->memory_transparent_huge_bytes, KIB(614400));
	assert_near(t->memory_swap_total_bytes, KIB(2097148));
	assert_near(t->memory_swap_used_bytes, KIB(97148));
	assert_near(t->memory_swap_used_pct, 100 * 97148.0 / 2097148);
	assert_none(t->memory_minor_faults);
	assert_none(t->memory_oom_kills);

	fixture_advance(&f, 1, 1);
	assert_near(t->memory_used_bytes, KIB(7500000));
	assert_near(t->memory_dirty_bytes, KIB(5200));
	assert_near(t->memory_minor_faults, 70000 - 12);
	assert_near(t->memory_major_faults, 12);
	assert_near(t->memory_swap_in_bytes, 30 * 4096);
	assert_near(t->memory_swap_out_bytes, 500 * 4096);
	assert_near(t->memory_oom_kills, 1);
	fixture_close(&f);
}

static void old_kernels_lack_some_lines(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	fixture_open(&f, "no-pressure");
	fixture_begin(&f, &collector_memory);
	assert_near(t->memory_available_bytes, KIB(1000000 + 200000 + 900000 + 100000));
	assert_near(t->memory_used_bytes, KIB(4047000 - 2200000));
	assert_near(t->memory_huge_pages_total_bytes, KIB(3 * 2048));   /* no Hugetlb line */
	assert_near(t->memory_swap_used_pct, 0);
	fixture_advance(&f, 1, 1);
	assert_near(t->memory_minor_faults, 500);
	assert_none(t->memory_oom_kills);
	fixture_close(&f);
}

static void a_missing_line_affects_no_other_value(void **state)
{
	static const char text[] =
		"MemTotal: 1000 kB\nMemFree: 100 kB\nActive: 7 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n";
	struct totals t;
	struct meminfo m;

	(void)state;
	assert_int_equal(meminfo_parse(&m, text, strlen(text), NULL), 0);
	meminfo_derive(&t, &m);
	assert_near(t.memory_total_bytes, KIB(1000));
	assert_near(t.memory_active_bytes, KIB(7));
	assert_near(t.memory_swap_used_pct, 0);
	assert_none(t.memory_active_anon_bytes);
	assert_none(t.memory_cached_bytes);
	assert_none(t.memory_available_bytes);
	assert_none(t.memory_used_bytes);
	assert_none(t.memory_used_pct);
	assert_none(t.memory_huge_pages_free_bytes);
}

static void amounts_need_two_readings_of_vmstat(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	fixture_open(&f, "bare-metal");
	fixture_write(&f, "proc/vmstat", "nothing known\n");
	fixture_begin(&f, &collector_memory);
	fixture_write(&f, "proc/vmstat", "pgfault 10\npgmajfault 1\n");
	assert_int_equal(fixture_read(&f), 0);
	assert_none(t->memory_minor_faults);
	fixture_write(&f, "proc/vmstat", "pgfault 30\npgmajfault 2\n");
	assert_int_equal(fixture_read(&f), 0);
	assert_near(t->memory_minor_faults, 19);
	assert_none(t->memory_swap_in_bytes);
	fixture_close(&f);
}

/* After an interval of any length: lines before, between and behind the needed ones, with numbers of so many digits. */
static void write_vmstat(struct fixture *f, size_t digits, unsigned faults, unsigned kills)
{
	static const char nines[] = "99999999999999999999";
	char text[8192] = "";
	size_t n = 0;

	for (unsigned i = 0; i < 120; i++) {
		if (i == 40)
			n += (size_t)snprintf(text + n, sizeof text - n, "pswpin 0\npswpout 0\npgfault %u\npgmajfault 0\n",
					      faults);
		if (i == 80)
			n += (size_t)snprintf(text + n, sizeof text - n, "oom_kill %u\n", kills);
		n += (size_t)snprintf(text + n, sizeof text - n, "nr_other_%u %.*s\n", i, (int)digits, nines);
	}
	fixture_write(f, "proc/vmstat", text);
}

static void vmstat_can_grow_beyond_its_buffer(void **state)
{
	static const size_t digits[] = { 1, 1, 2, 3, 12, 19, 2, 2 };
	struct fixture f;

	(void)state;
	fixture_open(&f, "bare-metal");
	write_vmstat(&f, 1, 100, 7);
	fixture_begin(&f, &collector_memory);
	for (unsigned i = 0; i < countof(digits); i++) {
		write_vmstat(&f, digits[i], 1000 * (i + 1), 8 + i);
		assert_int_equal(fixture_read(&f), 0);
		assert_near(f.sample.total.memory_minor_faults, i > 0 ? 1000 : 900);
		assert_near(f.sample.total.memory_oom_kills, 1);
	}
	fixture_close(&f);
}

static void lines_are_read_whole(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "bare-metal");
	fixture_write(&f, "proc/some", "one 1\ntwo 22\nthree 333\n");
	assert_int_equal(text_read_at(&f.text, f.source.proc, "some"), 0);

	auto_close int fd = openat(f.source.proc, "some", O_RDONLY | O_CLOEXEC);

	assert_int_equal(text_read_lines(&f.text, fd, 12), 0);
	assert_string_equal(f.text.at, "one 1\n");
	assert_int_equal(text_read_lines(&f.text, fd, 13), 0);
	assert_string_equal(f.text.at, "one 1\ntwo 22\n");
	assert_int_equal(f.text.len, 13);
	assert_int_equal(text_read_lines(&f.text, fd, 4), 0);
	assert_string_equal(f.text.at, "");
	assert_int_equal(text_read_lines(&f.text, fd, 100), 0);
	assert_int_equal(f.text.len, 23);
	assert_int_equal(text_read_lines(&f.text, fd, 0), 0);
	assert_int_equal(f.text.len, 23);
	fixture_close(&f);
}

/* The kernel computes the two lines at different instants. */
static void more_memory_available_than_present(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "vm");
	fixture_begin(&f, &collector_memory);
	assert_near(f.sample.total.memory_swap_used_bytes, 0);
	fixture_advance(&f, 1, 1);
	assert_near(f.sample.total.memory_used_bytes, 0);
	assert_near(f.sample.total.memory_minor_faults, 0);
	assert_near(f.sample.total.memory_major_faults, 55);
	fixture_close(&f);
}

static void pages_of_64_kib(void **state)
{
	struct fixture f;
	const struct totals *t = &f.sample.total;

	(void)state;
	fixture_open(&f, "aarch64");
	f.source.page_bytes = 65536;
	fixture_begin(&f, &collector_memory);
	assert_near(t->memory_huge_pages_free_bytes, KIB(524288));
	assert_near(t->memory_huge_pages_total_bytes, KIB(1048576));
	fixture_advance(&f, 1, 1);
	assert_near(t->memory_swap_in_bytes, 2 * 65536);
	assert_near(t->memory_swap_out_bytes, 5 * 65536);
	assert_near(t->memory_swap_used_bytes, KIB(1388544));
	fixture_close(&f);
}

static void a_machine_without_vmstat_or_meminfo(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "bare-metal");
	fixture_write(&f, "proc/vmstat", NULL);
	fixture_begin(&f, &collector_memory);
	assert_int_equal(fixture_read(&f), 0);
	assert_near(f.sample.total.memory_total_bytes, KIB(16301000));
	assert_none(f.sample.total.memory_minor_faults);
	fixture_write(&f, "proc/meminfo", "");
	assert_int_equal(fixture_read(&f), -EBADMSG);
	fixture_close(&f);

	fixture_open(&f, "bare-metal");
	fixture_write(&f, "proc/meminfo", NULL);
	assert_int_equal(fixture_start(&f, &collector_memory), -ENOENT);
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(broken_text_is_refused),
		cmocka_unit_test(levels_and_amounts),
		cmocka_unit_test(old_kernels_lack_some_lines),
		cmocka_unit_test(a_missing_line_affects_no_other_value),
		cmocka_unit_test(amounts_need_two_readings_of_vmstat),
		cmocka_unit_test(vmstat_can_grow_beyond_its_buffer),
		cmocka_unit_test(lines_are_read_whole),
		cmocka_unit_test(more_memory_available_than_present),
		cmocka_unit_test(pages_of_64_kib),
		cmocka_unit_test(a_machine_without_vmstat_or_meminfo),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
