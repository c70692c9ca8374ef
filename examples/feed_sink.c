/*
 * feed_sink.c - a live sink: one metric of a run into a file, as the run goes on.
 *
 *     resource-tracker --feed-to 'feed_sink process.rss_bytes rss.txt' -- make
 *
 * Writes a line for each sample: the time and the value; "nan" is unknown.
 */
#include <stdio.h>

#include <resource_tracker_records.h>

static int complain(const char *what)
{
	(void)fprintf(stderr, "feed_sink: %s\n", what);
	return 1;
}

int main(int argc, char **argv)
{
	struct rt_record *feed;
	size_t table, metric;
	char reason[256];
	int item, written = 0;

	if (argc != 3 || rt_find(argv[1], &table, &metric) < 0)
		return complain("takes a metric, such as process.rss_bytes, and a file");

	FILE *file = fopen(argv[2], "w");

	if (!file)
		return complain("cannot open the file");
	if (rt_record_open(&feed, "-", reason, sizeof reason) < 0)
		return complain(reason);
	while (written >= 0 && (item = rt_record_next(feed)) > 0) {
		const struct rt_tracker *row = rt_record_tracker(feed);

		if (item != RT_RECORD_ROW)
			continue;
		written = fprintf(file, "%.3f %.9g\n", rt_timestamp_seconds(row), rt_get(row, argv[1]));
		if (written > 0 && fflush(file) != 0)
			written = -1;
	}
	rt_record_close(feed);
	return fclose(file) != 0 || written < 0 ? complain("cannot write") : 0;
}
