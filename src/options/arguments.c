/* arguments.c - splits the command line into options and the command. */
#include "arguments.h"

#include <string.h>

#include "../text/did_you_mean.h"

struct line {                                   /* the command line, and the current position */
	struct arguments *ret;
	char *const *argv;
	int argc, at;
	struct why *why;
};

static const char *nearest_option(const char *word)
{
	struct guess guess = { .word = word };

	for (size_t i = 0; i < option_count; i++)
		guess_consider(&guess, option_table[i].name);
	for (const struct option_alias *a = option_aliases; a->other; a++)
		guess_consider(&guess, a->other);
	return guess.best;
}

static enum options_outcome unknown(const struct line *l, const char *argument, struct word name)
{
	char word[64];
	bool whole = word_copy(name, word, sizeof word);
	const char *near = whole ? nearest_option(word) : NULL;

	if (near)
		(void)why_set(l->why, 0, "there is no option %s; did you mean --%s?", show(argument).text, near);
	else
		(void)why_set(l->why, 0, "there is no option %s; 'resource-tracker --help' lists the options", show(argument).text);
	return OPTIONS_ERROR;
}

/* Whether this argument is exactly one of our options; then it is not the value of the option before it. */
static bool is_option(const char *argument)
{
	if (argument[0] != '-' || !argument[1])
		return false;
	if (argument[1] != '-')
		return !argument[2] && option_by_letter(argument[1]);

	const char *name = argument + 2;

	return !*name || option_by_name((struct word){ name, strcspn(name, "=") });
}

/* The value of an option in an argument of its own. */
static bool next_value(struct line *l, const struct option_info *option, const char **ret)
{
	if (l->at + 1 >= l->argc) {
		(void)why_set(l->why, 0, "--%s: needs a value: --%s %s", option->name, option->name,
			      option->argument);
		return false;
	}

	const char *next = l->argv[l->at + 1];

	if (is_option(next)) {
		(void)why_set(l->why, 0, "--%s: needs a value, but an option follows; if '%s' is meant as its value, "
			      "write --%s=%s", option->name, show(next).text, option->name, show(next).text);
		return false;
	}
	l->at++;
	*ret = next;
	return true;
}

static enum options_outcome take(struct line *l, const struct option_info *option, const char *value)
{
	struct arguments *a = l->ret;

	if (option->type == &type_help)
		return OPTIONS_HELP;
	if (option->type == &type_version)
		return OPTIONS_VERSION;
	for (size_t i = 0; i < a->n && !option->type->repeatable; i++)
		if (a->given[i].option == option) {
			(void)why_set(l->why, 0, "--%s: given twice", option->name);
			return OPTIONS_ERROR;
		}
	a->given[a->n++] = (struct given){ option, value };
	return OPTIONS_RUN;
}

static enum options_outcome read_long(struct line *l, const char *argument)
{
	struct word name = { argument + 2, strcspn(argument + 2, "=") };
	const char *value = name.at[name.len] == '=' ? name.at + name.len + 1 : NULL;
	const struct option_info *option = option_by_name(name);

	if (!option)
		return unknown(l, argument, name);
	if (value && !option->type->set) {
		(void)why_set(l->why, 0, "--%s: takes no value", option->name);
		return OPTIONS_ERROR;
	}
	if (option->argument && !value && !next_value(l, option, &value))
		return OPTIONS_ERROR;
	return take(l, option, value);
}

/* "-i2", "-i 2", "-qi2", "-fcsv". */
static enum options_outcome read_letters(struct line *l, const char *argument)
{
	struct word whole = { argument + 1, strcspn(argument + 1, "=") };

	/* "-interval 2" would be -i with the value "nterval". */
	if (whole.len > 2 && option_by_name(whole))
		return unknown(l, argument, whole);
	for (const char *letter = argument + 1; *letter; letter++) {
		const struct option_info *option = option_by_letter(*letter);
		const char *value = NULL;

		if (!option)
			return unknown(l, argument, whole);
		if (option->argument && letter[1])
			value = letter + 1;
		else if (option->argument && !next_value(l, option, &value))
			return OPTIONS_ERROR;

		enum options_outcome outcome = take(l, option, value);

		if (outcome != OPTIONS_RUN || value)
			return outcome;
	}
	return OPTIONS_RUN;
}

enum options_outcome arguments_read(struct arguments *ret, int argc, char *const *argv, struct why *why)
{
	struct line l = { .ret = ret, .argv = argv, .argc = argc, .at = 1, .why = why };
	enum options_outcome outcome = OPTIONS_RUN;

	/* Repeatable options need an argument each; the others occur once each. */
	*ret = (struct arguments){ .given = calloc((size_t)argc + OPTIONS_MAX, sizeof *ret->given) };
	if (!ret->given) {
		(void)why_set(why, 0, "out of memory");
		return OPTIONS_ERROR;
	}
	for (; l.at < argc && outcome == OPTIONS_RUN; l.at++) {
		const char *argument = argv[l.at];

		if (strcmp(argument, "--") == 0) {
			/* An empty $JOB in a script must not start a watch of the machine without an end. */
			if (++l.at == argc) {
				(void)why_set(why, 0, "-- is followed by no command");
				return OPTIONS_ERROR;
			}
			break;
		}
		if (argument[0] != '-' || !argument[1])
			break;
		outcome = argument[1] == '-' ? read_long(&l, argument) : read_letters(&l, argument);
	}
	if (outcome == OPTIONS_RUN && l.at < argc)
		ret->command = argv + l.at;
	return outcome;
}
