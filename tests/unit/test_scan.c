/* test_scan.c - lines of a piece of text, with newlines at any place. */
#include "fixture.h"

#include <string.h>

#include "core/scan.h"

/* Bytes around a newline can differ from it by one bit, or by a borrow; bytes behind the end are not read. */
static void a_line_ends_at_its_first_newline(void **state)
{
	static const unsigned char around[] = { 'a', '\n' + 1, '\n' - 1, '\n' | 0x80, '\0', 0xff };
	char text[33];

	(void)state;
	for (size_t k = 0; k < sizeof around; k++)
		for (size_t length = 0; length < sizeof text; length++)
			for (size_t at = 0; at < length; at++) {
				memset(text, '\n', sizeof text);
				memset(text, around[k], length);
				text[at] = '\n';

				struct scan s = scan_of(text, length), next = s;
				struct word line;

				assert_true(scan_line(&s, &line));
				assert_int_equal(line.len, at);
				assert_ptr_equal(s.at, text + at + 1);
				assert_int_equal(scan_next_line(&next), at + 1 < length);
				assert_ptr_equal(next.at, text + at + 1);
			}
}

static void the_last_line_needs_no_newline(void **state)
{
	char text[33];

	(void)state;
	memset(text, '\n', sizeof text);
	memset(text, 'a', sizeof text - 1);
	for (size_t length = 1; length < sizeof text; length++) {
		struct scan s = scan_of(text, length), next = s;
		struct word line;

		assert_true(scan_line(&s, &line));
		assert_int_equal(line.len, length);
		assert_false(scan_line(&s, &line));
		assert_false(scan_next_line(&next));
		assert_ptr_equal(next.at, text + length);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_ends_at_its_first_newline),
		cmocka_unit_test(the_last_line_needs_no_newline),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
