/* options_file.h - options out of the config files. */
#ifndef RT_OPTIONS_FILE_H
#define RT_OPTIONS_FILE_H

#include "config.h"
#include "config_file.h"
#include "option_table.h"

struct options_file {
	enum config_place place;
	char name[1024];                        /* as it is shown */
	struct config config;                   /* in the memory of the options; empty: there is no such file */
	unsigned problems;                      /* that were warned of */
};

/* Where values and sentences go. */
struct options_file_reader {
	struct options *to;
	/* false: the value is checked only; origin: "FILE:3: tracker.interval", line: of it. */
	bool (*may_set)(void *context, const struct option_info *option, const struct options_file *file, bool lock,
			unsigned line, const char *origin);
	void *context;
	void (*warn)(const char *sentence);
	struct why *why;
};

/*
 * Reads a file.  What is wrong with one that was named (to->config) is an error with a sentence.  Any other is left
 * alone with a warning then, for a job is not to fail for it.
 */
int options_file_read(struct options_file *ret, enum config_place place, const struct options_file_reader *to,
		      char *const *environment) must_use;

/*
 * Takes over its entries: those of the site's table [locked], or all others.  Every value is checked; it is kept where
 * may_set agrees.  Wrong entries are errors or warnings as above; the others hold.
 */
int options_file_take(struct options_file *f, bool locks, const struct options_file_reader *to) must_use;

#endif
