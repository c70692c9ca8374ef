/* test_members.c - the memory of members: blocks, the table, and the behaviour without memory. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "collect/process.h"
#include "tree/tree_state.h"

static bool no_memory;

/* The code under test calls this malloc (part-members.cmake). */
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_malloc(size_t n)
{
	return no_memory ? NULL : __real_malloc(n);
}

/* ---- blocks ----------------------------------------------------------------------------- */

static void blocks_are_zeroed_and_reused(void **state)
{
	enum { MANY = 3000, SIZE = 48 };
	struct blocks b = { .size = SIZE };
	static char *taken[MANY];
	char zeros[SIZE] = "";

	(void)state;
	for (size_t i = 0; i < MANY; i++) {
		taken[i] = blocks_take(&b);
		assert_memory_equal(taken[i], zeros, SIZE);
		memset(taken[i], (int)(i % 255) + 1, SIZE);
	}
	for (size_t i = 0; i < MANY; i++) {             /* no block is given out twice */
		assert_int_equal((unsigned char)taken[i][0], i % 255 + 1);
		assert_int_equal((unsigned char)taken[i][SIZE - 1], i % 255 + 1);
	}

	size_t chunks = b.chunks;

	for (size_t i = 0; i < MANY; i++)
		blocks_give(&b, taken[i]);
	for (size_t i = 0; i < MANY; i++)
		assert_memory_equal(blocks_take(&b), zeros, SIZE);
	assert_int_equal(b.chunks, chunks);
	blocks_release(&b);
	assert_int_equal(b.size, SIZE);
	assert_int_equal(b.chunks, 0);
}

static void blocks_fail_and_go_on(void **state)
{
	struct blocks b = { .size = 1000 };
	size_t taken = 0;

	(void)state;
	assert_non_null(blocks_take(&b));
	no_memory = true;
	while (blocks_take(&b))
		taken++;
	assert_true(taken > 10);
	assert_null(blocks_take(&b));
	no_memory = false;
	assert_non_null(blocks_take(&b));
	blocks_release(&b);
}

/* ---- the table -------------------------------------------------------------------------- */

static void members_stay_in_order_and_lose_nothing(void **state)
{
	enum { MANY = 1000 };
	struct members m;

	(void)state;
	members_open(&m);
	for (pid_t pid = 1; pid <= MANY; pid++) {
		struct member *p = members_add(&m, pid);

		assert_non_null(p);
		assert_null(p->account.waited);
		if (pid % 3 == 0)
			members_waited(&m, p)->figures[CPU_NS] = (uint64_t)pid;
		m.glance[p->at].clock_ns = pid;
	}
	for (pid_t pid = 1; pid <= MANY; pid++)
		members_find(&m, pid)->gone = pid % 2 == 0;
	members_compact(&m);
	assert_int_equal(m.n, MANY / 2);
	for (size_t i = 0; i < m.n; i++) {
		struct member *p = m.order[i];

		assert_int_equal(p->pid, 2 * i + 1);
		assert_int_equal(p->at, i);
		assert_int_equal(m.glance[i].pid, p->pid);
		assert_int_equal(m.glance[i].clock_ns, p->pid);
		assert_int_equal(member_waited(p, CPU_NS), p->pid % 3 == 0 ? p->pid : 0);
	}
	assert_null(members_find(&m, 2));

	/* A new member has nothing of those removed. */
	struct member *next = members_add(&m, 2);

	assert_null(next->account.waited);
	assert_int_equal(members_waited(&m, next)->figures[CPU_NS], 0);
	assert_ptr_equal(members_waited(&m, next), next->account.waited);
	members_release(&m);
}

/* ---- a tree without memory -------------------------------------------------------------- */

static struct fixture f;
static pid_t root = 500;
static struct tree_options options = { .roots = &root, .n_roots = 1, .pss = PSS_NEVER };

/* The root, asleep, with so many ticks of children that it waited for. */
static void put_root(unsigned user, unsigned child_user)
{
	char text[256];

	(void)snprintf(text, sizeof text, "500 (work) S 1 1 1 0 -1 0 10 %u 0 0 %u 0 %u 0 20 0 1 0 1000 10485760 "
		       "256 1 1 2 3 4 5 0 0 0 0 0 0 0 17 1 0 0 0 0 0\n", child_user, user, child_user);
	fixture_write(&f, "proc/500/stat", text);
}

static struct totals *tick(double seconds)
{
	f.now_ns += (int64_t)(seconds * 1e9);
	assert_int_equal(fixture_read(&f), 0);
	return &f.sample.total;
}

static void time_of_children_waits_for_memory(void **state)
{
	struct totals *t;

	(void)state;
	fixture_open(&f, "bare-metal");
	f.setup.tree = &options;
	put_root(10, 0);
	fixture_write(&f, "proc/500/statm", "2560 256 10 1 0 90 0\n");
	assert_int_equal(fixture_start(&f, &collector_process), 0);
	assert_near(tick(1)->process_count, 1);

	struct tree *tree = ((struct process *)f.state)->tree;

	put_root(30, 50);
	no_memory = true;
	t = tick(1);
	no_memory = false;
	assert_near(t->process_count, 1);
	assert_near(t->process_cpu_seconds, 0);         /* nothing by halves */
	assert_string_equal(tree_notice(tree), "out of memory: the use of some processes' children is counted late");
	assert_null(tree_notice(tree));
	put_root(31, 50);
	t = tick(1);
	assert_near(t->process_cpu_seconds, 0.71);
	assert_near(t->process_minor_faults, 50);
	assert_null(tree_notice(tree));
	fixture_close(&f);
}

/* The case of a kernel that counts waits for disks, known from the second reading on. */
static void each_member_has_room_for_all_values(void **state)
{
	struct members m;
	struct member *a, *b;

	(void)state;
	members_open(&m);
	a = members_add(&m, 1);
	b = members_add(&m, 2);
	assert_non_null(a);
	assert_non_null(b);
	memset(&a->visits.block, 0xff, sizeof a->visits.block);
	assert_int_equal(b->pid, 2);
	assert_null(b->chain);
	assert_int_equal(b->start_ticks, 0);
	members_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_zeroed_and_reused),
		cmocka_unit_test(blocks_fail_and_go_on),
		cmocka_unit_test(members_stay_in_order_and_lose_nothing),
		cmocka_unit_test(each_member_has_room_for_all_values),
		cmocka_unit_test(time_of_children_waits_for_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
