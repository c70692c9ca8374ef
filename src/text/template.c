/* template.c - a line of text with the names of facts in braces, and the forms of a summary. */
#include "template.h"

#include "did_you_mean.h"
#include "shown.h"

const struct template_name template_names[] = {
#define FACT(name, help) { #name, help },
#include "../core/run_facts.def"
#define QUANTITY(name, unit, statistic, tree, basis, tree_else, basis_else, machine, help) { #name, help },
#include "../core/quantities.def"
	{ NULL, NULL },
};

const char *const summary_forms[SUMMARY_FORMS + 1] = {
	[SUMMARY_TEXT] = "text", [SUMMARY_JSON] = "json", [SUMMARY_MARKDOWN] = "markdown",
	[SUMMARY_PROGRAMS] = "programs", [SUMMARY_TEMPLATE] = "template:", NULL,
};

enum part { PART_TEXT, PART_NAME, PART_OVER, PART_WRONG };

/* The next part of a template: a piece of text (of an escape, the character that it means), or what is in braces. */
static enum part next_part(const char **at, struct word *ret)
{
	static const struct { char escape[3]; const char *means; } escapes[] = {
		{ "{{", "{" }, { "}}", "}" }, { "\\n", "\n" }, { "\\t", "\t" }, { "\\\\", "\\" },
	};
	const char *from = *at, *end;

	if (!*from)
		return PART_OVER;
	for (size_t i = 0; i < countof(escapes); i++)
		if (strncmp(from, escapes[i].escape, 2) == 0) {
			*ret = word_of(escapes[i].means);
			*at += 2;
			return PART_TEXT;
		}
	if (*from != '{') {
		*ret = (struct word){ from, size_max(1, strcspn(from, "{}\\")) };
		*at += ret->len;
		return *from == '}' ? PART_WRONG : PART_TEXT;
	}
	end = from + strcspn(from, "}");
	*ret = (struct word){ from + 1, (size_t)(end - from) - 1 };
	*at = *end ? end + 1 : end;
	return *end ? PART_NAME : PART_WRONG;
}

/* The index of the name in "name" or "name:number"; that of the last row: there is none. */
static size_t name_of(struct word braces, bool *ret_number)
{
	static const char suffix[] = ":number";
	size_t n = sizeof suffix - 1, i = 0;

	*ret_number = braces.len > n && memcmp(braces.at + braces.len - n, suffix, n) == 0;
	braces.len -= *ret_number ? n : 0;
	while (template_names[i].name && !word_is(braces, template_names[i].name))
		i++;
	return i;
}

static int no_such_name(struct word braces, const char *origin, struct why *why)
{
	char word[64];
	struct guess guess = { .word = word };

	(void)word_copy(braces, word, sizeof word);
	for (size_t i = 0; template_names[i].name; i++)
		guess_consider(&guess, template_names[i].name);
	if (guess.best)
		return why_set(why, -EINVAL, "%s: there is no {%s}; did you mean {%s}?", origin, show(word).text, guess.best);
	return why_set(why, -EINVAL, "%s: there is no {%s}; 'resource-tracker summary --help' lists the names", origin,
		       show(word).text);
}

int template_check(const char *text, const char *origin, struct why *why)
{
	struct word word;
	bool number;

	if (!*text)
		return why_set(why, -EINVAL, "%s: the template is empty; an example: template:'{status} {peak_memory}'",
			       origin);
	for (enum part part; (part = next_part(&text, &word)) != PART_OVER;) {
		if (part == PART_WRONG)
			return why_set(why, -EINVAL, "%s: a brace has no partner; write {{ or }} for a brace itself", origin);
		if (part == PART_NAME && !template_names[name_of(word, &number)].name)
			return no_such_name(word, origin, why);
	}
	return 0;
}

void template_write(struct buffer *out, const char *text, template_value *value, void *context)
{
	struct buffer known = { 0 };
	struct word word;
	bool number;

	for (enum part part; (part = next_part(&text, &word)) != PART_OVER;) {
		if (part == PART_TEXT) {
			buffer_bytes(out, word.at, word.len);
		} else if (part == PART_NAME) {
			size_t name = name_of(word, &number);

			buffer_clear(&known);
			if (template_names[name].name)
				value(context, &known, name, number);
			if (known.len > 0)
				show_text(out, known.at, known.len, '?');
			else
				buffer_text(out, "unknown");
			out->failed |= known.failed;
		}
	}
	buffer_release(&known);
	buffer_char(out, '\n');
}

int summary_form_read(const char *value, const char *origin, enum summary_form *ret, const char **ret_template,
		      struct why *why)
{
	size_t prefix = strlen(summary_forms[SUMMARY_TEMPLATE]);
	struct guess guess = { .word = value };

	*ret_template = NULL;
	if (strncmp(value, summary_forms[SUMMARY_TEMPLATE], prefix) == 0) {
		*ret = SUMMARY_TEMPLATE;
		*ret_template = value + prefix;
		return template_check(value + prefix, origin, why);
	}
	for (enum summary_form f = SUMMARY_TEXT; f < SUMMARY_TEMPLATE; f++) {
		if (strcmp(value, summary_forms[f]) == 0) {
			*ret = f;
			return 0;
		}
		guess_consider(&guess, summary_forms[f]);
	}
	if (guess.best)
		return why_set(why, -EINVAL, "%s: '%s' is not text, json, markdown, programs or template:TEXT; did you mean %s?", origin,
			       show(value).text, guess.best);
	return why_set(why, -EINVAL, "%s: '%s' is not text, json, markdown, programs or template:TEXT", origin, show(value).text);
}
