/* fuzz_network.c - /proc/net/dev as any bytes. */
#include "../../src/collect/netdev.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scan s = scan_of((const char *)data, size);
	static struct interface_counters was;
	struct interface_line line;
	struct network_row row;

	while (netdev_next(&s, &line)) {
		netdev_derive(&row, &was, &line.counters);
		if (row.recv_bytes < 0 || row.sent_bytes < 0)
			__builtin_trap();
		was = line.counters;
	}
	return 0;
}
