/* utc.h - an instant in UTC, as text. */
#ifndef RT_UTC_H
#define RT_UTC_H

#include <stdint.h>

enum { UTC_SIZE = 40 };

/* "2026-11-21T13:48:00.123Z", from nanoseconds since 1970. */
void utc_write(char ret[UTC_SIZE], int64_t wall_ns);

#endif
