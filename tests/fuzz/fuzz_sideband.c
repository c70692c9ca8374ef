/* fuzz_sideband.c - a perf ring of any bytes: the first two give its start, the rest is the ring. */
#include "../../src/kernel/sideband_parse.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { RING = 512 };
	unsigned char *bytes = calloc(1, RING);         /* on the heap: a read beyond it is detected */
	struct sideband_record r;
	int cpus[4];

	if (!bytes || size < 2) {
		free(bytes);
		return 0;
	}

	size_t n = size_min(size - 2, RING);
	uint64_t tail = (uint64_t)data[0] * 8;
	struct sideband_ring ring = { .at = bytes, .size = RING, .tail = tail, .head = tail + n + (data[1] == 0xff) };

	for (size_t i = 0; i < n; i++)
		bytes[(tail + i) % RING] = data[2 + i];
	while (sideband_parse(&r, &ring) > 0)
		if (ring.tail <= tail || ring.tail > ring.head || memchr(r.name, '\0', sizeof r.name) == NULL)
			__builtin_trap();
		else
			tail = ring.tail;
	if (ring.tail != ring.head)
		__builtin_trap();
	(void)sideband_parse_cpus(cpus, countof(cpus), (const char *)data, size);
	free(bytes);
	return 0;
}
