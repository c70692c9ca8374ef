/* test_template.c - a line with names in braces. */
#include "fixture.h"

#include <string.h>

#include "text/template.h"

static void value(void *context, struct buffer *out, size_t name, bool number)
{
	if (strcmp(template_names[name].name, context) == 0)
		buffer_text(out, number ? "1073741824" : "1.00 GiB");
	if (strcmp(template_names[name].name, "command") == 0)
		buffer_text(out, "a\33]0;b\n\302\233m\342\200\256c");        /* controls, C1, and text that runs to the left */
}

static void writes(const char *template, const char *expected)
{
	static char known[] = "peak_memory";
	struct buffer out = { 0 };
	struct why why = { "" };

	assert_int_equal(template_check(template, "--template", &why), 0);
	template_write(&out, template, value, known);
	buffer_char(&out, '\0');
	assert_string_equal(out.at, expected);
	buffer_release(&out);
}

static void names_and_escapes(void **state)
{
	(void)state;
	writes("{peak_memory}", "1.00 GiB\n");
	writes("{peak_memory:number}\\t{peak_memory}", "1073741824\t1.00 GiB\n");
	writes("100 % {{of {peak_memory}}}", "100 % {of 1.00 GiB}\n");
	writes("a\\nb\\\\n", "a\nb\\n\n");
	writes("\\x \\", "\\x \\\n");                           /* no escape of ours */
	writes("{duration} {exit_code:number}", "unknown unknown\n");
	writes("{command}\\n", "a?]0;b??m?c\n\n");
}

static void wrong_ones_are_one_sentence(void **state)
{
	static const struct { const char *template, *says; } wrong[] = {
		{ "", "--template: the template is empty" }, { "{peak_memry}", "did you mean {peak_memory}?" },
		{ "{}", "there is no {}" }, { "{peak_memory:bytes}", "there is no {peak_memory:bytes}" },
		{ "{duration", "a brace has no partner" }, { "duration}", "a brace has no partner" },
		{ "{:number}", "there is no {:number}" }, { "{a{duration}", "there is no {a{duration}" },
	};

	(void)state;
	for (size_t i = 0; i < countof(wrong); i++) {
		struct why why = { "" };

		assert_int_equal(template_check(wrong[i].template, "--template", &why), -EINVAL);
		if (!strstr(why.text, wrong[i].says))
			fail_msg("%s: %s", wrong[i].template, why.text);
	}
}

static void forms(void **state)
{
	enum summary_form form = SUMMARY_FORMS;
	const char *template;
	struct why why = { "" };

	(void)state;
	assert_int_equal(summary_form_read("json", "--form", &form, &template, &why), 0);
	assert_true(form == SUMMARY_JSON && !template);
	assert_int_equal(summary_form_read("template:{id}", "--form", &form, &template, &why), 0);
	assert_true(form == SUMMARY_TEMPLATE);
	assert_string_equal(template, "{id}");
	assert_int_equal(summary_form_read("template:{idd}", "--form", &form, &template, &why), -EINVAL);
	assert_int_equal(summary_form_read("mardown", "--form", &form, &template, &why), -EINVAL);
	assert_string_equal(why.text, "--form: 'mardown' is not text, json, markdown, programs or template:TEXT; did you mean markdown?");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_and_escapes), cmocka_unit_test(wrong_ones_are_one_sentence),
		cmocka_unit_test(forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
