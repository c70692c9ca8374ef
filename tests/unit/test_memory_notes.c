/* test_memory_notes.c - notes of memory use from programs, kept until the tree is read. */
#include "fixture.h"

#include "regions/memory_notes.h"

static void add(struct memory_notes *m, int64_t from_ns, int64_t until_ns)
{
	memory_notes_add(m, &(struct memory_note){ .pid = 1, .from_ns = from_ns, .until_ns = until_ns,
						   .rss_bytes = 1 });
}

static void next_is(struct memory_notes *m, int64_t by_ns, int64_t until_ns)
{
	struct memory_note t;

	assert_true(memory_notes_next(m, by_ns, &t));
	assert_int_equal(t.until_ns, until_ns);
}

/* Threads send notes in any order; a note newer than a reading waits for the next one. */
static void test_order(void **state)
{
	(void)state;
	struct memory_notes m = { 0 };
	struct memory_note t;

	assert_false(memory_notes_next(&m, INT64_MAX, &t));
	add(&m, 30, 35);
	add(&m, 10, 15);
	add(&m, 20, 50);
	add(&m, 40, 39);                                /* none */
	next_is(&m, 40, 15);
	next_is(&m, 40, 35);
	assert_false(memory_notes_next(&m, 40, &t));
	next_is(&m, 50, 50);
	assert_false(memory_notes_next(&m, INT64_MAX, &t));
}

static void test_too_many(void **state)
{
	(void)state;
	struct memory_notes m = { 0 };

	for (int64_t i = 0; i < MEMORY_NOTES_MAX + 5; i++)
		add(&m, i, i);
	assert_int_equal(m.n, MEMORY_NOTES_MAX);
	for (int64_t i = 0; i < MEMORY_NOTES_MAX; i++)
		next_is(&m, INT64_MAX, i + 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
