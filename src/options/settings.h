/*
 * settings.h - the properties of an option, and its value: parses the text and sets the field, for the command line,
 * variables and config files alike.  An invalid value gives a sentence that names its origin.
 *
 * A text is not copied: the option points to the value, which must outlive struct options (argv, the environment; texts
 * of config files are in the arena of struct options, as arrays are).
 */
#ifndef RT_SETTINGS_H
#define RT_SETTINGS_H

#include "../text/shown.h"
#include "options.h"

struct option_info;

struct setting {
	struct options *to;
	const struct option_info *option;
	const char *origin;                     /* "--interval", "RESOURCE_TRACKER_INTERVAL", "FILE:3: tracker.interval" */
	bool again;                             /* the second value of a repeatable option: append it */
	struct why *why;
};

enum config_takes {                             /* types that a config file can use, besides strings */
	TAKES_NUMBERS = 1, TAKES_BOOLEANS = 2, TAKES_ARRAYS = 4, TAKES_STRINGS = 8,
};
enum completion { COMPLETE_NOTHING, COMPLETE_CHOICES, COMPLETE_LIST, COMPLETE_FILE, COMPLETE_DIRECTORY, COMPLETE_PID };

struct setting_type {
	/* 0, or -EINVAL and a sentence; also -ENOMEM.  NULL: has no value (--help, --version). */
	int (*set)(const struct setting *s, const char *value);
	bool repeatable;
	unsigned config;                        /* enum config_takes, or-ed */
	enum completion completion;
	const char *const *choices;             /* NULL-terminated; NULL: none */
};

enum option_section { SECTION_WHAT, SECTION_WHEN, SECTION_OUTPUT, SECTION_SUMMARY, SECTION_RECORD,
		      SECTION_HOOKS, SECTION_PUSH, SECTION_JOB, SECTION_GENERAL, SECTIONS };

/* One line of options.def. */
struct option_info {
	char letter;                            /* '\0': none */
	const char *name, *argument;
	const struct setting_type *type;
	size_t field;                           /* offset in struct options */
	const char *variable;                   /* without prefix; NULL: none */
	bool peer_variable;                     /* TRACKER_<variable> is read too */
	const char *key;                        /* in config files, "tracker.interval"; NULL: none */
	bool in_folder;                         /* the folder's config file can set it */
	enum option_section section;
	const char *help;
};

extern const struct setting_type type_flag, type_text, type_file, type_directory, type_record, type_list,
	type_collectors, type_pids, type_tags, type_interval, type_duration, type_count, type_days, type_percent,
	type_size, type_feeds, type_feed_programs, type_hooks, type_limit_hooks, type_push_targets, type_push_files,
	type_bucket, type_listen, type_format, type_csv, type_pss, type_cpu_source, type_perf_cpus,
	type_record_command, type_summary, type_help, type_version;

#endif
