/*
 * values.h - parses quantities as users write them.  Pure functions on text.
 *
 * Each returns false, with *ret unchanged, unless the whole text is such a value.
 */
#ifndef RT_VALUES_H
#define RT_VALUES_H

#include "../core/scan.h"

/* "0.5", "250ms", "2s", "1m", "1.5h": seconds.  A bare number is seconds. */
bool value_duration(const char *text, double *ret_seconds);
/* "4096", "512K", "1GiB": 1024; "500MB", "2kB": 1000. */
bool value_size(const char *text, uint64_t *ret_bytes);
bool value_u64(const char *text, uint64_t *ret);
bool value_decimal(const char *text, double *ret);             /* not negative, as all of these */
/* true yes on 1, false no off 0, in any case. */
bool value_bool(const char *text, bool *ret);

#endif
