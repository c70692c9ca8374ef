/* options_file.h - reads options from config files. */
#ifndef RT_OPTIONS_FILE_H
#define RT_OPTIONS_FILE_H

#include "config.h"
#include "config_file.h"
#include "option_table.h"

struct options_file {
	enum config_place place;
	char name[1024];                        /* as shown to the user */
	struct config config;                   /* in the memory of the options; empty: no such file */
	unsigned problems;                      /* warnings so far */
};

/* The destinations of values and sentences. */
struct options_file_reader {
	struct options *to;
	/*
	 * false: the value is only checked.  lock: the entry is in the table [locked]; origin: "FILE:3:
	 * tracker.interval", line: of it.
	 */
	bool (*may_set)(void *context, const struct option_info *option, const struct options_file *file, bool lock,
			unsigned line, const char *origin);
	void *context;
	void (*warn)(const char *sentence);
	struct why *why;
};

/*
 * Reads a file.  A problem with a file that the user named (to->config) is an error with a sentence.  Any other file
 * is skipped with a warning, because it must not make a job fail.  0, with an empty *ret if there is nothing to read;
 * or -EINVAL with a sentence.
 */
int options_file_read(struct options_file *ret, enum config_place place, const struct options_file_reader *to,
		      char *const *environment) must_use;

/*
 * Applies its entries: those of the site's table [locked], or all others.  Every value is checked; it is set if
 * may_set agrees.  Invalid entries are errors or warnings as above; the others are applied.
 */
int options_file_take(struct options_file *f, bool locks, const struct options_file_reader *to) must_use;

#endif
