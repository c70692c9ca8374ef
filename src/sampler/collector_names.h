/* collector_names.h - the words in --only and --without. */
#ifndef RT_COLLECTOR_NAMES_H
#define RT_COLLECTOR_NAMES_H

/* Names of all collectors, NULL-terminated. */
extern const char *const sampler_collectors[];

#endif
