/* fuzz_pressure.c - a file of /proc/pressure as any bytes. */
#include "../../src/collect/pressure.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pressure_times t;

	if (pressure_parse(&t, (const char *)data, size) == 0 && !t.has_some && !t.has_full)
		abort();
	return 0;
}
