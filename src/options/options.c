/* options.c - what the user asked for: command line, variables and config file in their order of precedence. */
#include "options.h"

#include <string.h>

#include "../text/did_you_mean.h"
#include "../text/values.h"
#include "arguments.h"
#include "options_file.h"

/*
 * Outputs, and the file that may name outputs.  Not QUIET: who wants silence wants it from a tracker
 * inside a tracker too.
 */
const char *const options_private_variables[] = {
	"RESOURCE_TRACKER_OUTPUT", "TRACKER_OUTPUT", "RESOURCE_TRACKER_RECORD", "RESOURCE_TRACKER_CONFIG",
	NULL,
};

void options_release(struct options *o)
{
	arena_release(&o->memory);
	*o = (struct options){ 0 };
}

/* Who set an option; the higher one stays. */
enum level { LEVEL_DEFAULT, LEVEL_FILE, LEVEL_VARIABLE, LEVEL_FLAG };

struct reading {
	struct options *to;
	enum level level[OPTIONS_MAX];
	void (*warn)(const char *sentence);
	struct why *why;
};

static size_t index_of(const struct option_info *option)
{
	return (size_t)(option - option_table);
}

static size_t index_named(const char *name)
{
	return index_of(option_by_name((struct word){ name, strlen(name) }));
}

static int set_given(struct reading *r, const struct arguments *arguments)
{
	for (size_t i = 0; i < arguments->n; i++) {
		const struct option_info *option = arguments->given[i].option;
		const char *value = arguments->given[i].value;
		enum level *level = &r->level[index_of(option)];
		char origin[64] = "--";
		struct setting setting = { r->to, option, strncat(origin, option->name, 60),
					   *level == LEVEL_FLAG, r->why };
		int ret = option->type->set(&setting, value ? value : "true");

		if (ret < 0)
			return ret;
		*level = LEVEL_FLAG;
	}
	return 0;
}

/* The tags in one variable stand between commas. */
static int set_tags_of_variable(struct setting *setting, const char *value)
{
	char *copy = arena_copy(&setting->to->memory, value, strlen(value));

	if (!copy)
		return why_set(setting->why, -ENOMEM, "out of memory");
	for (char *tag = copy, *comma; tag; tag = comma ? comma + 1 : NULL) {
		comma = strchr(tag, ',');
		if (comma)
			*comma = '\0';

		int ret = setting->option->type->set(setting, tag);

		if (ret < 0)
			return ret;
		setting->again = true;
	}
	return 0;
}

/* The value of a variable in `environment`; NULL: it is not there. */
static const char *variable(char *const *environment, const char *prefix, const char *name)
{
	size_t p = strlen(prefix), n = strlen(name);

	for (; *environment; environment++)
		if (strncmp(*environment, prefix, p) == 0 && strncmp(*environment + p, name, n) == 0 &&
		    (*environment)[p + n] == '=')
			return *environment + p + n + 1;
	return NULL;
}

/* Most environments have none of ours; looking for each option's in a large one takes longer than all else here. */
static bool has_variables(char *const *environment)
{
	for (; *environment; environment++)
		if (strncmp(*environment, OPTION_VARIABLE, strlen(OPTION_VARIABLE)) == 0 ||
		    strncmp(*environment, OPTION_PEER_VARIABLE, strlen(OPTION_PEER_VARIABLE)) == 0)
			return true;
	return false;
}

static int set_from_variables(struct reading *r, char *const *environment)
{
	bool any = has_variables(environment);

	for (size_t i = 0; any && i < option_count; i++) {
		const struct option_info *option = &option_table[i];
		const char *prefix = OPTION_VARIABLE;
		char origin[64];

		if (!option->variable || r->level[i] == LEVEL_FLAG)
			continue;

		const char *value = variable(environment, prefix, option->variable);

		if (!value && option->peer_variable) {
			prefix = OPTION_PEER_VARIABLE;
			value = variable(environment, prefix, option->variable);
		}
		if (!value)
			continue;
		origin[0] = '\0';
		strncat(strncat(origin, prefix, 30), option->variable, 30);

		struct setting setting = { r->to, option, origin, false, r->why };
		int ret = option->type == &type_tags ? set_tags_of_variable(&setting, value)
						     : option->type->set(&setting, value);
		if (ret < 0)
			return ret;
		r->level[i] = LEVEL_VARIABLE;
	}
	return 0;
}

static bool is_option_variable(struct word name)
{
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].variable && word_is(name, option_table[i].variable))
			return true;
	return word_starts(name, "REGIONS");            /* the channels of tracker and measured code */
}

static void warn_unknown_variables(const struct reading *r, char *const *environment)
{
	const size_t p = strlen(OPTION_VARIABLE);

	for (; *environment; environment++) {
		struct word name = { *environment + p, strcspn(*environment, "=") - p };
		char text[40];
		struct why sentence;

		if (strncmp(*environment, OPTION_VARIABLE, p) != 0 || is_option_variable(name))
			continue;

		bool whole = word_copy(name, text, sizeof text);
		struct guess guess = { .word = text };

		for (size_t i = 0; whole && i < option_count; i++)
			if (option_table[i].variable)
				guess_consider(&guess, option_table[i].variable);
		if (guess.best)
			(void)why_set(&sentence, 0, "the variable %s%s means nothing to us; did you mean %s%s?",
				      OPTION_VARIABLE, show(text).text, OPTION_VARIABLE, guess.best);
		else
			(void)why_set(&sentence, 0, "the variable %s%s means nothing to us", OPTION_VARIABLE,
				      show(text).text);
		r->warn(sentence.text);
	}
}

/* --csv means --format csv, unless something of higher precedence wants JSON. */
static int settle_format(struct reading *r)
{
	struct options *o = r->to;
	enum level csv = r->level[index_named("csv")], format = r->level[index_named("format")];

	o->csv_given = csv != LEVEL_DEFAULT;
	o->format_given = o->csv_given || format != LEVEL_DEFAULT;
	if (csv > format)
		o->format = FORMAT_CSV;
	else if (csv == format && o->csv_given && o->format == FORMAT_JSON)
		return why_set(r->why, -EINVAL, "--csv chooses the columns of CSV, but the format is given as json; "
			       "leave one of the two out");
	return 0;
}

static int settle_target(struct reading *r)
{
	struct run *run = &r->to->run;

	if (!run->command)
		return 0;
	if (r->level[index_named("pid")] == LEVEL_FLAG)
		return why_set(r->why, -EINVAL, "--pid watches running processes, so the command '%s' cannot be "
			       "started too; leave one of the two out", show(run->command[0]).text);
	run->pids = NULL;
	run->n_pids = 0;
	return 0;
}

static bool file_may_set(void *context, const struct option_info *option)
{
	struct reading *r = context;
	enum level *level = &r->level[index_of(option)];

	if (*level > LEVEL_FILE)
		return false;
	*level = LEVEL_FILE;
	return true;
}

enum options_outcome options_read(struct options *ret, int argc, char *const *argv, char *const *environment,
				  void (*warn)(const char *sentence), struct why *why)
{
	struct reading r = { .to = ret, .warn = warn, .why = why };
	struct arguments arguments;

	*ret = (struct options){ .run.interval_seconds = 1, .max_overhead_pct = 1, .record_keep_days = 90,
				 .record_keep_bytes = UINT64_C(1) << 30 };

	enum options_outcome outcome = arguments_read(&arguments, argc, argv, why);

	ret->run.command = arguments.command;
	if (outcome == OPTIONS_RUN &&
	    (set_given(&r, &arguments) < 0 || set_from_variables(&r, environment) < 0 ||
	     options_file(ret, file_may_set, &r, warn, why) < 0 ||
	     settle_format(&r) < 0 || settle_target(&r) < 0))
		outcome = OPTIONS_ERROR;
	free(arguments.given);
	if (outcome == OPTIONS_RUN)
		warn_unknown_variables(&r, environment);
	return outcome;
}
