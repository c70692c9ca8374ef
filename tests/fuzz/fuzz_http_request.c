/* fuzz_http_request.c - what a browser, or anything else on this machine, sends to `report --live`. */
#include <stdlib.h>
#include <string.h>

#include "../../src/live/http_request.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char token[] = "0123456789abcdef";
	char *text = malloc(size ? size : 1);           /* of this size, so that a byte too far is noticed */
	enum http_asked asked;

	if (!text)
		return 0;
	memcpy(text, data, size);
	asked = http_asked(text, size, token, "127.0.0.1");
	if ((asked == HTTP_PAGE || asked == HTTP_EVENTS) && !memmem(text, size, token, sizeof token - 1))
		__builtin_trap();
	free(text);
	return 0;
}
