/* test_heap.c - the recorder's allocator against what allocators promise. */
#include "fixture.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "heap/heap.h"

enum { BLOCKS = 400, STEPS = 40000 };

struct block { unsigned char *at; size_t n; unsigned char mark; };

static unsigned random_below(unsigned *seed, unsigned below)
{
	*seed = *seed * 1103515245 + 12345;
	return (*seed >> 8) % below;
}

/* Sizes from nothing to larger than what is mapped by itself; most are small. */
static size_t any_size(unsigned *seed)
{
	unsigned kind = random_below(seed, 100);

	return kind < 5 ? 0 : kind < 70 ? random_below(seed, 300) : kind < 95 ? random_below(seed, 9000)
								   : random_below(seed, 400000);
}

static void check(const struct block *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		assert_int_equal(b->at[i], b->mark);
}

static void step(struct block *b, unsigned *seed)
{
	size_t n = any_size(seed);

	if (!b->at) {
		bool clear = random_below(seed, 2);
		size_t alignment = (size_t)1 << random_below(seed, 13);

		b->at = clear ? heap_take(n, true) : heap_take_aligned(alignment, n);
		assert_non_null(b->at);
		assert_int_equal((uintptr_t)b->at % (clear ? 16 : alignment), 0);
		assert_true(heap_size(b->at) >= n);
		for (size_t i = 0; clear && i < n; i++)
			assert_int_equal(b->at[i], 0);
	} else if (random_below(seed, 2)) {
		check(b, b->n);
		heap_give(b->at);
		b->at = NULL;
		return;
	} else {
		unsigned char *moved = heap_resize(b->at, n);

		assert_non_null(moved);
		b->at = moved;
		check(b, n < b->n ? n : b->n);
	}
	b->n = n;
	b->mark = (unsigned char)random_below(seed, 256);
	memset(b->at, b->mark, heap_size(b->at));
}

static void *work(void *context)
{
	struct block *blocks = calloc(BLOCKS, sizeof *blocks);
	unsigned seed = (unsigned)(uintptr_t)context;

	for (int i = 0; i < STEPS; i++)
		step(&blocks[random_below(&seed, BLOCKS)], &seed);
	for (size_t i = 0; i < BLOCKS; i++) {
		if (blocks[i].at)
			check(&blocks[i], blocks[i].n);
		heap_give(blocks[i].at);
	}
	free(blocks);
	return NULL;
}

static void test_what_is_written_stays(void **state)
{
	(void)state;
	for (uintptr_t seed = 1; seed < 4; seed++)
		(void)work((void *)seed);
}

static void test_threads_do_not_meet(void **state)
{
	pthread_t thread[3];

	(void)state;
	for (uintptr_t i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, work, (void *)(i + 11)), 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
}

static void test_every_size_is_held_and_little_is_wasted(void **state)
{
	(void)state;
	for (size_t n = 1; n < 140000; n += n < 5000 ? 1 : 97) {
		void *block = heap_take(n, false);

		assert_true(heap_size(block) >= n);
		assert_true(heap_size(block) <= n + n / 4 + 16);
		heap_give(block);
	}
}

static void test_what_was_given_is_used_again(void **state)
{
	void *first = heap_take(3000, false);

	(void)state;
	memset(first, 0xff, 3000);
	heap_give(first);

	unsigned char *again = heap_take(2990, true);

	assert_ptr_equal(again, first);
	for (size_t i = 0; i < 2990; i++)
		assert_int_equal(again[i], 0);
	heap_give(again);
	heap_give(NULL);
}

static void test_more_than_there_is(void **state)
{
	static const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 15, SIZE_MAX - 16, SIZE_MAX / 2, PTRDIFF_MAX };
	unsigned char *block = heap_take(200000, false);

	(void)state;
	memset(block, 7, 200000);
	for (size_t i = 0; i < countof(sizes); i++) {
		errno = 0;
		assert_null(heap_take(sizes[i], true));
		assert_int_equal(errno, ENOMEM);
		errno = 0;
		assert_null(heap_take_aligned(4096, sizes[i]));
		assert_int_equal(errno, ENOMEM);
		errno = 0;
		assert_null(heap_resize(block, sizes[i]));
		assert_int_equal(errno, ENOMEM);
	}
	for (size_t i = 0; i < 200000; i++)
		assert_int_equal(block[i], 7);
	heap_give(block);
}

static void test_errno_is_left_alone(void **state)
{
	(void)state;
	errno = EXFULL;
	void *small = heap_take(20, true), *large = heap_take(1 << 20, true);

	heap_give(small);
	heap_give(large);
	assert_int_equal(errno, EXFULL);
}

/* The signal by which a child ends that does this; 0: it went on. */
static int signal_of(void (*harm)(void))
{
	pid_t child = fork();
	int status = 0;

	if (child == 0) {
		const struct rlimit none = { 0, 0 };

		(void)setrlimit(RLIMIT_CORE, &none);
		(void)signal(SIGILL, SIG_DFL);          /* cmocka catches it */
		(void)signal(SIGTRAP, SIG_DFL);
		harm();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void give_twice(void)
{
	void *block = heap_take(100, false);

	heap_give(block);
	heap_give(block);
}

static void overrun(void)
{
	char *block = heap_take(16, false);

	memset(block - 16, 'x', 16);            /* as from the block before it */
	heap_give(block);
}

static void test_mistakes_end_the_program(void **state)
{
	(void)state;
	assert_int_not_equal(signal_of(give_twice), 0);
	assert_int_not_equal(signal_of(overrun), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_written_stays),
		cmocka_unit_test(test_threads_do_not_meet),
		cmocka_unit_test(test_every_size_is_held_and_little_is_wasted),
		cmocka_unit_test(test_what_was_given_is_used_again),
		cmocka_unit_test(test_more_than_there_is),
		cmocka_unit_test(test_errno_is_left_alone),
		cmocka_unit_test(test_mistakes_end_the_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
