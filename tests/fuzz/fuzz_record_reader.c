/* fuzz_record_reader.c - any bytes as a run record, read and replayed. */
#include "../../src/readers/record_reader.h"
#include "record_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const char *text, size_t n)
{
	struct record_reader *r;
	struct aggregate *all;
	volatile double sum = 0;                /* every value is read */

	if (record_reader_of(&r, "fuzz", text, n, NULL) < 0)
		return;
	all = aggregate_open();
	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;) {
		if (item == RECORD_ROW) {
			record_reader_replay(r, all);
			for (size_t i = 0; i < record_reader_columns(r); i++)
				if (strlen(record_reader_column(r, i)->name) > 0)
					sum += record_reader_values(r)[i];
		} else if (strlen(record_reader_exit(r)->name) >= sizeof record_reader_exit(r)->name) {
			abort();
		}
	}
	if (record_reader_next(r) != RECORD_OVER || record_reader_facts(r)->n_problems > 17)
		abort();
	(void)sum;
	aggregate_close(all);
	record_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_as_records(data, size, read_all);
	return 0;
}
