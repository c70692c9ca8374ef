/* settings.c - parses an option's value and sets its field. */
#include "settings.h"

#include <string.h>

#include "../core/scan.h"
#include "../text/bucket_target.h"
#include "../text/did_you_mean.h"
#include "../text/listen_address.h"
#include "../text/path_pattern.h"
#include "../text/push_target.h"
#include "../text/template.h"
#include "../text/values.h"
#include "threshold.h"

static void *field_of(const struct setting *s)
{
	return (char *)s->to + s->option->field;
}

static int wrong(const struct setting *s, const char *value, const char *what)
{
	return why_set(s->why, -EINVAL, "%s: '%s' %s", s->origin, show(value).text, what);
}

static int no_memory(const struct setting *s)
{
	return why_set(s->why, -ENOMEM, "%s: out of memory", s->origin);
}

static int set_flag(const struct setting *s, const char *value)
{
	return value_bool(value, field_of(s)) ? 0 : wrong(s, value, "is not true or false");
}

static int set_text(const struct setting *s, const char *value)
{
	memcpy(field_of(s), &value, sizeof value);
	return 0;
}

static int set_file(const struct setting *s, const char *value)
{
	return *value ? set_text(s, value) : why_set(s->why, -EINVAL, "%s: needs a file name", s->origin);
}

static int set_directory(const struct setting *s, const char *value)
{
	return *value ? set_text(s, value) : why_set(s->why, -EINVAL, "%s: needs a directory", s->origin);
}

static int set_record(const struct setting *s, const char *value)
{
	int r = path_pattern_check(value, s->origin, s->why);

	if (r < 0)
		return r;
	return *value ? set_text(s, value)
		      : why_set(s->why, -EINVAL, "%s: needs a file, a directory, or none", s->origin);
}

static int set_summary(const struct setting *s, const char *value)
{
	enum summary_form form;
	const char *template;
	int r = summary_form_read(value, s->origin, &form, &template, s->why);

	return r < 0 ? r : set_text(s, value);
}

static int set_choice(const struct setting *s, const char *value)
{
	const char *const *choices = s->option->type->choices;
	struct guess guess = { .word = value };
	char list[80] = "";

	for (unsigned i = 0; choices[i]; i++) {
		if (strcmp(choices[i], value) == 0) {
			memcpy(field_of(s), &i, sizeof i);
			return 0;
		}
		guess_consider(&guess, choices[i]);
		alternatives_add(list, sizeof list, choices[i], !choices[i + 1]);
	}
	return guess.best ? why_set(s->why, -EINVAL, "%s: '%s' is not %s; did you mean %s?", s->origin,
				    show(value).text, list, guess.best)
			  : why_set(s->why, -EINVAL, "%s: '%s' is not %s", s->origin, show(value).text, list);
}

static int set_list(const struct setting *s, const char *value)
{
	const char *rest = value;
	struct word item;

	while (list_next(&rest, &item))
		if (item.len == 0)
			return wrong(s, value, "has an empty item; write the items with single commas between, as 0,2");
	return set_text(s, value);
}

static const char *const collectors[] = {
#define COLLECTOR(name, what) #name,
#include "../core/collectors.def"
	NULL,
};
static const char collectors_in_words[] =
#define COLLECTOR(name, what) " " #name
#include "../core/collectors.def"
	;

static int set_collectors(const struct setting *s, const char *value)
{
	const char *rest = value;
	struct word item;

	while (list_next(&rest, &item)) {
		const char *const *known = collectors;
		char name[32];
		bool whole = word_copy(item, name, sizeof name);
		struct guess guess = { .word = name };

		for (; *known && !(whole && strcmp(*known, name) == 0); known++)
			guess_consider(&guess, *known);
		if (*known)
			continue;
		if (guess.best)
			return why_set(s->why, -EINVAL, "%s: '%s' is not something that is measured; did you mean %s?",
				       s->origin, show(name).text, guess.best);
		return why_set(s->why, -EINVAL, "%s: '%s' is not something that is measured; there are:%s", s->origin,
			       show(name).text, collectors_in_words);
	}
	return set_text(s, value);
}

static bool is_pid_listed(const struct run *run, pid_t pid)
{
	for (size_t i = 0; i < run->n_pids; i++)
		if (run->pids[i] == pid)
			return true;
	return false;
}

static int set_pids(const struct setting *s, const char *value)
{
	struct run *run = &s->to->run;
	pid_t *pids = arena_take(&s->to->memory, ROOT_MAX * sizeof *pids);
	const char *rest = value;
	struct word item;

	if (!pids)
		return no_memory(s);
	if (!s->again)
		run->n_pids = 0;
	if (run->n_pids > 0)
		memcpy(pids, run->pids, run->n_pids * sizeof *pids);
	run->pids = pids;
	while (list_next(&rest, &item)) {
		char digits[24];
		uint64_t pid;

		if (!word_copy(item, digits, sizeof digits) || !value_u64(digits, &pid) || pid < 1 || pid > INT32_MAX)
			return wrong(s, value, "is not a process id; give a positive number, or several with "
				     "commas between");
		if (is_pid_listed(run, (pid_t)pid))
			continue;
		if (run->n_pids == ROOT_MAX)
			return why_set(s->why, -EINVAL, "%s: more than %d processes", s->origin, ROOT_MAX);
		pids[run->n_pids++] = (pid_t)pid;
	}
	return 0;
}

/* For an option that can be repeated. */
static int add_text(const struct setting *s, struct texts *to, const char *value)
{
	if (!s->again)
		to->n = 0;

	/* Grown to the next power of two: the old array stays in the options' memory, which is small. */
	const char **texts = (const char **)(uintptr_t)to->at;

	if ((to->n & (to->n - 1)) == 0) {
		texts = arena_take(&s->to->memory, (to->n ? 2 * to->n : 1) * sizeof *texts);
		if (!texts)
			return no_memory(s);
		if (to->n > 0)
			memcpy(texts, to->at, to->n * sizeof *texts);
		to->at = texts;
	}
	texts[to->n++] = value;
	return 0;
}

static int set_tags(const struct setting *s, const char *value)
{
	struct run *run = &s->to->run;
	struct texts tags = { run->tags, run->n_tags };
	const char *equals = strchr(value, '=');

	if (!equals || equals == value)
		return wrong(s, value, "is not KEY=VALUE");

	int r = add_text(s, &tags, value);

	run->tags = tags.at;
	run->n_tags = tags.n;
	return r;
}

static int add_bounded(const struct setting *s, const char *value, int most)
{
	struct texts *to = field_of(s);

	return s->again && to->n == (size_t)most ? why_set(s->why, -EINVAL, "%s: more than %d", s->origin, most)
						 : add_text(s, to, value);
}

static int set_feeds(const struct setting *s, const char *value)
{
	const struct texts *feeds = field_of(s);
	int fd = feed_descriptor(value);

	if (!*value)
		return why_set(s->why, -EINVAL, "%s: needs a file, or fd:N", s->origin);
	if (strcmp(value, "-") == 0 || strcmp(value, "/dev/stdout") == 0 || strcmp(value, "/dev/stderr") == 0 ||
	    (fd >= 0 && fd <= STDERR_FILENO))
		return wrong(s, value, "is the command's, or the samples'; give a descriptor of its own, as fd:3");
	if (fd < 0 && strncmp(value, "fd:", 3) == 0)
		return wrong(s, value, "is not fd:N, with the number of a descriptor");
	for (size_t i = 0; fd >= 0 && s->again && i < feeds->n; i++)
		if (feed_descriptor(feeds->at[i]) == fd)
			return wrong(s, value, "is given twice");
	return add_bounded(s, value, FEEDS_MAX);
}

static int add_program(const struct setting *s, const char *value, int most)
{
	return value[strspn(value, " \t\n")] ? add_bounded(s, value, most)
					     : why_set(s->why, -EINVAL, "%s: needs a program", s->origin);
}

static int set_feed_programs(const struct setting *s, const char *value)
{
	return add_program(s, value, FEEDS_MAX);
}

static int set_hooks(const struct setting *s, const char *value)
{
	return add_program(s, value, HOOKS_MAX);
}

static int set_limit_hooks(const struct setting *s, const char *value)
{
	struct threshold threshold;
	int r = threshold_read(&threshold, value, s->origin, s->why);

	return r < 0 ? r : add_bounded(s, value, HOOKS_MAX);
}

static int set_push_targets(const struct setting *s, const char *value)
{
	struct texts *to = field_of(s);
	struct push_target target;
	int r = push_target_read(&target, value, s->origin, s->why);

	if (r < 0)
		return r;
	return s->again && to->n == PUSH_MAX ? why_set(s->why, -EINVAL, "%s: more than %d", s->origin, PUSH_MAX)
					     : add_text(s, to, value);
}

static int set_push_files(const struct setting *s, const char *value)
{
	struct texts *to = field_of(s);

	if (!*value)
		return why_set(s->why, -EINVAL, "%s: needs a file name", s->origin);
	return s->again && to->n == PUSH_MAX ? why_set(s->why, -EINVAL, "%s: more than %d", s->origin, PUSH_MAX)
					     : add_text(s, to, value);
}

static int set_bucket(const struct setting *s, const char *value)
{
	struct bucket_target to;
	int r = bucket_target_read(&to, value, s->origin, s->why);

	return r < 0 ? r : set_text(s, value);
}

static int set_listen(const struct setting *s, const char *value)
{
	struct listen_address at;
	int r = listen_address_read(&at, value, s->origin, s->why);

	return r < 0 ? r : set_text(s, value);
}

static int set_time(const struct setting *s, const char *value, double least, const char *least_text,
		    double most, const char *most_text)
{
	double seconds;

	if (!value_duration(value, &seconds))
		return wrong(s, value, "is not a time; write seconds, or a number with ms, s, m, h or d: "
			     "0.5, 250ms, 2s, 1m");
	if (seconds < least * (1 - 1e-9))
		return why_set(s->why, -EINVAL, "%s: '%s' is too short; the shortest %s is %s", s->origin,
			       show(value).text, s->option->name, least_text);
	if (seconds > most)
		return why_set(s->why, -EINVAL, "%s: '%s' is too long; the longest %s is %s", s->origin,
			       show(value).text, s->option->name, most_text);
	memcpy(field_of(s), &seconds, sizeof seconds);
	return 0;
}

static int set_interval(const struct setting *s, const char *value)
{
	return set_time(s, value, 0.001, "0.001 s", 86400, "1 day");
}

static int set_duration(const struct setting *s, const char *value)
{
	return set_time(s, value, 0.001, "0.001 s", 3650 * 86400.0, "3650 days");
}

static int set_count(const struct setting *s, const char *value)
{
	uint64_t count;

	if (!value_u64(value, &count) || count == 0)
		return wrong(s, value, "is not a positive whole number");
	memcpy(field_of(s), &count, sizeof count);
	return 0;
}

static int set_perf_cpus(const struct setting *s, const char *value)
{
	uint64_t cpus;

	if (!value_u64(value, &cpus) || cpus == 0 || cpus > PERF_CPUS_MAX)
		return wrong(s, value, "is not a whole number from 1 to 16");
	memcpy(field_of(s), &cpus, sizeof cpus);
	return 0;
}

/* "unlimited" is stored as 0, which is not a valid limit. */
static int set_percent(const struct setting *s, const char *value)
{
	char number[32];
	double percent = 0;
	size_t n = strlen(value);

	n -= n > 0 && value[n - 1] == '%';
	(void)word_copy((struct word){ value, n }, number, sizeof number);
	if (strcmp(value, "unlimited") != 0 && (!value_decimal(number, &percent) || !(percent > 0)))
		return wrong(s, value, "is not a percentage above 0, or unlimited");
	memcpy(field_of(s), &percent, sizeof percent);
	return 0;
}
static int set_days(const struct setting *s, const char *value)
{
	double days = (double)INFINITY;

	if (strcmp(value, "unlimited") != 0 && (!value_decimal(value, &days) || !(days > 0)))
		return wrong(s, value, "is not a number of days above 0, or unlimited");
	memcpy(field_of(s), &days, sizeof days);
	return 0;
}

static int set_size(const struct setting *s, const char *value)
{
	uint64_t bytes = UINT64_MAX;

	if (strcmp(value, "unlimited") != 0 && (!value_size(value, &bytes) || bytes == 0))
		return wrong(s, value, "is not a size above 0, such as 1048576, 500MB or 2GiB, or unlimited");
	memcpy(field_of(s), &bytes, sizeof bytes);
	return 0;
}

static const char *const formats[] = { [FORMAT_JSON] = "json", [FORMAT_CSV] = "csv", NULL };
static const char *const layouts[] = {
	[CSV_SYSTEM] = "system", [CSV_COMBINED] = "combined", [CSV_PROCESS] = "process", NULL,
};
static const char *const pss_policies[] = {
	[PSS_AUTO] = "auto", [PSS_ALWAYS] = "always", [PSS_NEVER] = "never", NULL,
};
static const char *const cpu_choices[] = {
	[CPU_AUTO] = "auto", [CPU_CGROUP] = "cgroup", [CPU_PERF] = "perf", [CPU_LEDGER] = "ledger",
	[CPU_VISIBLE] = "visible", NULL,
};
static const char *const record_commands[] = {
	[COMMAND_MASKED] = "masked", [COMMAND_FULL] = "full", [COMMAND_NAME] = "name", NULL,
};
_Static_assert(sizeof(enum output_format) == sizeof(unsigned) && sizeof(enum pss_policy) == sizeof(unsigned) &&
	       sizeof(enum csv_layout) == sizeof(unsigned) && sizeof(enum cpu_choice) == sizeof(unsigned) &&
	       sizeof(enum record_command) == sizeof(unsigned),
	       "set_choice writes an unsigned");

#define CHOICE(name, list) \
	const struct setting_type type_##name = { set_choice, false, TAKES_STRINGS, COMPLETE_CHOICES, list }

const struct setting_type type_flag = { set_flag, false, TAKES_BOOLEANS, COMPLETE_NOTHING, NULL };
const struct setting_type type_text = { set_text, false, TAKES_STRINGS, COMPLETE_NOTHING, NULL };
const struct setting_type type_file = { set_file, false, TAKES_STRINGS, COMPLETE_FILE, NULL };
const struct setting_type type_directory = { set_directory, false, TAKES_STRINGS, COMPLETE_DIRECTORY, NULL };
const struct setting_type type_record = { set_record, false, TAKES_STRINGS, COMPLETE_FILE, NULL };
const struct setting_type type_list = {
	set_list, false, TAKES_STRINGS | TAKES_NUMBERS | TAKES_ARRAYS, COMPLETE_NOTHING, NULL };
const struct setting_type type_collectors = {
	set_collectors, false, TAKES_STRINGS | TAKES_ARRAYS, COMPLETE_LIST, collectors };
const struct setting_type type_pids = {
	set_pids, true, TAKES_STRINGS | TAKES_NUMBERS | TAKES_ARRAYS, COMPLETE_PID, NULL };
const struct setting_type type_tags = { set_tags, true, TAKES_STRINGS | TAKES_ARRAYS, COMPLETE_NOTHING, NULL };
const struct setting_type type_feeds = { set_feeds, true, TAKES_STRINGS | TAKES_ARRAYS, COMPLETE_FILE, NULL };
const struct setting_type type_feed_programs = {
	set_feed_programs, true, TAKES_STRINGS | TAKES_ARRAYS, COMPLETE_FILE, NULL };
const struct setting_type type_hooks = { set_hooks, true, TAKES_STRINGS | TAKES_ARRAYS, COMPLETE_FILE, NULL };
const struct setting_type type_limit_hooks = {
	set_limit_hooks, true, TAKES_STRINGS | TAKES_ARRAYS, COMPLETE_NOTHING, NULL };
const struct setting_type type_push_targets = {
	set_push_targets, true, TAKES_STRINGS | TAKES_ARRAYS, COMPLETE_NOTHING, NULL };
const struct setting_type type_bucket = { set_bucket, false, TAKES_STRINGS, COMPLETE_NOTHING, NULL };
const struct setting_type type_listen = { set_listen, false, TAKES_STRINGS | TAKES_NUMBERS, COMPLETE_NOTHING, NULL };
const struct setting_type type_push_files = { set_push_files, true, TAKES_STRINGS | TAKES_ARRAYS, COMPLETE_FILE, NULL };
const struct setting_type type_interval = {
	set_interval, false, TAKES_STRINGS | TAKES_NUMBERS, COMPLETE_NOTHING, NULL,
};
const struct setting_type type_duration = {
	set_duration, false, TAKES_STRINGS | TAKES_NUMBERS, COMPLETE_NOTHING, NULL,
};
const struct setting_type type_count = { set_count, false, TAKES_NUMBERS, COMPLETE_NOTHING, NULL };
const struct setting_type type_perf_cpus = { set_perf_cpus, false, TAKES_NUMBERS, COMPLETE_NOTHING, NULL };
const struct setting_type type_days = { set_days, false, TAKES_STRINGS | TAKES_NUMBERS, COMPLETE_NOTHING, NULL };
const struct setting_type type_percent = {
	set_percent, false, TAKES_STRINGS | TAKES_NUMBERS, COMPLETE_NOTHING, NULL };
const struct setting_type type_size = { set_size, false, TAKES_STRINGS | TAKES_NUMBERS, COMPLETE_NOTHING, NULL };
CHOICE(format, formats);
CHOICE(csv, layouts);
CHOICE(pss, pss_policies);
CHOICE(cpu_source, cpu_choices);
CHOICE(record_command, record_commands);
const struct setting_type type_summary = { set_summary, false, TAKES_STRINGS, COMPLETE_CHOICES, summary_forms };
const struct setting_type type_help = { NULL, false, 0, COMPLETE_NOTHING, NULL };
const struct setting_type type_version = { NULL, false, 0, COMPLETE_NOTHING, NULL };
