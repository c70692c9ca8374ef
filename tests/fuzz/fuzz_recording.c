/* fuzz_recording.c - any bytes as a recording of any tracker. */
#include "../../src/readers/recording.h"

#include <string.h>

#include "../../src/core/aggregate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct recording *r;
	struct why why;
	size_t rows = 0;

	if (recording_of(&r, "fuzz", (const char *)data, size, &why) < 0) {
		if (strchr(why.text, '\n') || !why.text[0])
			abort();
		return 0;
	}
	while (recording_next(r)) {
		const struct sample *s = recording_sample(r);

		/* A recording can have odd times, but a row never takes less than none. */
		if (s->interval_seconds <= 0)
			abort();
		rows++;
	}
	if (recording_failed(r, &why) && rows > 0 && recording_facts(r)->n_problems > 18)
		abort();
	if (aggregate_seconds(recording_whole(r)) < 0)
		abort();
	recording_close(r);
	return 0;
}
