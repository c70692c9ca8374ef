/* fuzz_region_lines.c - lines about regions of any bytes. */
#include "../../src/regions/lines.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void see(void *context, const struct region_event *e)
{
	(void)context;
	if (!memchr(e->path, '\0', sizeof e->path) || !memchr(e->text, '\0', sizeof e->text) || e->seconds < 0 ||
	    e->monotonic_ns < 1000 || e->monotonic_ns > 5000000000)
		__builtin_trap();
}

static void see_short(void *context, const char *path, int64_t ns)
{
	(void)context;
	if (strlen(path) >= REGION_PATH_SIZE || ns < 0 || ns > 5000000000)
		__builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct region_lines l = { .first_ns = 1000, .now_ns = 5000000000, .tell = see, .tell_short = see_short };
	const uint8_t *end;

	for (; size > 0 && (end = memchr(data, '\n', size)) != NULL; size -= (size_t)(end + 1 - data), data = end + 1)
		region_line(&l, (const char *)data, (size_t)(end - data));
	region_line(&l, (const char *)data, size);
	region_lines_end(&l);
	region_lines_release(&l);
	return 0;
}
