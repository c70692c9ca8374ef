/*
 * patience.h - waiting in unit tests: for events, never for a time.
 *
 * The one limit is generous, because it only catches tests that hang: 16 busy processes beside, a sanitizer or a slow
 * kernel each make a test ten times slower.
 */
#ifndef PATIENCE_H
#define PATIENCE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <time.h>

enum { ENOUGH_SECONDS = 600 };

/* Sleeps; signals do not shorten it. */
static inline void pause_ms(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&t, &t) < 0)
		;
}

/* Polls until the condition holds; fails the test if that takes too long. */
#define wait_until(condition) do { \
		time_t end_ = time(NULL) + ENOUGH_SECONDS; \
		while (!(condition)) { \
			if (time(NULL) > end_) \
				fail_msg("waited %d s for: %s", ENOUGH_SECONDS, #condition); \
			pause_ms(1); \
		} \
	} while (0)

#endif
