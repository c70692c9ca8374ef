/*
 * test_pss_bounds.c - the bounds of PSS contain the truth for any use of memory.
 *
 * A small machine of pages with lists of the processes that map them, so that the truth is a count: processes fork,
 * exec, end, fault pages in, write to shared pages and free pages, at random.
 */
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collect/process.h"
#include "tree/tree_state.h"

enum {
	PROCESSES = 8, OUTSIDE = 0,             /* process 0 is outside of the tree, and shares its files */
	PAGES = 160, PAGE_KIB = 2048,           /* a fault maps one huge page at most */
	ROOT_PID = 500, LIVES = 8,
};

struct page { unsigned mappers; bool file; };

struct acted {
	pid_t pid, parent;                      /* pid 0: no process */
	unsigned long stack, faults, start;
	bool known;                             /* it was read since its fork */
};

static bool small;                              /* all pages are of the smallest size, which is PAGE_KIB too */
static struct page pages[PAGES];
static struct acted processes[PROCESSES];
static struct fixture f;
static pid_t next_pid;
static uint64_t seed;

static unsigned chance(unsigned n)
{
	seed = seed * UINT64_C(6364136223846793005) + 1;
	return (unsigned)(seed >> 33) % n;
}

static double in_kib(unsigned process, bool file, bool shares)
{
	double sum = 0;

	for (size_t i = 0; i < PAGES; i++)
		if (pages[i].file == file && pages[i].mappers >> process & 1)
			sum += shares ? (double)PAGE_KIB / __builtin_popcount(pages[i].mappers) : PAGE_KIB;
	return sum;
}

static double truth(void)
{
	double sum = 0;

	for (unsigned p = 1; p < PROCESSES; p++)
		if (processes[p].pid)
			sum += in_kib(p, false, true) + in_kib(p, true, true);
	return sum * 1024;
}

/* ---- actions of processes --------------------------------------------------------------- */

static void fault_in(unsigned p, bool file)
{
	for (size_t tries = 0; tries < PAGES; tries++) {
		struct page *page = &pages[chance(PAGES)];

		if (file ? page->file && !(page->mappers >> p & 1) : !page->file && page->mappers == 0) {
			page->mappers |= 1U << p;
			processes[p].faults++;
			return;
		}
	}
}

static void give_back(unsigned p)
{
	pages[chance(PAGES)].mappers &= ~(1U << p);
}

static void write_to(unsigned p)
{
	struct page *page = &pages[chance(PAGES)];

	if (page->file || !(page->mappers >> p & 1) || __builtin_popcount(page->mappers) < 2)
		return;
	page->mappers &= ~(1U << p);
	fault_in(p, false);
}

static void leave_memory(unsigned p)
{
	for (size_t i = 0; i < PAGES; i++)
		pages[i].mappers &= ~(1U << p);
}

static void fork_from(unsigned p)
{
	unsigned child = 1;

	while (child < PROCESSES && processes[child].pid)
		child++;
	if (child == PROCESSES)
		return;
	next_pid++;
	processes[child] = (struct acted){ .pid = next_pid, .parent = processes[p].pid, .stack = processes[p].stack,
					   .start = (unsigned long)next_pid };
	for (size_t i = 0; i < PAGES; i++)
		pages[i].mappers |= (pages[i].mappers >> p & 1) << child;
}

static void put(const struct acted *p, const char *file, const char *text)
{
	char path[96];

	(void)snprintf(path, sizeof path, "proc/%d/%s", (int)p->pid, file);
	fixture_write(&f, path, text);
}

/* An attached tracker loses a process if its parent ends before it was found: that is not tested here. */
static bool may_end(unsigned p)
{
	for (unsigned child = 1; child < PROCESSES; child++)
		if (processes[child].pid && processes[child].parent == processes[p].pid && !processes[child].known)
			return false;
	return p > 1;
}

static void end(unsigned p)
{
	char path[48];

	leave_memory(p);
	(void)snprintf(path, sizeof path, "task/%d/children", (int)processes[p].pid);
	put(&processes[p], path, NULL);
	put(&processes[p], "smaps_rollup", NULL);
	put(&processes[p], "statm", NULL);
	put(&processes[p], "stat", NULL);
	for (unsigned child = 1; child < PROCESSES; child++)
		if (processes[child].parent == processes[p].pid)
			processes[child].parent = 1;
	processes[p].pid = 0;
}

static void act(unsigned p)
{
	switch (chance(12)) {
	case 0: case 1: fault_in(p, false); break;
	case 2: fault_in(p, true); break;
	case 3: case 4: case 5: give_back(p); break;
	case 6: case 7: case 8: write_to(p); break;
	case 9:
		if (chance(2) == 0)
			fork_from(p);
		break;
	case 10:
		if (chance(8) == 0) {
			leave_memory(p);
			processes[p].stack = 1000 + chance(1 << 20) * 16;
		}
		break;
	default:
		if (chance(3) == 0 && may_end(p))
			end(p);
	}
}

/* ---- as files --------------------------------------------------------------------------- */

static void write_files(unsigned p)
{
	const struct acted *a = &processes[p];
	double anonymous = in_kib(p, false, false), file = in_kib(p, true, false);
	double anonymous_pss = in_kib(p, false, true), file_pss = in_kib(p, true, true);
	double page_kib = small ? PAGE_KIB : 4;
	char text[512], path[48];
	size_t n = 0;

	(void)snprintf(text, sizeof text, "%d (work) S %d 1 1 0 -1 0 %lu 0 0 0 1 1 0 0 20 0 1 0 %lu 10485760 %.0f "
		       "1 1 2 %lu 4 5 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n", (int)a->pid, (int)a->parent, a->faults, 1000 + a->start,
		       (anonymous + file) / page_kib, a->stack);
	put(a, "stat", text);
	(void)snprintf(text, sizeof text, "99999 %.0f %.0f 1 0 90 0\n", (anonymous + file) / page_kib, file / page_kib);
	put(a, "statm", text);
	put(a, "cmdline", "work");
	(void)snprintf(text, sizeof text, "Rss: %.0f kB\nPss: %ld kB\nPss_Anon: %ld kB\nPss_File: %ld kB\nAnonymous: %.0f kB\n",
		       anonymous + file, (long)(anonymous_pss + file_pss), (long)anonymous_pss, (long)file_pss,
		       anonymous);
	put(a, "smaps_rollup", text);
	text[0] = '\0';
	for (unsigned child = 1; child < PROCESSES; child++)
		if (processes[child].pid && processes[child].parent == a->pid)
			n += (size_t)snprintf(text + n, sizeof text - n, "%d ", (int)processes[child].pid);
	(void)snprintf(path, sizeof path, "task/%d/children", (int)a->pid);
	put(a, path, text);
}

struct widths { double sum, rss; };

static void live_for(unsigned passes, enum pss_policy policy, bool outside_relative, struct widths *ret)
{
	const pid_t root = ROOT_PID;
	struct tree_options options = { .roots = &root, .n_roots = 1, .pss = policy };

	fixture_open(&f, "bare-metal");
	f.no_huge_pages = small;
	if (small)
		f.source.page_bytes = PAGE_KIB * 1024;
	memset(processes, 0, sizeof processes);
	next_pid = ROOT_PID;
	for (size_t i = 0; i < PAGES; i++)
		pages[i] = (struct page){ .file = i % 2 == 0, .mappers = i % 10 == 0 ? 1 << OUTSIDE : 0 };
	processes[OUTSIDE] = (struct acted){ .pid = 400, .parent = 1, .stack = outside_relative ? 999 : 77 };
	processes[1] = (struct acted){ .pid = ROOT_PID, .parent = 1, .stack = 999 };
	for (unsigned i = 0; i < 40; i++)
		fault_in(1, i % 3 == 0);
	if (outside_relative)
		for (size_t i = 0; i < PAGES; i++)
			pages[i].mappers |= pages[i].mappers >> 1 & 1;
	write_files(OUTSIDE);
	write_files(1);
	f.setup.tree = &options;
	assert_int_equal(fixture_start(&f, &collector_process), 0);

	for (unsigned i = 0; i < passes; i++) {
		for (unsigned actions = chance(3) == 0 ? 0 : chance(10); actions > 0; actions--) {
			unsigned p = 1 + chance(PROCESSES - 1);

			act(processes[p].pid ? p : 1);
		}
		for (unsigned p = 1; p < PROCESSES; p++)
			if (processes[p].pid)
				write_files(p);
		f.brief = chance(2) == 0;               /* PSS is not read in it */
		f.now_ns += (1 + (int64_t)chance(100)) * (chance(5) == 0 ? 500000000 : 5000000);
		assert_int_equal(fixture_read(&f), 0);

		const struct totals *t = &f.sample.total;
		double pss = truth(), room = 1024;      /* the truth is rounded to whole KiB, as it is read */

		if (t->process_pss_lower_bytes > pss + room || t->process_pss_upper_bytes < pss - room)
			fail_msg("pass %u: %.0f is not in %.0f to %.0f", i, pss, t->process_pss_lower_bytes,
				 t->process_pss_upper_bytes);
		for (unsigned p = 1; p < PROCESSES; p++)
			processes[p].known = processes[p].pid > 0;
		ret->sum += t->process_pss_upper_bytes - t->process_pss_lower_bytes;
		ret->rss += t->process_rss_bytes;
	}
	fixture_close(&f);
	f.state = NULL;
}

static void live_by_all_policies(void)
{
	struct widths widths[3] = { { 0 } };

	for (unsigned life = 1; life <= LIVES; life++) {
		seed = life;
		live_for(50, PSS_AUTO, life % 4 == 0, &widths[PSS_AUTO]);
	}
	for (enum pss_policy policy = PSS_ALWAYS; policy <= PSS_NEVER; policy++) {
		seed = 1;
		live_for(50, policy, false, &widths[policy]);
	}
	/* The bounds are useful: the more is read, the narrower they are. */
	for (size_t i = 0; i < countof(widths); i++)
		widths[i].sum /= widths[i].rss;
	assert_true(widths[PSS_ALWAYS].sum < widths[PSS_AUTO].sum);
	assert_true(widths[PSS_AUTO].sum < widths[PSS_NEVER].sum);
	assert_true(widths[PSS_NEVER].sum < 0.8);
}

static void the_truth_is_between_the_bounds(void **state)
{
	(void)state;
	live_by_all_policies();
}

static void the_truth_is_between_the_bounds_without_huge_pages(void **state)
{
	(void)state;
	small = true;
	live_by_all_policies();
	small = false;
}

static unsigned asked, writes_due;

/* The clock is read as a pass begins, and again as a reading begins: at that moment the child writes to shared
 * pages. */
static int64_t clock_and_writer(void *clock)
{
	for (asked++; asked > 1 && writes_due > 0; writes_due--) {
		pages[writes_due].mappers &= ~(1U << 2);
		pages[60 + writes_due].mappers = 1U << 2;
		processes[2].faults++;
		write_files(1);
		write_files(2);
	}
	return *(int64_t *)clock;
}

static void start_with(unsigned long stack)
{
	static const pid_t root = ROOT_PID;
	static struct tree_options options = { .roots = &root, .n_roots = 1, .pss = PSS_AUTO };

	fixture_open(&f, "bare-metal");
	f.no_huge_pages = small;
	if (small)
		f.source.page_bytes = PAGE_KIB * 1024;
	f.source.monotonic_ns = clock_and_writer;
	memset(processes, 0, sizeof processes);
	memset(pages, 0, sizeof pages);
	next_pid = ROOT_PID;
	processes[1] = (struct acted){ .pid = ROOT_PID, .parent = 1, .stack = stack };
	for (size_t i = 0; i < 20; i++)
		pages[i].mappers = 1 << 1;
	write_files(1);
	f.setup.tree = &options;
	assert_int_equal(fixture_start(&f, &collector_process), 0);
}

/* Bounds in pages at the next reading, in which no PSS is read. */
struct pss_bounds { double lower, upper; };

static struct pss_bounds bounds_now(void)
{
	const struct totals *t = &f.sample.total;

	for (unsigned p = 1; p < PROCESSES; p++)
		if (processes[p].pid)
			write_files(p);
	f.brief = true;
	f.now_ns += 10000000;
	assert_int_equal(fixture_read(&f), 0);
	return (struct pss_bounds){ t->process_pss_lower_bytes / 1024 / PAGE_KIB,
				    t->process_pss_upper_bytes / 1024 / PAGE_KIB };
}

static void read_all(void)
{
	(void)bounds_now();                     /* new processes are found */
	f.brief = false;
	f.now_ns += 10000000;
	assert_int_equal(fixture_read(&f), 0);
}

static void a_program_alone_needs_no_reading(void **state)
{
	struct pss_bounds b;

	(void)state;
	start_with(999);
	b = bounds_now();
	assert_near(b.lower, 20);
	assert_near(b.upper, 20);
	fixture_close(&f);

	start_with(0);                          /* its stack is out of view: it can share all its pages */
	b = bounds_now();
	assert_near(b.lower, 0);
	assert_near(b.upper, 20);
	fixture_close(&f);
	f.state = NULL;
}

static void readings_bound_gains_and_losses_of_members(void **state)
{
	struct pss_bounds b;

	(void)state;
	start_with(999);
	fork_from(1);
	b = bounds_now();
	assert_near(b.lower, 20);               /* it can share all of it */
	assert_near(b.upper, 40);
	read_all();
	b = bounds_now();
	assert_near(b.lower, 20);
	assert_true(b.upper > 20 && b.upper < 20.01);
	for (size_t i = 20; i < 50; i++)        /* each gains 15 of its own */
		pages[i].mappers = 1U << (1 + i % 2);
	processes[1].faults += 15;
	processes[2].faults += 15;
	assert_near(bounds_now().lower, 50);
	for (size_t i = 20; i < 40; i++)        /* and frees 10 of them */
		pages[i].mappers = 0;
	assert_near(bounds_now().lower, 30);
	fork_from(1);                           /* now it can share those that are left */
	assert_near(bounds_now().lower, 25);    /* the largest */
	read_all();
	b = bounds_now();                       /* thirds of a page, in whole KiB */
	assert_true(b.lower > 29.99 && b.lower <= 30);
	fixture_close(&f);
	f.state = NULL;
}

static double value_now(void)
{
	(void)bounds_now();
	return f.sample.total.process_pss_bytes / 1024 / PAGE_KIB;
}

/* The kernel copies no file mappings at a fork, and each of many workers maps the program's files again. */
static void files_mapped_anew_were_the_parents(void **state)
{
	(void)state;
	start_with(999);
	for (size_t i = 20; i < 23; i++)
		pages[i] = (struct page){ .mappers = 1 << 1, .file = true };
	processes[1].faults++;
	read_all();
	assert_near(value_now(), 23);
	fork_from(1);
	for (size_t i = 20; i < 23; i++)
		pages[i].mappers = 1 << 1;
	assert_near(value_now(), 23);
	for (size_t i = 20; i < 23; i++)
		pages[i].mappers |= 1 << 2;
	processes[2].faults++;
	assert_true(fabs(value_now() - 23) < 0.01);
	pages[23] = (struct page){ .mappers = 1 << 2, .file = true };
	processes[2].faults++;                  /* its parent does not map this one */
	assert_true(fabs(value_now() - 24) < 0.01);
	fixture_close(&f);
	f.state = NULL;
}

static void pages_written_during_a_reading_count_once(void **state)
{
	(void)state;
	small = true;
	start_with(999);
	read_all();
	fork_from(1);
	for (size_t i = 0; i < 20; i++)         /* the bounds become wide enough for a reading */
		pages[30 + i].mappers = 1U << (1 + i % 2);
	processes[1].faults += 10;
	processes[2].faults += 10;
	(void)bounds_now();
	f.brief = false;
	f.now_ns += 10000000;
	writes_due = 8;
	asked = 0;
	assert_int_equal(fixture_read(&f), 0);
	assert_int_equal(writes_due, 0);
	assert_near(truth() / 1024 / PAGE_KIB, 48);
	assert_true(fabs(value_now() - 48) < 0.01);
	small = false;
	fixture_close(&f);
	f.state = NULL;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_alone_needs_no_reading),
		cmocka_unit_test(readings_bound_gains_and_losses_of_members),
		cmocka_unit_test(files_mapped_anew_were_the_parents),
		cmocka_unit_test(pages_written_during_a_reading_count_once),
		cmocka_unit_test(the_truth_is_between_the_bounds),
		cmocka_unit_test(the_truth_is_between_the_bounds_without_huge_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
