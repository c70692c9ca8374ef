/* test_shown.c - names from outside, in each form that users see. */
#include "fixture.h"

#include <string.h>

#include "text/human.h"
#include "text/markdown.h"
#include "text/shown.h"
#include "text/text_table.h"

/* C0, DEL, C1, bidirectional controls, line separators, a byte that is not UTF-8; "é" and "日" stay. */
static char hostile[] = "a\033b\177c\xc2\x9b" "d\xd8\x9c" "e\xe2\x80\x8e" "f\xe2\x80\x8f" "g\xe2\x80\xa8" "h\xe2\x80\xaa"
			"i\xe2\x80\xae" "j\xe2\x81\xa6" "k\xe2\x81\xa9" "l\x9b" "m\xc3\xa9\xe6\x97\xa5";
static const char fit[] = "a?b?c?d?e?f?g?h?i?j?k?l?m\xc3\xa9\xe6\x97\xa5";

static void each_control_becomes_one_question_mark(void **state)
{
	struct buffer out = { 0 };

	(void)state;
	assert_string_equal(show(hostile).text, fit);
	assert_string_equal(show_path(hostile).text, fit);
	show_text(&out, hostile, strlen(hostile), '?');
	buffer_char(&out, '\0');
	assert_string_equal(out.at, fit);
	buffer_clear(&out);
	show_text(&out, "\xe6\x97", 2, '?');            /* cut off */
	buffer_char(&out, '\0');
	assert_string_equal(out.at, "??");
	buffer_release(&out);
}

static void no_form_contains_controls(void **state)
{
	char cell[TEXT_TABLE_CELL];
	struct buffer out = { 0 };

	(void)state;
	human_word(&out, hostile, strlen(hostile), true);
	buffer_char(&out, '\0');
	assert_non_null(strstr(out.at, fit));
	buffer_clear(&out);
	markdown_code(&out, hostile, strlen(hostile));
	buffer_char(&out, '\0');
	assert_non_null(strstr(out.at, fit));
	buffer_clear(&out);
	markdown_plain(&out, hostile);
	buffer_char(&out, '\0');
	assert_non_null(strstr(out.at, "a b c d e f g h i j k l m\xc3\xa9\xe6\x97\xa5"));
	buffer_clear(&out);
	buffer_text(&out, hostile);
	text_table_put(cell, &out);
	assert_string_equal(cell, fit);
	human_word(&out, hostile, strlen(hostile), false);
	for (size_t i = 0; i < out.len; i++)
		assert_in_range(out.at[i], ' ', '~');
	buffer_release(&out);
}

static void markdown_escapes_only_what_is_markup(void **state)
{
	static const struct { const char *text, *shown; } cases[] = {
		{ "serial: mean 0.06 of 2 cores (in a demo-load)", "serial: mean 0.06 of 2 cores (in a demo-load)" },
		{ "[a](http://b.example)", "\\[a\\](http\\://b\\.example)" },
		{ "1. a - b", "1\\. a \\- b" }, { "1) a", "1\\) a" },
		{ ":tada: www.b.example a@b <i> `*_~|#&!", "\\:tada: www\\.b\\.example a\\@b \\<i\\> \\`\\*\\_\\~\\|\\#\\&\\!" },
		{ "-", "\\-" },
	};
	struct buffer out = { 0 };

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		buffer_clear(&out);
		markdown_plain(&out, cases[i].text);
		buffer_char(&out, '\0');
		assert_string_equal(out.at, cases[i].shown);
	}
	buffer_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_control_becomes_one_question_mark),
		cmocka_unit_test(no_form_contains_controls),
		cmocka_unit_test(markdown_escapes_only_what_is_markup),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
