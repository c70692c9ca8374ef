/* fuzz_sockets.c - the kernel's messages about sockets as any bytes. */
#include "../../src/kernel/sockets_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct datagram_bytes bytes = { data, size };
	struct diag_message m;
	struct tcp_counts counts;
	uint32_t inode;
	size_t left = size + 1;

	for (int r; (r = diag_next(&bytes, &m)) != 0;) {
		/* Each call takes at least one byte, and never more than there are. */
		if (bytes.len >= left || bytes.at + bytes.len > data + size || (r < 0 && bytes.len > 0))
			__builtin_trap();
		left = bytes.len;
		if (r > 0 && m.kind == DIAG_SOCKET && !m.has_bytes && (m.received || m.sent))
			__builtin_trap();
	}
	(void)!tcp_counts_parse(&counts, (const char *)data, size);
	if (socket_link(&inode, (const char *)data, size) && inode == 0)
		__builtin_trap();
	return 0;
}
