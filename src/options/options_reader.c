/* options_reader.c - combines command line, variables and config files by precedence. */
#include "options_reader.h"

#include <string.h>

#include "../text/did_you_mean.h"
#include "../text/listen_address.h"
#include "../text/push_target.h"
#include "../text/values.h"
#include "arguments.h"
#include "options_file.h"

/* The origin of an option's value; the higher level wins. */
enum level { LEVEL_DEFAULT, LEVEL_SITE, LEVEL_USER, LEVEL_FILE, LEVEL_VARIABLE, LEVEL_FLAG, LEVEL_LOCKED };

struct reading {
	struct options *to;
	enum level level[OPTIONS_MAX];
	struct lock { unsigned line; bool noticed; } lock[OPTIONS_MAX];    /* of LEVEL_LOCKED: its line */
	struct options checked;                 /* takes values that the site has locked */
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

/* Reports once per option that its flag, variable or entry is ignored. */
static void notice_locked(struct reading *r, size_t index, const char *origin)
{
	char path[64] = "";
	struct why sentence;

	if (r->lock[index].noticed)
		return;
	r->lock[index].noticed = true;
	(void)config_file_path(path, sizeof path, CONFIG_SITE, NULL, NULL);
	(void)why_set(&sentence, 0, "%s: the site has locked %s; the value of %s:%u is used", origin,
		      option_table[index].key, path, r->lock[index].line);
	r->warn(sentence.text);
}

/* The destination of a flag's or variable's value. */
static struct options *place_for(struct reading *r, size_t index, const char *origin)
{
	if (r->level[index] != LEVEL_LOCKED)
		return r->to;
	notice_locked(r, index, origin);
	return &r->checked;
}

static int set_given(struct reading *r, const struct arguments *arguments)
{
	for (size_t i = 0; i < arguments->n; i++) {
		const struct option_info *option = arguments->given[i].option;
		const char *value = arguments->given[i].value;
		size_t index = index_of(option);
		enum level *level = &r->level[index];
		char origin[64] = "--";
		struct setting setting = { NULL, option, strncat(origin, option->name, 60),
					   *level == LEVEL_FLAG, r->why };

		setting.to = place_for(r, index, origin);

		int ret = option->type->set(&setting, value ? value : "true");

		if (ret < 0)
			return ret;
		if (*level < LEVEL_FLAG)
			*level = LEVEL_FLAG;
	}
	return 0;
}

/* The tags in one variable are separated by commas. */
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

/* The value of a variable in `environment`; NULL: not set. */
static const char *variable(char *const *environment, const char *prefix, const char *name)
{
	size_t p = strlen(prefix), n = strlen(name);

	for (; *environment; environment++)
		if (strncmp(*environment, prefix, p) == 0 && strncmp(*environment + p, name, n) == 0 &&
		    (*environment)[p + n] == '=')
			return *environment + p + n + 1;
	return NULL;
}

/*
 * Most environments have none of our variables; searching a large one for each option would take longer than
 * everything else here.
 */
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

		struct setting setting = { place_for(r, i, origin), option, origin, false, r->why };
		int ret = option->type == &type_tags ? set_tags_of_variable(&setting, value)
						     : option->type->set(&setting, value);
		if (ret < 0)
			return ret;
		if (r->level[i] < LEVEL_VARIABLE)
			r->level[i] = LEVEL_VARIABLE;
	}
	return 0;
}

static bool is_option_variable(struct word name)
{
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].variable && word_is(name, option_table[i].variable))
			return true;
	/* Between the tracker and the measured code, and the id of the surrounding run: not options. */
	return word_starts(name, "REGIONS") || word_is(name, "RUN");
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
			(void)why_set(&sentence, 0, "the variable %s%s is not known; did you mean %s%s?",
				      OPTION_VARIABLE, show(text).text, OPTION_VARIABLE, guess.best);
		else
			(void)why_set(&sentence, 0, "the variable %s%s is not known", OPTION_VARIABLE,
				      show(text).text);
		r->warn(sentence.text);
	}
}

/* With this token alone other trackers send the samples of a run to a service; this one is to be asked. */
static void warn_nothing_is_sent(const struct reading *r, char *const *environment)
{
	const char *token = variable(environment, "SENTINEL_", "API_TOKEN");
	struct push_target target;

	for (size_t i = 0; i < r->to->push.n; i++)
		if (push_target_read(&target, r->to->push.at[i], "--push", NULL) == 0 && word_is(target.form, "sentinel"))
			return;
	if (token && *token)
		r->warn("SENTINEL_API_TOKEN is set, but nothing is sent there: --push sentinel asks for it");
}

/* --csv means --format csv, unless a source of higher precedence sets JSON. */
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
	struct listen_address at;

	if (!run->command && r->to->status)
		return why_set(r->why, -EINVAL, "--status is for a command: without one, a terminal shows the live view");
	if (r->to->listen && !r->to->listen_token_file && listen_address_read(&at, r->to->listen, "--listen", NULL) == 0 && !at.loopback)
		return why_set(r->why, -EINVAL, "--listen: %s can be reached from other machines, so --listen-token-file is needed too",
			       at.host);
	if (!run->command) {
		r->to->quiet |= r->to->detach;
		return 0;
	}
	if (r->to->detach)
		return why_set(r->why, -EINVAL, "--detach leaves the terminal to other programs, so the command '%s' cannot be "
			       "started too; leave one of the two out", show(run->command[0]).text);
	if (r->level[index_named("pid")] == LEVEL_FLAG)
		return why_set(r->why, -EINVAL, "--pid watches running processes, so the command '%s' cannot be "
			       "started too; leave one of the two out", show(run->command[0]).text);
	run->pids = NULL;
	run->n_pids = 0;
	return 0;
}

static bool file_may_set(void *context, const struct option_info *option, const struct options_file *file, bool lock,
			 unsigned line, const char *origin)
{
	static const enum level levels[] = {
		[CONFIG_SITE] = LEVEL_SITE, [CONFIG_USER] = LEVEL_USER, [CONFIG_FOLDER] = LEVEL_FILE,
		[CONFIG_NAMED] = LEVEL_FILE,
	};
	struct reading *r = context;
	size_t index = index_of(option);
	enum level level = lock ? LEVEL_LOCKED : levels[file->place];

	if (r->level[index] >= level) {
		if (r->level[index] == LEVEL_LOCKED && file->place != CONFIG_SITE)
			notice_locked(r, index, origin);
		return false;
	}
	r->level[index] = level;
	if (lock)
		r->lock[index].line = line;
	return true;
}

/* Reads the file that the user named, else the folder's before the user's; neither if --no-config has precedence. */
static int set_from_files(struct reading *r, const struct options_file_reader *reader, char *const *environment)
{
	static const enum config_place named[] = { CONFIG_NAMED }, found[] = { CONFIG_FOLDER, CONFIG_USER };
	bool none = r->to->no_config && r->level[index_named("no-config")] > r->level[index_named("config")];
	const enum config_place *places = r->to->config ? named : found;
	size_t n = none || (!r->to->config && r->to->no_config) ? 0 : r->to->config ? countof(named) : countof(found);

	for (size_t i = 0; i < n; i++) {
		struct options_file file;

		if (options_file_read(&file, places[i], reader, environment) < 0 ||
		    options_file_take(&file, false, reader) < 0)
			return -EINVAL;
	}
	return 0;
}

/* The site's locked values have the highest precedence, its other values the lowest. */
static int set_all(struct reading *r, const struct arguments *arguments, char *const *environment)
{
	const struct options_file_reader reader = {
		.to = r->to, .may_set = file_may_set, .context = r, .warn = r->warn, .why = r->why,
	};
	struct options_file site;

	if (options_file_read(&site, CONFIG_SITE, &reader, environment) < 0 ||
	    options_file_take(&site, true, &reader) < 0 || set_given(r, arguments) < 0 ||
	    set_from_variables(r, environment) < 0 || set_from_files(r, &reader, environment) < 0 ||
	    options_file_take(&site, false, &reader) < 0 || settle_format(r) < 0)
		return -EINVAL;
	return settle_target(r);
}

enum options_outcome options_read(struct options *ret, int argc, char *const *argv, char *const *environment,
				  void (*warn)(const char *sentence), struct why *why)
{
	struct reading r = { .to = ret, .warn = warn, .why = why };
	struct arguments arguments;

	*ret = (struct options){ .run.interval_seconds = 1, .max_overhead_pct = 1, .perf_cpus = PERF_CPUS_MAX,
				 .push_drain_seconds = 5, .record_keep_days = 90,
				 .record_keep_bytes = UINT64_C(1) << 30 };

	enum options_outcome outcome = arguments_read(&arguments, argc, argv, why);

	ret->run.command = arguments.command;
	if (outcome == OPTIONS_RUN && set_all(&r, &arguments, environment) < 0)
		outcome = OPTIONS_ERROR;
	options_release(&r.checked);
	free(arguments.given);
	if (outcome == OPTIONS_RUN) {
		warn_unknown_variables(&r, environment);
		warn_nothing_is_sent(&r, environment);
	}
	return outcome;
}
