/* fuzz_library_record.c - any bytes as a run record, read by the library into all its frames. */
#include "../../include/resource_tracker_records.h"
#include "../../src/core/base.h"
#include "record_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads every value and text that the library gives out. */
static double look_at(const struct rt_frame *f)
{
	double sum = 0;

	for (size_t c = 0; c < rt_frame_columns(f); c++) {
		const double *at = rt_frame_column(f, (ssize_t)c);

		for (size_t row = 0; row < rt_frame_rows(f); row++)
			sum += at[row];
	}
	for (size_t row = 0; row < rt_frame_rows(f); row++)
		for (size_t i = 0; i < rt_frame_texts(f); i++)
			sum += (double)strlen(rt_frame_text(f, row, i));
	return sum;
}

static void read_by_library(const char *text, size_t n)
{
	static const char *const frames[] = {
		"total", "maximum", "core", "disk", "mount", "network", "gpu", "program", "root", "exit", "event", "region",
		"statistic",
	};
	struct rt_record_info info = { .size = sizeof info };
	struct rt_record *record;
	volatile double sum = 0;
	const char *name, *value;

	if (rt_record_open_memory(&record, text, n, NULL, 0) < 0)
		return;
	for (size_t i = 0; i < countof(frames); i++)
		if (rt_record_keep(record, frames[i]) < 0)
			abort();
	while (rt_record_next(record) > 0) {
		sum += rt_get(rt_record_tracker(record), "cpu.utilization_cores");
		sum += (double)rt_write_json(rt_record_tracker(record), NULL, 0);
	}
	for (size_t i = 0; i < countof(frames); i++)
		sum += look_at(rt_record_frame(record, frames[i]));
	for (size_t i = 0; rt_record_detail(record, i, &name, &value) == 0; i++)
		sum += (double)strlen(name) + (double)strlen(value);
	if (rt_record_info(record, &info) < 0 || info.n_problems > 17)
		abort();
	for (size_t i = 0; i < info.n_notices; i++)
		sum += (double)strlen(info.notices[i]);
	rt_record_close(record);
	(void)sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_as_records(data, size, read_by_library);
	return 0;
}
