/* base.h - small helpers that C lacks.  Includes no header of ours; every file may include it. */
#ifndef RT_BASE_H
#define RT_BASE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define countof(array) (sizeof(array) / sizeof((array)[0]))

#define must_use       __attribute__((warn_unused_result))
#define maybe_unused   __attribute__((unused))
#define printf_like(text, first) __attribute__((format(printf, text, first)))

/* Closes *fd if it is open and marks it closed; keeps errno.  Fits auto_close. */
static inline void close_p(int *fd)
{
	if (*fd >= 0) {
		int saved = errno;

		(void)close(*fd);
		errno = saved;
		*fd = -1;
	}
}

static inline void free_p(void *pointer)
{
	free(*(void **)pointer);
}

#define auto_close __attribute__((cleanup(close_p)))
#define auto_free  __attribute__((cleanup(free_p)))

static inline size_t size_min(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t size_max(size_t a, size_t b) { return a > b ? a : b; }
/* fmin() and fmax() need libm, which costs every run of the recorder 0.1 ms. */
static inline double double_min(double a, double b) { return a < b ? a : b; }
static inline double double_max(double a, double b) { return a > b ? a : b; }

/* clang calls libm for floor().  From 2^52 on each double is whole. */
static inline double double_floor(double a)
{
	const double whole = 4503599627370496.0;

	if (!(a < whole && a > -whole))
		return a;

	double cut = (double)(int64_t)a;

	return cut > a ? cut - 1 : cut;
}

#define NS_PER_SECOND INT64_C(1000000000)

#endif
