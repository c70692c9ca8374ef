/* fuzz_sentinel_answer.c - what the service Sentinel, or anything else at its address, answers. */
#include <stdlib.h>
#include <string.h>

#include "../../src/push/sentinel_answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What goes into a header or a path must not begin another one. */
static void is_one_word(const char *text)
{
	for (; *text; text++)
		if (*text == '\r' || *text == '\n')
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char SECRET[] = "secret";
	char *text = malloc(size ? size : 1), detail[200];      /* of this size, so that a byte too far is noticed */
	struct sentinel_run run;
	struct sentinel_keys keys;

	if (!text)
		return 0;
	memcpy(text, data, size);
	if (sentinel_read_run(&run, text, size) == 0) {
		is_one_word(run.id);
		if (strchr(run.id, '/'))
			abort();
	}
	if (sentinel_read_keys(&keys, text, size) == 0) {
		is_one_word(keys.keys.access);
		is_one_word(keys.keys.token);
		sentinel_forget_keys(&keys);
	}
	sentinel_read_detail(detail, sizeof detail, text, size, SECRET);
	is_one_word(detail);
	if (strstr(detail, SECRET))
		abort();
	free(text);
	return 0;
}
