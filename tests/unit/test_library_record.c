/* test_library_record.c - resource_tracker_records.h from the side of a caller, on records in memory. */
#include "fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/buffer.h"
#include "resource_tracker_records.h"

static const char header[] =
	"{\"record\":\"resource-tracker\",\"version\":1,\"tracker_version\":\"0.1.0\",\"id\":\"a-run\",\"start\":1000.5,"
	"\"interval_seconds\":1.0,\"start_after_boot_seconds\":50,\"command\":[\"python\",\"train.py\"],\"pids\":[7,8],"
	"\"metadata\":{\"job_name\":\"nightly\"},\"tags\":[\"a=b\"],\"job\":{\"scheduler\":\"slurm\",\"id\":\"12\",\"rank\":3},"
	"\"host\":{\"name\":\"vm\",\"cpus\":2},\"fixed\":{\"cpu.count\":2},"
	"\"tables\":{\"program\":[[\"cpu_seconds\",\"seconds\",\"amount\"],[\"rss_bytes\",\"bytes\",\"level\"]]}}\n";

static const char rows[] =
	"{\"columns\":[[\"process.cpu_seconds\",\"seconds\",\"amount\"],[\"process.rss_bytes\",\"bytes\",\"level\"],"
	"[\"tomorrow.metric\",\"bytes\",\"level\"]]}\n"
	"{\"rows\":{\"program\":[{\"index\":0,\"key\":\"python\"},{\"index\":1,\"key\":\"sh\"}]}}\n"
	"[\"r\",1.0,1.0,1,[0.5,100,7],null,{\"program\":[[0.4,90],0]}]\n"
	"{\"exit\":{\"t\":1.5,\"pid\":9,\"parent\":7,\"name\":\"ls\",\"started_after_boot_seconds\":50.25,\"cpu_seconds\":0.25,"
	"\"peak_rss_bytes\":4096,\"exact\":true}}\n"
	"{\"mark\":{\"t\":1.75,\"path\":\"train\",\"text\":\"epoch 1\",\"tid\":5}}\n"
	"{\"columns\":[[\"process.rss_bytes\",\"bytes\",\"level\"],[\"process.cpu_seconds\",\"seconds\",\"amount\"],"
	"[\"process.count\",\"count\",\"level\"]]}\n"
	"[\"r\",3.0,2.0,2,[200,null,4],[250,5],{\"program\":[[0.1,80]]}]\n";

static const char end[] =
	"{\"end\":{\"status\":\"signaled\",\"signal\":9,\"time\":1003.75,\"samples\":3,\"sampled_seconds\":3,\"exits\":4,"
	"\"exits_written\":1,\"reason\":{\"cause\":\"out_of_memory\",\"certainty\":\"likely\",\"text\":\"killed\"},"
	"\"statistics\":{\"process.rss_bytes\":[166.5,260,null]},"
	"\"tables\":{\"program\":[{\"key\":\"python\",\"cpu_seconds\":[0.25,0.4,0.5]}]},"
	"\"regions\":[{\"path\":\"train\",\"count\":2,\"seconds\":2.5,\"tree_cpu_seconds\":1.5,"
	"\"overlap\":{\"tree_cpu_seconds\":[1.25,1.75]}}]}}\n";

static struct rt_record *record_of(struct buffer *text, const char *first, const char *second, const char *third)
{
	struct rt_record *record;
	char reason[256] = "";

	buffer_clear(text);
	buffer_text(text, first);
	buffer_text(text, second);
	buffer_text(text, third);
	assert_int_equal(rt_record_open_memory(&record, text->at, text->len, reason, sizeof reason), 0);
	assert_string_equal(reason, "");
	return record;
}

static void row_by_row(void **state)
{
	struct buffer text = { 0 };
	struct rt_record *record = record_of(&text, header, rows, end);
	struct rt_tracker *row = rt_record_tracker(record);
	struct rt_exit e = { .size = sizeof e };
	struct rt_record_region region = { .size = sizeof region };
	size_t program, cpu;
	char line[4096];

	(void)state;
	assert_none(rt_get(row, "process.cpu_seconds"));
	assert_none(rt_timestamp_seconds(row));
	assert_int_equal(rt_record_samples(record), 0);

	assert_int_equal(rt_record_next(record), RT_RECORD_ROW);
	assert_near(rt_timestamp_seconds(row), 1001.5);
	assert_near(rt_interval_seconds(row), 1);
	assert_near(rt_get(row, "process.cpu_seconds"), 0.5);
	assert_near(rt_get(row, "cpu.count"), 2);
	assert_int_equal(rt_find("program.cpu_seconds", &program, &cpu), 0);
	assert_int_equal(rt_row_count(row, program), 2);
	assert_string_equal(rt_row_key(row, program, 0), "python");
	assert_near(rt_value(row, program, 0, cpu), 0.4);
	assert_near(rt_value(row, program, 1, cpu), 0);
	assert_true(rt_write_json(row, line, sizeof line) > 100);
	assert_non_null(strstr(line, "\"job_name\":\"nightly\""));
	assert_int_equal(rt_sample(row), -EINVAL);
	assert_int_equal(rt_next_exit(row, &e), 0);
	assert_null(rt_notice(row));

	assert_int_equal(rt_record_next(record), RT_RECORD_EXIT);
	assert_int_equal(rt_record_exit(record, &e), 0);
	assert_int_equal(e.pid, 9);
	assert_string_equal(e.name, "ls");
	assert_near(e.start_seconds, 1000.75);
	assert_near(e.end_seconds, 1002);
	assert_true(e.exact);

	assert_int_equal(rt_record_next(record), RT_RECORD_REGION);
	assert_int_equal(rt_record_region(record, &region), 0);
	assert_int_equal(region.kind, RT_RECORD_MARK);
	assert_string_equal(region.path, "train");
	assert_string_equal(region.text, "epoch 1");
	assert_near(region.timestamp_seconds, 1002.25);

	assert_int_equal(rt_record_next(record), RT_RECORD_ROW);
	assert_int_equal(rt_record_samples(record), 2);
	assert_near(rt_get(row, "process.rss_bytes"), 200);
	assert_none(rt_get(row, "process.cpu_seconds"));
	assert_int_equal(rt_record_next(record), RT_RECORD_OVER);
	assert_int_equal(rt_record_next(record), RT_RECORD_OVER);
	assert_near(rt_get(row, "process.rss_bytes"), 200);
	rt_record_close(record);
	buffer_release(&text);
}

static void the_run(void **state)
{
	struct buffer text = { 0 };
	struct rt_record *record = record_of(&text, header, rows, end);
	struct rt_record_info info = { .size = sizeof info }, older = { .size = offsetof(struct rt_record_info, cpus) };
	const char *name, *value;

	(void)state;
	assert_int_equal(rt_record_read(record), 0);
	assert_int_equal(rt_record_info(record, &info), 0);
	assert_string_equal(info.id, "a-run");
	assert_int_equal(info.n_command, 2);
	assert_string_equal(info.command[1], "train.py");
	assert_null(info.command[2]);
	assert_int_equal(info.n_pids, 2);
	assert_int_equal(info.pids[1], 8);
	assert_string_equal(info.tags[0], "a=b");
	assert_string_equal(info.host_name, "vm");
	assert_near(info.cpus, 2);
	assert_none(info.memory_bytes);
	assert_int_equal(info.status, RT_RECORD_SIGNALED);
	assert_int_equal(info.value, 9);
	assert_near(info.start_seconds, 1000.5);
	assert_near(info.end_seconds, 1003.75);
	assert_string_equal(info.cause, "out_of_memory");
	assert_near(info.rows, 2);
	assert_near(info.exits, 4);
	assert_int_equal(info.n_problems, 0);
	older.cpus = -4711;
	assert_int_equal(rt_record_info(record, &older), 0);
	assert_string_equal(older.host_name, "vm");
	assert_near(older.cpus, -4711);

	assert_int_equal(rt_record_detail(record, 0, &name, &value), 0);
	assert_string_equal(name, "metadata.job_name");
	assert_string_equal(value, "nightly");
	assert_int_equal(rt_record_detail(record, 1, &name, &value), 0);
	assert_string_equal(name, "job.scheduler");
	assert_int_equal(rt_record_detail(record, 3, &name, &value), 0);
	assert_string_equal(name, "job.rank");
	assert_string_equal(value, "3");
	assert_int_equal(rt_record_detail(record, 4, &name, &value), -ENOENT);
	rt_record_close(record);
	buffer_release(&text);
}

static double cell(const struct rt_frame *f, const char *column, size_t row)
{
	const double *at = rt_frame_column(f, rt_frame_find(f, column));

	assert_non_null(at);
	assert_true(row < rt_frame_rows(f));
	return at[row];
}

/* Also without rows, and when a record that is over is asked again. */
static void each_column_is_there_once(void **state)
{
	static const char *const names[] = {
		"total", "maximum", "core", "disk", "mount", "network", "gpu", "program", "root", "exit", "event", "region",
		"statistic",
	};
	struct buffer text = { 0 };
	struct rt_record *record = record_of(&text, header, "", "");
	struct rt_column_info info = { .size = sizeof info }, other = info;

	(void)state;
	for (size_t i = 0; i < countof(names); i++)
		assert_int_equal(rt_record_keep(record, names[i]), 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(rt_record_next(record), RT_RECORD_OVER);
	for (size_t i = 0; i < countof(names); i++) {
		const struct rt_frame *f = rt_record_frame(record, names[i]);

		assert_in_range(rt_frame_columns(f), 3, 500);
		for (size_t c = 0; c < rt_frame_columns(f); c++) {
			assert_int_equal(rt_frame_column_info(f, c, &info), 0);
			for (size_t k = 0; k < c; k++) {
				assert_int_equal(rt_frame_column_info(f, k, &other), 0);
				assert_string_not_equal(other.name, info.name);
			}
			assert_int_equal(rt_frame_find(f, info.name), (int)c);
		}
	}
	rt_record_close(record);
	buffer_release(&text);
}

static void columns_of_totals(void **state)
{
	struct buffer text = { 0 };
	struct rt_record *record = record_of(&text, header, rows, end);
	struct rt_column_info info = { .size = sizeof info };
	double values[16];

	(void)state;
	assert_int_equal(rt_record_keep(record, "total,no such one"), -EINVAL);
	assert_null(rt_record_frame(record, "total"));
	assert_int_equal(rt_record_keep(record, "total,maximum"), 0);
	assert_int_equal(rt_record_read(record), 0);
	assert_null(rt_record_frame(record, "exit"));

	const struct rt_frame *f = rt_record_frame(record, "total"), *maximum = rt_record_frame(record, "maximum");

	assert_int_equal(rt_frame_rows(f), 2);
	assert_int_equal(rt_frame_columns(f), 7);
	assert_int_equal(rt_frame_texts(f), 0);
	assert_null(rt_frame_text(f, 0, 0));
	assert_near(cell(f, "timestamp_seconds", 0), 1001.5);
	assert_near(cell(f, "interval_seconds", 1), 2);
	assert_near(cell(f, "samples", 1), 2);
	assert_near(cell(f, "process.cpu_seconds", 0), 0.5);
	assert_none(cell(f, "process.cpu_seconds", 1));
	assert_near(cell(f, "process.rss_bytes", 0), 100);      /* its place among the columns changed */
	assert_near(cell(f, "process.rss_bytes", 1), 200);
	assert_near(cell(f, "tomorrow.metric", 0), 7);
	assert_none(cell(f, "tomorrow.metric", 1));
	assert_none(cell(f, "process.count", 0));
	assert_near(cell(f, "process.count", 1), 4);
	assert_int_equal(rt_frame_find(f, "no such one"), -ENOENT);
	assert_null(rt_frame_column(f, -ENOENT));
	assert_null(rt_frame_column(f, 7));
	assert_int_equal(rt_frame_column_info(f, (size_t)rt_frame_find(f, "process.cpu_seconds"), &info), 0);
	assert_string_equal(info.unit, "seconds");
	assert_string_equal(info.kind, "amount");
	assert_int_equal(rt_frame_column_info(f, 7, &info), -EINVAL);
	values[2] = -4711;
	assert_int_equal(rt_frame_row(f, 1, values, 2), 7);
	assert_near(values[0], 1003.5);
	assert_near(values[2], -4711);
	assert_int_equal(rt_frame_row(f, 2, values, countof(values)), -EINVAL);

	assert_int_equal(rt_frame_rows(maximum), 2);
	assert_near(cell(maximum, "process.rss_bytes", 0), 100);
	assert_near(cell(maximum, "process.rss_bytes", 1), 250);
	assert_near(cell(maximum, "process.count", 1), 5);
	assert_int_equal(rt_frame_find(maximum, "process.cpu_seconds"), -ENOENT);
	rt_record_close(record);
	buffer_release(&text);
}

/* If a caller keeps only the totals, no other part of a row is read. */
static void totals_alone(void **state)
{
	struct buffer text = { 0 };
	struct rt_record *record = record_of(&text, header, rows, end);
	const struct rt_frame *f;
	size_t program, metric;

	(void)state;
	assert_int_equal(rt_record_keep(record, "total"), 0);
	assert_int_equal(rt_record_read(record), 0);
	f = rt_record_frame(record, "total");
	assert_int_equal(rt_frame_rows(f), 2);
	assert_near(cell(f, "process.rss_bytes", 1), 200);
	assert_near(cell(f, "samples", 1), 2);
	assert_int_equal(rt_find("program.rss_bytes", &program, &metric), 0);
	assert_int_equal(rt_row_count(rt_record_tracker(record), program), 0);
	rt_record_close(record);
	buffer_release(&text);
}

static void columns_of_other_rows(void **state)
{
	struct buffer text = { 0 };
	struct rt_record *record = record_of(&text, header, rows, end);
	const struct rt_frame *f;

	(void)state;
	assert_int_equal(rt_record_keep(record, "program,exit,event,region,statistic"), 0);
	assert_int_equal(rt_record_read(record), 0);
	assert_int_equal(rt_record_next(record), 0);            /* no row comes twice */

	f = rt_record_frame(record, "program");
	assert_int_equal(rt_frame_rows(f), 3);
	assert_string_equal(rt_frame_text_name(f, 0), "key");
	assert_string_equal(rt_frame_text(f, 1, 0), "sh");
	assert_string_equal(rt_frame_text(f, 2, 0), "python");
	assert_near(cell(f, "timestamp_seconds", 2), 1003.5);
	assert_near(cell(f, "cpu_seconds", 0), 0.4);
	assert_near(cell(f, "rss_bytes", 2), 80);

	f = rt_record_frame(record, "exit");
	assert_int_equal(rt_frame_rows(f), 1);
	assert_string_equal(rt_frame_text(f, 0, 0), "ls");
	assert_near(cell(f, "start_seconds", 0), 1000.75);
	assert_near(cell(f, "exact", 0), 1);

	f = rt_record_frame(record, "event");
	assert_int_equal(rt_frame_rows(f), 1);
	assert_string_equal(rt_frame_text(f, 0, 1), "epoch 1");
	assert_near(cell(f, "kind", 0), RT_RECORD_MARK);

	f = rt_record_frame(record, "region");
	assert_int_equal(rt_frame_rows(f), 1);
	assert_string_equal(rt_frame_text(f, 0, 0), "train");
	assert_near(cell(f, "count", 0), 2);
	assert_near(cell(f, "tree_cpu_seconds", 0), 1.5);
	assert_near(cell(f, "tree_cpu_seconds.upper", 0), 1.75);

	f = rt_record_frame(record, "statistic");
	assert_int_equal(rt_frame_rows(f), 2);
	assert_string_equal(rt_frame_text(f, 0, 0), "process.rss_bytes");
	assert_string_equal(rt_frame_text(f, 0, 1), "");
	assert_near(cell(f, "maximum", 0), 260);
	assert_string_equal(rt_frame_text(f, 1, 0), "program.cpu_seconds");
	assert_string_equal(rt_frame_text(f, 1, 1), "python");
	assert_near(cell(f, "sum", 1), 0.5);
	rt_record_close(record);
	buffer_release(&text);
}

static void malformed_records_are_refused(void **state)
{
	struct buffer text = { 0 };
	struct rt_record *record = NULL;
	struct rt_record_info info = { .size = sizeof info };
	char reason[256] = "";

	(void)state;
	assert_int_equal(rt_record_open_memory(&record, "x\n", 2, reason, sizeof reason), -EBADMSG);
	assert_string_equal(reason, "record:1: this is not a record of resource-tracker");
	assert_int_equal(rt_record_open(&record, "/nowhere/at all", reason, sizeof reason), -ENOENT);
	assert_non_null(strstr(reason, "/nowhere/at all"));
	assert_int_equal(rt_record_open(&record, "/", NULL, 0), -EISDIR);
	assert_null(record);
	rt_record_close(NULL);

	record = record_of(&text, header, rows, "[\"r\",4");      /* cut off */
	assert_int_equal(rt_record_keep(record, "total,region"), 0);
	assert_int_equal(rt_record_read(record), 0);
	assert_int_equal(rt_frame_rows(rt_record_frame(record, "total")), 2);
	assert_int_equal(rt_frame_rows(rt_record_frame(record, "region")), 0);
	assert_int_equal(rt_record_info(record, &info), 0);
	assert_int_equal(info.status, RT_RECORD_RUNNING);
	assert_near(info.end_seconds, 1003.5);
	assert_int_equal(info.n_problems, 2);
	info.size = 0;
	assert_int_equal(rt_record_info(record, &info), -EINVAL);
	rt_record_close(record);
	buffer_release(&text);
}

struct writer { int fd; const char *const *pieces; size_t n; };

/* A run that goes on: the next piece is there once the one before was read. */
static size_t followed(struct rt_record *record, struct writer *w)
{
	size_t n = 0;

	for (int item; (item = rt_record_next(record)) != RT_RECORD_OVER;) {
		n += item == RT_RECORD_ROW;
		if (item != RT_RECORD_LATER)
			continue;
		assert_int_equal(rt_record_next(record), RT_RECORD_LATER);      /* the call does not wait */
		rt_record_wait(record, 0);
		if (w->n-- > 0)
			assert_int_equal(write(w->fd, *w->pieces, strlen(*w->pieces)), strlen(*w->pieces));
		else
			(void)close(w->fd);
		w->pieces++;
		rt_record_wait(record, -1);
	}
	return n;
}

static void a_run_that_goes_on(void **state)
{
	static const char *const pieces[] = { rows, "[\"r\",4.0,1.0,1,[3", "00,null,4]]\n" };
	char path[64];
	int fds[2];
	struct rt_record *record;
	const struct rt_frame *f;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fds[0]);
	assert_int_equal(write(fds[1], header, sizeof header - 1), sizeof header - 1);
	assert_int_equal(rt_record_follow(&record, path, NULL, 0), 0);
	assert_int_equal(rt_record_keep(record, "total"), 0);
	assert_int_equal(followed(record, &(struct writer){ fds[1], pieces, countof(pieces) }), 3);
	f = rt_record_frame(record, "total");
	assert_int_equal(rt_frame_rows(f), 3);
	assert_near(cell(f, "process.rss_bytes", 2), 300);
	rt_record_close(record);
	(void)close(fds[0]);
}

/* 4,096 columns and rows of a few bytes: memory is bounded by the bytes read, and reading goes on. */
static void memory_has_a_bound(void **state)
{
	enum { COLUMNS = 4096, ROWS = 20000 };
	struct buffer text = { 0 };
	struct rt_record *record;
	const struct rt_frame *f;
	size_t all = 0;
	int item;

	(void)state;
	buffer_text(&text, header);
	buffer_text(&text, "{\"columns\":[");
	for (int i = 0; i < COLUMNS; i++)
		buffer_format(&text, "%s[\"x.%d\",\"\",\"level\"]", i > 0 ? "," : "", i);
	buffer_text(&text, "]}\n");
	for (int i = 0; i < ROWS; i++)
		buffer_text(&text, "[\"r\",1,1,1,[]]\n");
	assert_int_equal(rt_record_open_memory(&record, text.at, text.len, NULL, 0), 0);
	assert_int_equal(rt_record_keep(record, "total"), 0);
	while ((item = rt_record_next(record)) > 0)
		all++;
	f = rt_record_frame(record, "total");
	assert_int_equal(item, -EFBIG);
	assert_true(all > 0 && all < ROWS);
	assert_in_range(rt_frame_rows(f) * rt_frame_columns(f), 1, 65536 + 32 * text.len);
	assert_int_equal(rt_record_read(record), -EFBIG);
	rt_record_close(record);

	/* Without frames memory does not grow. */
	assert_int_equal(rt_record_open_memory(&record, text.at, text.len, NULL, 0), 0);
	for (all = 0; rt_record_next(record) > 0; all++)
		;
	assert_int_equal(all, ROWS);
	rt_record_close(record);
	buffer_release(&text);
}

/* A frame without rows has the columns that a record can have, once it is known that none comes. */
static void frames_without_rows_have_columns(void **state)
{
	static const struct { const char *frame, *column; size_t columns; } known[] = {
		{ "total", "process.cpu_seconds", 0 }, { "maximum", "process.rss_bytes", 0 }, { "exit", "end_seconds", 7 },
		{ "event", "cpu_seconds", 7 }, { "program", "rss_bytes", 0 }, { "statistic", "sum", 4 },
		{ "region", "p95_seconds", 0 },
	};
	struct buffer text = { 0 };
	struct rt_record *record = record_of(&text, header, "", "");

	(void)state;
	for (size_t i = 0; i < countof(known); i++)
		assert_int_equal(rt_record_keep(record, known[i].frame), 0);
	assert_int_equal(rt_frame_columns(rt_record_frame(record, "total")), 0);
	assert_int_equal(rt_record_read(record), 0);
	for (size_t i = 0; i < countof(known); i++) {
		const struct rt_frame *f = rt_record_frame(record, known[i].frame);

		assert_int_equal(rt_frame_rows(f), 0);
		assert_true(rt_frame_find(f, known[i].column) >= 0);
		if (known[i].columns > 0)
			assert_int_equal(rt_frame_columns(f), known[i].columns);
	}
	assert_int_equal(rt_frame_find(rt_record_frame(record, "total"), "timestamp_seconds"), 0);
	assert_int_equal(rt_frame_find(rt_record_frame(record, "total"), "cpu.count"), -ENOENT);        /* fixed */
	assert_int_equal(rt_frame_find(rt_record_frame(record, "maximum"), "process.cpu_seconds"), -ENOENT);
	rt_record_close(record);
	buffer_release(&text);
}

/* A foreign column with the name of a standard one does not replace it. */
static void standard_columns_cannot_be_replaced(void **state)
{
	struct buffer text = { 0 };
	struct rt_record *record = record_of(&text, header,
		"{\"columns\":[[\"samples\",\"\",\"level\"],[\"timestamp_seconds\",\"\",\"amount\"]]}\n[\"r\",1,1,1,[8,9]]\n", "");
	const struct rt_frame *f;

	(void)state;
	assert_int_equal(rt_record_keep(record, "total,maximum"), 0);
	assert_int_equal(rt_record_read(record), 0);
	f = rt_record_frame(record, "total");
	assert_int_equal(rt_frame_columns(f), 3);
	assert_near(cell(f, "timestamp_seconds", 0), 1001.5);
	assert_near(cell(f, "samples", 0), 1);
	rt_record_close(record);
	buffer_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(row_by_row),
		cmocka_unit_test(the_run),
		cmocka_unit_test(each_column_is_there_once),
		cmocka_unit_test(columns_of_totals),
		cmocka_unit_test(totals_alone),
		cmocka_unit_test(columns_of_other_rows),
		cmocka_unit_test(malformed_records_are_refused),
		cmocka_unit_test(a_run_that_goes_on),
		cmocka_unit_test(memory_has_a_bound),
		cmocka_unit_test(frames_without_rows_have_columns),
		cmocka_unit_test(standard_columns_cannot_be_replaced),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
