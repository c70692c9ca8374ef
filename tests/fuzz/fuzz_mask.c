/* fuzz_mask.c - command lines of any bytes. */
#include "../../src/text/mask.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct buffer out = { 0 };
	struct mask mask = { 0 };
	char *text = malloc(size + 1);

	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	for (size_t at = 0; at <= size; at += strlen(text + at) + 1)
		mask_argument(&mask, &out, text + at);
	if (out.len > 4 * size + 3)                     /* *** for a single letter */
		__builtin_trap();
	free(text);
	buffer_release(&out);
	return 0;
}
