/* fuzz_region_lines.c - lines about regions of any bytes. */
#include "../../src/regions/lines.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void see(void *context, const struct region_event *e)
{
	if (e->kind == REGION_ENTRY)
		attribution_open(context, e->path, e->monotonic_ns, e->monotonic_ns + (int64_t)(e->seconds * 1e9));
	if (!memchr(e->path, '\0', sizeof e->path) || !memchr(e->text, '\0', sizeof e->text) || e->seconds < 0 ||
	    e->monotonic_ns < 1000 || e->monotonic_ns > 5000000000)
		__builtin_trap();
}

static void see_short(void *context, const char *path, int64_t ns)
{
	attribution_short(context, path, ns);
	if (strlen(path) >= REGION_PATH_SIZE || ns < 0 || ns > 5000000000)
		__builtin_trap();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct attribution a = { 0 };
	struct region_lines l = {
		.first_ns = 1000, .now_ns = 5000000000, .wall_ns = 1800000000000000000, .report = see,
		.report_short = see_short,
		.context = &a,
	};
	struct region_reading reading = { .at_ns = 1000, .rss_bytes = NONE };
	struct region_totals totals;
	const uint8_t *end;

	attribution_reading(&a, &reading);

	for (; size > 0 && (end = memchr(data, '\n', size)) != NULL; size -= (size_t)(end + 1 - data), data = end + 1)
		region_line(&l, (const char *)data, (size_t)(end - data));
	region_line(&l, (const char *)data, size);
	region_lines_share(&l, &a);
	reading = (struct region_reading){ .at_ns = 5000000000, .rss_bytes = 1, .used = { 1, 1, 1, 1, 1, 1, 1 } };
	attribution_reading(&a, &reading);
	region_lines_end(&l);
	if (region_sums_totals(&totals, &l.sums, 1) == 0) {
		attribution_fill(&totals, &a);
		for (size_t i = 0; i < totals.n; i++)
			if (totals.at[i].elapsed_seconds > 5 || totals.at[i].use[REGION_TREE_CPU].value > 1)
				__builtin_trap();
		region_totals_release(&totals);
	}
	attribution_release(&a);
	region_lines_release(&l);
	return 0;
}
