/*
 * config.h - parses a config file in a subset of TOML: comments, [tables], bare, quoted and dotted keys, strings on
 * one line, numbers, booleans, arrays of these.  Dates, inline tables, [[arrays of tables]], nested arrays and
 * multi-line strings are rejected with a sentence that names them.
 *
 * All accepted input has the same meaning as in TOML 1.0, except that text need not be UTF-8.
 */
#ifndef RT_CONFIG_H
#define RT_CONFIG_H

#include "../core/arena.h"
#include "../core/limits.h"
#include "../core/why.h"
#include "config_value.h"

struct config_entry {
	const char *key;                        /* "tracker.interval"; a part that is not a bare key is quoted */
	unsigned line;
	bool array;
	const struct config_value *values;      /* one, unless it is an array */
	size_t n_values;
};

struct config {
	struct config_entry *entries;           /* in the order of the file */
	size_t n_entries;
};

/*
 * Texts and entries are in `arena`, which the caller releases, after an error too.  -EBADMSG with a sentence and the
 * line of the error, -ENOMEM with a sentence.  *ret_line is set in any case.
 */
int config_parse(struct config *ret, struct arena *arena, const char *text, size_t n, unsigned *ret_line,
		 struct why *why) must_use;

#endif
