/* rt_options.c - versions: of the library, and of its callers' structs. */
#include "rt_options.h"

const char *rt_version(void)
{
	return RT_VERSION;
}

int rt_version_number(void)
{
	return RT_VERSION_NUMBER;
}

/* The caller's size, not ours: its struct can be shorter. */
static void init(void *options, size_t size)
{
	if (size < sizeof size)
		return;
	memset(options, 0, size);
	memcpy(options, &size, sizeof size);
}

void rt_options_init(struct rt_options *options, size_t size)
{
	init(options, size);
}

void rt_stream_options_init(struct rt_stream_options *options, size_t size)
{
	init(options, size);
}

int options_copy(void *ret, size_t ret_size, const void *options)
{
	const char *given = options;
	size_t size;

	if (!given)
		return 0;
	memcpy(&size, given, sizeof size);
	if (size < sizeof size || size > 4096)
		return -EINVAL;
	for (size_t i = ret_size; i < size; i++)
		if (given[i])
			return -E2BIG;
	memcpy(ret, given, size_min(size, ret_size));
	return 0;
}

void options_refused(struct why *why, int error, const char *initialiser)
{
	if (error == -E2BIG)
		(void)why_set(why, error, "an option is set that this library, version %s, does not know", RT_VERSION);
	else
		(void)why_set(why, error, "the options were not made by %s", initialiser);
}
