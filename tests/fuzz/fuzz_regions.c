/* fuzz_regions.c - shared memory of regions with any content, changed between two passes over it. */
#include "../../src/regions/channel_read.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Five bytes each: place, value, count. */
static void scribble(unsigned char *at, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i + 5 <= size; i += 5) {
		size_t where = ((size_t)data[i] << 16 | (size_t)data[i + 1] << 8 | data[i + 2]) %
			       sizeof(struct rt_region_channel);

		memset(at + where, data[i + 3], size_min(data[i + 4], sizeof(struct rt_region_channel) - where));
	}
}

static void read_all(struct channel_reader *r, struct region_sums *sums)
{
	struct channel_open open[RT_REGION_DEPTH];
	struct channel_item item;
	char path[REGION_PATH_SIZE];
	size_t items = 0;

	channel_pass(r);
	while (channel_next(r, &item)) {
		channel_path(path, r->channel, item.path);
		if (!memchr(path, '\0', sizeof path) || !memchr(item.text, '\0', sizeof item.text) ||
		    ++items > RT_REGION_LANES * RT_REGION_RING + RT_REGION_NOTES)
			__builtin_trap();
	}
	for (uint32_t lane = 0; lane < channel_lanes(r->channel); lane++)
		if (channel_open(open, r->channel, lane) > RT_REGION_DEPTH)
			__builtin_trap();
	channel_sum(sums, r->channel, UINT64_MAX / 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct rt_region_channel *c;
	struct channel_reader r = { .channel = c };
	struct region_sums sums = { 0 };
	struct region_totals totals;

	if (!c && !(c = calloc(1, sizeof *c)))
		return 0;
	r.channel = c;
	memset(c, 0, offsetof(struct rt_region_channel, block));
	scribble((unsigned char *)c, data, size / 2);
	read_all(&r, &sums);
	scribble((unsigned char *)c, data + size / 2, size - size / 2);
	read_all(&r, &sums);
	if (region_sums_totals(&totals, &sums, 0.5) == 0) {
		for (size_t i = 0; i < totals.n; i++)
			if (totals.at[i].p50_seconds > totals.at[i].p99_seconds)
				__builtin_trap();
		region_totals_release(&totals);
	}
	region_sums_release(&sums);
	return 0;
}
