/* fuzz_cpu.c - /proc/stat and /proc/loadavg as any bytes. */
#include "../../src/collect/cpu.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct cpu_counters was, now;
	static struct sample out;

	sample_clear(&out);
	(void)!cpu_parse_load(&out.total, (const char *)data, size);
	if (cpu_parse(&now, (const char *)data, size) == 0) {
		cpu_derive(&out, &was, &now, 100);
		was = now;
	}
	return 0;
}
