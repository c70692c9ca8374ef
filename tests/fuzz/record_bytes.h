/* record_bytes.h - any bytes as a run record: as they are, and as the lines after a header. */
#ifndef RT_TESTS_RECORD_BYTES_H
#define RT_TESTS_RECORD_BYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Calls read() for both; the text is not terminated. */
static inline void read_as_records(const uint8_t *data, size_t size, void (*read)(const char *text, size_t n))
{
	static const char header[] = "{\"record\":\"resource-tracker\",\"version\":1,\"tables\":"
				     "{\"disk\":[[\"read_bytes\",\"bytes\",\"amount\"],[\"busy_pct\",\"percent\",\"level\"]]}}\n";
	enum { HEADER = sizeof header - 1 };
	char *text = malloc(HEADER + size);

	read((const char *)data, size);
	if (!text)
		return;
	memcpy(text, header, HEADER);
	if (size > 0)
		memcpy(text + HEADER, data, size);
	read(text, HEADER + size);
	free(text);
}

#endif
