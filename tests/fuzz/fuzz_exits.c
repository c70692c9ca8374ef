/* fuzz_exits.c - the kernel's words about tasks that ended as any bytes. */
#include <string.h>

#include "../../src/kernel/exits_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct datagram_bytes bytes = { data, size };
	struct exit_message m;
	uint16_t family = 31;                   /* of the machine that the seeds are from */
	size_t left = size + 1;

	for (int r; (r = exit_next(&bytes, family, &m)) != 0;) {
		/* Each call takes something, and nothing is taken that is not there. */
		if (bytes.len >= left || bytes.at + bytes.len > data + size || (r < 0 && bytes.len > 0))
			__builtin_trap();
		left = bytes.len;
		if (r > 0 && m.kind == EXIT_TASK &&
		    (m.task <= 0 || m.process <= 0 || m.parent < 0 || memchr(m.name, '\0', sizeof m.name) == NULL))
			__builtin_trap();
		if (r > 0 && m.kind == EXIT_FAMILY && m.family == 0)
			__builtin_trap();
	}
	return 0;
}
