/* report_data.c - the data of a report's page, of one or several runs. */
#include "report_data.h"

#include <string.h>
#include <time.h>

#include "../report/report_run.h"

enum { POINTS_MOST = 1000, POINTS_LEAST = 100, POINTS_IN_ALL = 4000 };
/* Of the data of all runs; with the page 1.5 MB. */
enum { DATA_BYTES = 1330000 };

void report_data_element(struct buffer *out, const struct buffer *json)
{
	buffer_text(out, "<script type=\"application/json\" id=\"report-data\">");
	for (const char *at = json->at, *end = at + json->len; at < end;) {
		const char *tag = memchr(at, '<', (size_t)(end - at));

		buffer_bytes(out, at, (size_t)((tag ? tag : end) - at));
		if (tag)
			buffer_text(out, "\\u003c");
		at = tag ? tag + 1 : end;
	}
	buffer_text(out, "</script>");
}

void report_data_head(struct json *j, bool live)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &now);
	json_open(j, '{');
	json_member_i64(j, "format", 1);
	json_member_text(j, "program", "resource-tracker " RT_VERSION);
	json_member_i64(j, "made_at", now.tv_sec);
	if (live)
		json_member_bool(j, "live", true);
	json_member_open(j, "runs", '[');
}

/* name, prices: as report_data_run has them. ret_running: NULL, or whether the run goes on. */
static int put_run(struct json *j, struct buffer *name, bool *ret_running, const char *path, size_t points,
		   size_t bytes, struct run_prices *prices, struct why *why)
{
	struct report_run *run = malloc(sizeof *run);
	int r = run ? report_run_read(run, path, points, why) : why_set(why, -ENOMEM, "out of memory");

	if (r == 0) {
		if (name)
			report_run_name(name, run);
		if (ret_running)
			*ret_running = run->digest.state == STATE_RUNNING;
		if (prices)
			run_prices_apply(prices, &run->digest);
		report_run_json(j, run, bytes);
		report_run_release(run);
	}
	free(run);
	return r;
}

int report_data_run(struct json *j, struct buffer *name, const char *path, size_t n,
		    struct run_prices *prices, struct why *why)
{
	size_t points = size_max(size_min(POINTS_IN_ALL / n, POINTS_MOST), POINTS_LEAST);

	return put_run(j, name, NULL, path, points, DATA_BYTES / n, prices, why);
}

int report_data_live(struct json *j, bool *ret_running, const char *path, struct why *why)
{
	return put_run(j, NULL, ret_running, path, POINTS_MOST, 0, NULL, why);
}
