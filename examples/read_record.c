/* read_record.c - CPU time and memory of a run over time, out of its record: read_record FILE. */
#include <stdio.h>

#include <resource_tracker_records.h>

int main(int argc, char **argv)
{
	struct rt_record *record;
	char reason[256];

	if (rt_record_open(&record, argc > 1 ? argv[1] : "-", reason, sizeof reason) < 0)
		return fprintf(stderr, "read_record: %s\n", reason), 1;
	for (int item; (item = rt_record_next(record)) > 0;) {
		struct rt_tracker *row = rt_record_tracker(record);

		if (item == RT_RECORD_ROW)
			printf("%.3f,%g,%g\n", rt_timestamp_seconds(row), rt_get(row, "process.cpu_seconds"),
			       rt_get(row, "process.rss_bytes"));
	}
	rt_record_close(record);
	return 0;
}
