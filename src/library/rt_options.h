/* rt_options.h - what callers of any version hand in, and what they are given: structs with their size, sentences. */
#ifndef RT_RT_OPTIONS_H
#define RT_RT_OPTIONS_H

#include <string.h>

#include "../../include/resource_tracker.h"
#include "../core/why.h"

/*
 * Copies what the caller's version of an options struct has into ours, the rest stays zero.  -EINVAL: it was not
 * initialised.  -E2BIG: something is set that we do not know.
 */
int options_copy(void *ret, size_t ret_size, const void *options) must_use;
/* What it said, as a sentence. */
void options_refused(struct why *why, int error, const char *initialiser);

/* As much of a result as the caller's version of its struct has; `size` stays the caller's. */
static inline int result_give(void *ret, size_t caller_size, const void *result, size_t result_size)
{
	if (caller_size < sizeof caller_size)
		return -EINVAL;
	memcpy(ret, result, size_min(caller_size, result_size));
	return 0;
}

/* The sentence of `why` to a caller who may not want it. */
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
