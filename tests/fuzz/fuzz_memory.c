/* fuzz_memory.c - /proc/meminfo and /proc/vmstat as any bytes. */
#include "../../src/collect/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct totals out;
	static struct vmstat was;
	struct meminfo m;
	struct vmstat v;

	/* Two texts in turn; the first half of the bytes is the second one. */
	struct places places[2] = { { 0 } };
	size_t half = size / 2;

	(void)!meminfo_parse(&m, (const char *)data, half, &places[0]);
	(void)!vmstat_parse(&v, (const char *)data, half, &places[1]);
	(void)!meminfo_parse(&m, (const char *)data + half, size - half, &places[0]);
	(void)!vmstat_parse(&v, (const char *)data + half, size - half, &places[1]);
	if (meminfo_parse(&m, (const char *)data, size, NULL) == 0) {
		meminfo_derive(&out, &m);
		if (out.memory_used_bytes < 0 || out.memory_used_pct < 0 || out.memory_swap_used_bytes < 0)
			abort();
	}
	if (vmstat_parse(&v, (const char *)data, size, NULL) == 0) {
		vmstat_derive(&out, &was, &v, 4096);
		if (out.memory_minor_faults < 0)
			abort();
		was = v;
	}
	return 0;
}
