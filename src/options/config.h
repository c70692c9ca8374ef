/*
 * config.h - a config file in TOML, as far as people use it: comments, [tables], bare, quoted and
 * dotted keys, strings on one line, numbers, booleans, arrays of these.  Dates, inline tables,
 * [[arrays of tables]], arrays in arrays and strings over several lines are refused by name.
 *
 * All that is accepted means the same as in TOML 1.0, except that text need not be UTF-8.
 */
#ifndef RT_CONFIG_H
#define RT_CONFIG_H

#include "../core/arena.h"
#include "../core/limits.h"
#include "../core/why.h"
#include "config_value.h"

struct config_entry {
	const char *key;                        /* "tracker.interval"; a part that is not bare stands in "" */
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
 * Texts and entries live in `arena`.  -EBADMSG with a sentence and the line where something is
 * wrong, -ENOMEM.
 */
int config_parse(struct config *ret, struct arena *arena, const char *text, size_t n, unsigned *ret_line,
		 struct why *why) must_use;

#endif
