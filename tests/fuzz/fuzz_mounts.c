/* fuzz_mounts.c - /proc/self/mountinfo as any bytes. */
#include "../../src/collect/mount_device.h"
#include "../../src/collect/mounts.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool long_ones_are_files(void *context, const char *point)
{
	(void)context;
	return strlen(point) > 8;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char label[DEVICE_LABEL_SIZE];
	struct mounts m;

	if (mounts_parse(&m, (const char *)data, size) < 0)
		return 0;
	mounts_select(&m, long_ones_are_files, NULL);
	for (size_t i = 0; i < m.n; i++) {
		(void)mount_device_of_link(label, m.at[i].source, i % 2);
		for (size_t j = 0; j < i; j++)
			if (m.at[i].major == m.at[j].major && m.at[i].minor == m.at[j].minor)
				__builtin_trap();
	}
	mounts_release(&m);
	return 0;
}
