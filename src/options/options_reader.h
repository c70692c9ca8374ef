/*
 * options_reader.h - reads the options from all sources.
 *
 * Precedence: values locked by the site's file > flag > environment (RESOURCE_TRACKER_X, else TRACKER_X) > config
 * file that the user named, else the folder's > the user's > the site's > default.
 */
#ifndef RT_OPTIONS_READER_H
#define RT_OPTIONS_READER_H

#include "arguments.h"
#include "options.h"

/*
 * Reads argv (argv[0] is skipped), environment and config files into *ret; its texts are in the arguments given or in
 * memory that options_release frees.  Warnings (problems in a config file that the user did not name, an option that
 * the site locks, an unknown variable of ours) are sentences too, passed to `warn` one by one.  Call options_release
 * after any outcome.
 */
enum options_outcome options_read(struct options *ret, int argc, char *const *argv, char *const *environment,
				  void (*warn)(const char *sentence), struct why *why);

#endif
