/* rt_options.h - exchange of structs and sentences with callers built for any version of the library. */
#ifndef RT_RT_OPTIONS_H
#define RT_RT_OPTIONS_H

#include <string.h>

#include "../../include/resource_tracker.h"
#include "../core/why.h"

/*
 * Copies the caller's version of an options struct into ours; the rest stays zero.  -EINVAL: it was not initialised.
 * -E2BIG: it sets a member that this version does not know.
 */
int options_copy(void *ret, size_t ret_size, const void *options) must_use;
/* The error of options_copy as a sentence. */
void options_refused(struct why *why, int error, const char *initialiser);

/* Copies as much of a result as the caller's version of its struct has; `size` stays the caller's. */
static inline int result_give(void *ret, size_t caller_size, const void *result, size_t result_size)
{
	if (caller_size < sizeof caller_size)
		return -EINVAL;
	memcpy(ret, result, size_min(caller_size, result_size));
	return 0;
}

/* Copies the sentence of `why` to a caller; reason can be NULL. */
static inline int reason_give(char *reason, size_t reason_size, const struct why *why, int error)
{
	if (reason && reason_size > 0) {
		size_t n = size_min(strlen(why->text), reason_size - 1);

		memcpy(reason, why->text, n);
		reason[n] = '\0';
	}
	return error;
}

#endif
