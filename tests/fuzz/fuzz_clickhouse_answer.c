/* fuzz_clickhouse_answer.c - what a server, or anything else at its address, answers to `fleet`. */
#include <stdlib.h>
#include <string.h>

#include "../../src/fleet/clickhouse_answer.h"
#include "../../src/fleet/clickhouse_error.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size ? size : 1);           /* of this size, so that a byte too far is noticed */
	struct fleet_result result = { .n_rows = 0 };
	struct clickhouse_error error;
	struct buffer out = { 0 };

	if (!text)
		return 0;
	memcpy(text, data, size);
	clickhouse_error_read(&error, text, size);
	if (clickhouse_answer_read(&result, text, size) == 0) {
		fleet_result_json(&out, &result);
		fleet_result_text(&out, &result);
	}
	buffer_release(&out);
	fleet_result_release(&result);
	free(text);
	return 0;
}
