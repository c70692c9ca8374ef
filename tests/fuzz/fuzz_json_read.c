/* fuzz_json_read.c - any bytes as JSON text. */
#include "../../src/core/json_read.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t visit(struct json_value v)
{
	struct json_walk w = json_walk(v);
	struct json_value key, item;
	char text[32];
	size_t n = 1;

	(void)json_as_number(v);
	(void)json_as_bool(v);
	(void)json_as_text(v, text, sizeof text);
	(void)json_as_text(v, text, 1);
	for (struct json_walk one = w, other = w; !w.object && json_next(&one, NULL, &item);) {
		double value, expected = json_as_number(item);

		if (!json_next_number(&other, &value) || memcmp(&value, &expected, sizeof value) != 0 ||
		    one.at != other.at)
			abort();                /* both ways must agree */
	}
	while (json_next(&w, &key, &item)) {
		struct json_value found;

		if (w.object && json_as_text(key, text, sizeof text) && key.n == strlen(text) + 2 &&
		    !json_find(v, text, &found))
			abort();                /* a member that exists must be found */
		n += visit(item);
	}
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_value v;

	if (json_parse(&v, (const char *)data, size) == 0)
		(void)visit(v);
	return 0;
}
