/*
 * options_reader.h - reads what the user asked for.
 *
 * Precedence: what the site's file locks > flag > environment (RESOURCE_TRACKER_X, else TRACKER_X) > config file that
 * was named, else the folder's > the user's > the site's > default.
 */
#ifndef RT_OPTIONS_READER_H
#define RT_OPTIONS_READER_H

#include "arguments.h"
#include "options.h"

/*
 * Reads argv (argv[0] is skipped), environment and config file into *ret, whose texts live in the
 * arguments given or in memory that options_release frees.  Warnings (what is wrong in a config file that was not
 * named, an option that the site locks, an unknown variable of ours) are sentences too, handed to `warn` one by one.
 * options_release is due after any outcome.
 */
enum options_outcome options_read(struct options *ret, int argc, char *const *argv, char *const *environment,
				  void (*warn)(const char *sentence), struct why *why);

#endif
