/* fuzz_gpu_select.c - lists of GPUs from users and from environments, as any bytes. */
#include <stdlib.h>
#include <string.h>

#include "../../src/gpu/select.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct gpu_device devices[3];
	char *text = malloc(size + 1);          /* exactly as long: a read beyond is detected */
	char names[24];
	struct gpu_visible v;
	double seen[3];

	if (!text)
		return 0;
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	memcpy(devices[0].row.key, "GPU-0234abcd", 13);
	memcpy(devices[0].row.host_id, "0", 2);
	memcpy(devices[0].row.vendor, "nvidia", 7);
	memcpy(devices[1].row.key, "MIG-1234abcd", 13);
	memcpy(devices[1].row.host_id, "0:1", 4);
	memcpy(devices[1].row.vendor, "nvidia", 7);
	memcpy(devices[2].folder, "0000:03:00.0", 13);
	memcpy(devices[2].row.vendor, "amd", 4);
	for (size_t i = 0; i < 3; i++)
		(void)gpu_selected(text, &devices[i]);
	(void)gpu_select_unmatched(names, sizeof names, text, gpu_select_matched(text, devices, 3));
	if (!memchr(names, '\0', sizeof names))
		abort();
	gpu_visible_parse(&v, text, size);
	(void)gpu_visible_match(seen, &v, devices, 3);
	for (size_t i = 0; i < 3; i++)
		if (!is_none(seen[i]) && seen[i] > 0 && seen[i] < 1)
			abort();
	free(text);
	return 0;
}
