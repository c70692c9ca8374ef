/* fuzz_zfs.c - the output of zpool and the kstats of pools, as any bytes. */
#include "../../src/collect/zpool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pool_space pools[4];
	struct pool_io io;

	if (zpool_parse_list(pools, countof(pools), (const char *)data, size) > countof(pools))
		__builtin_trap();
	(void)zpool_parse_io(&io, (const char *)data, size);
	return 0;
}
