/* moment.h - parses an instant as a user writes it. */
#ifndef RT_MOMENT_H
#define RT_MOMENT_H

#include "../core/base.h"

/*
 * "2026-11-21", "2026-11-21T17:30", "2026-11-21 17:30:05", in UTC with "Z", else in local time; or a time ago: "90m",
 * "12h", "7d".  Nanoseconds since 1970.  false for anything else, with *ret unchanged.
 */
bool moment_read(const char *text, int64_t *ret);

#endif
