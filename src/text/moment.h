/* moment.h - an instant as people write it. */
#ifndef RT_MOMENT_H
#define RT_MOMENT_H

#include "../core/base.h"

/*
 * "2026-11-21", "2026-11-21T17:30", "2026-11-21 17:30:05", with "Z" in UTC and else in local time; or a time ago: "90m",
 * "12h", "7d".  Nanoseconds since 1970.  false, and *ret left alone, for anything else.
 */
bool moment_read(const char *text, int64_t *ret);

#endif
