/* fuzz_record_reader.c - any bytes as a run record, read and replayed. */
#include "../../src/readers/record_reader.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(struct record_reader *r)
{
	struct aggregate *all = aggregate_open();

	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;) {
		if (item == RECORD_ROW) {
			record_reader_replay(r, all);
			for (size_t i = 0; i < record_reader_columns(r); i++)
				if (strlen(record_reader_column(r, i)->name) > 0)
					(void)record_reader_value(r, i);
		} else if (strlen(record_reader_exit(r)->name) >= sizeof record_reader_exit(r)->name) {
			abort();
		}
	}
	if (record_reader_next(r) != RECORD_OVER || record_reader_facts(r)->n_problems > 17)
		abort();
	aggregate_close(all);
	record_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char header[] = "{\"record\":\"resource-tracker\",\"version\":1,\"tables\":"
				     "{\"disk\":[[\"read_bytes\",\"bytes\",\"amount\"],[\"busy_pct\",\"percent\",\"level\"]]}}\n";
	struct record_reader *r;
	char *text = malloc(sizeof header - 1 + size);

	if (record_reader_of(&r, "fuzz", (const char *)data, size, NULL) == 0)
		read_all(r);
	if (!text)
		return 0;
	memcpy(text, header, sizeof header - 1);
	if (size > 0)
		memcpy(text + sizeof header - 1, data, size);
	if (record_reader_of(&r, "fuzz", text, sizeof header - 1 + size, NULL) == 0)
		read_all(r);
	free(text);
	return 0;
}
