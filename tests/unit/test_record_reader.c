/* test_record_reader.c - records read back, whole and in pieces. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "readers/record_reader.h"
#include "record/record_writer.h"

static struct sample s;                         /* static: large */
static struct fixture machine;
static struct buffer lines;

static bool put(void *context, const char *line, size_t n, bool needed)
{
	(void)context;
	(void)needed;
	buffer_bytes(&lines, line, n);
	return true;
}

static const char header[] = "{\"record\":\"resource-tracker\",\"version\":1,\"start\":100.5,\"pids\":[7]}\n";

static struct record_reader *reader_of(const char *text)
{
	struct record_reader *r = NULL;
	struct why why = { "" };

	if (record_reader_of(&r, "run.jsonl", text, strlen(text), &why) < 0)
		fail_msg("%s", why.text);
	return r;
}

static void refused(const char *text, int error, const char *sentence)
{
	struct record_reader *r;
	struct why why = { "" };

	assert_int_equal(record_reader_of(&r, "run.jsonl", text, strlen(text), &why), error);
	assert_string_equal(why.text, sentence);
}

/* A run of `n` seconds with a disk and a program, and its totals. */
static struct aggregate *write_in(enum record_detail detail, int n, bool finish)
{
	static char words[][8] = { "make", "a b" };
	static char *const command[] = { words[0], words[1], NULL };
	static const char *const tags[] = { "a=b", "c" };
	static const pid_t pid = 12;
	struct run run = {
		.job_name = "näm\"e", .tags = tags, .n_tags = 2, .command = command, .pids = &pid, .n_pids = 1,
		.interval_seconds = 1, .start_wall_ns = 1795268880500000000, .start_monotonic_ns = 5 * NS_PER_SECOND,
		.start_boot_ns = 7 * NS_PER_SECOND,
	};
	struct run_status status = {
		.end = RUN_SIGNALED, .value = 9, .core_dumped = true, .end_wall_ns = 1795268890000000000,
		.end_monotonic_ns = (5 + n) * NS_PER_SECOND + 250000000, .left_behind = 1, .dropped_lines = 2,
	};
	struct tree_exit e = { .pid = 99, .parent = 12, .name = "cc1", .start_seconds = 8, .seen_seconds = 6.25,
			       .cpu_seconds = 0.5, .peak_rss_bytes = 1024, .exact = true };
	struct aggregate *whole = aggregate_open();
	struct record_sums sums = { .whole = whole };
	struct record_options options = { .detail = detail, .sums = &sums, .put = put };
	struct record_writer *w;

	buffer_clear(&lines);
	assert_int_equal(record_open(&w, &run, &machine.source, &options), 0);
	record_notice(w, "no pressure here");
	for (int i = 0; i <= n; i++) {
		sample_clear(&s);
		s.interval_seconds = i == 0 ? NONE : 1;
		s.monotonic_ns = (5 + i) * NS_PER_SECOND;
		s.total.cpu_count = i < 2 ? 4 : 8;
		s.total.process_rss_bytes = 1000 + i % 10;
		struct disk_row *disk = sample_add_disk(&s, "vda");

		disk->capacity_bytes = 500;
		strcpy(disk->model, "Fast \"disk\"");
		if (i > 0) {
			s.total.process_cpu_seconds = 0.5;
			s.total.process_cpu_cores = i % 2;
			disk->read_bytes = i;
			disk->busy_pct = 50;
			sample_add_program(&s, i == 2 ? "ld" : "cc")->cpu_seconds = 0.25;
		}
		aggregate_add(whole, &s);
		record_sample(w, &s);
		if (i == 1)
			record_exit(w, &e);
	}
	if (finish)
		record_finish(w, &status, whole);
	record_close(w);
	return whole;
}

static struct aggregate *write_a_run(int n, bool finish)
{
	return write_in(RECORD_BOUNDED, n, finish);
}

static const struct job *job_in(const char *object)
{
	static struct job job;
	static char text[1024];
	struct record_reader *r;
	const struct job *reported;

	(void)snprintf(text, sizeof text, "{\"record\":\"resource-tracker\",\"version\":1,\"job\":%s}\n", object);
	r = reader_of(text);
	reported = record_reader_facts(r)->run.job;
	if (reported)
		job = *reported;
	record_reader_close(r);
	return reported ? &job : NULL;
}

/* A record can come from anywhere: values that no job can have are dropped. */
static void impossible_values_of_a_job_are_dropped(void **state)
{
	static const char *const none[] = {
		"null", "[]", "\"slurm\"", "5", "{}", "{\"other\":1}", "{\"id\":7,\"rank\":\"3\"}", "{\"id\":\"\"}",
		"{\"id\":\"a\\u001b[31m\"}", "{\"id\":\"a\\nb\",\"rank\":-1,\"size\":1.5}", "{\"rank\":1e300,\"size\":null}",
	};
	const struct job *job = job_in("{\"scheduler\":\"slurm\",\"id\":\"1235\",\"rank\":3,\"array_task\":2147483647,"
				       "\"step\":\"\\u0007\",\"new\":{\"id\":\"x\"}}");
	char text[256], longest[200];

	(void)state;
	assert_non_null(job);
	assert_string_equal(job->scheduler, "slurm");
	assert_string_equal(job->id, "1235");
	assert_int_equal(job->rank, 3);
	assert_int_equal(job->array_task, INT32_MAX);
	assert_int_equal(job->size, -1);
	assert_string_equal(job->step, "");
	for (size_t i = 0; i < countof(none); i++)
		assert_null(job_in(none[i]));
	memset(longest, 'a', sizeof longest - 1);
	longest[sizeof longest - 1] = '\0';
	(void)snprintf(text, sizeof text, "{\"id\":\"%s\"}", longest);
	assert_null(job_in(text));                      /* nor the beginning of it */
}

static void written_values_are_read_back(void **state)
{
	struct aggregate *whole = write_a_run(3, true);
	struct record_reader *r;
	size_t rows = 0, exits = 0;

	(void)state;
	assert_int_equal(record_reader_of(&r, "run.jsonl", lines.at, lines.len, NULL), 0);
	const struct record_facts *f = record_reader_facts(r);

	assert_int_equal(f->version, 1);
	assert_string_equal(f->run.job_name, "näm\"e");
	assert_null(f->run.team);
	assert_string_equal(f->run.command[1], "a b");
	assert_null(f->run.command[2]);
	assert_string_equal(f->command_recorded, "masked");
	assert_int_equal(f->run.n_tags, 2);
	assert_string_equal(f->run.tags[1], "c");
	assert_int_equal(f->run.pids[0], 12);
	assert_int_equal(f->run.start_wall_ns, 1795268880500000000);
	assert_near(f->run.interval_seconds, 1);
	assert_string_equal(f->host.name, "node");
	assert_near(f->host.cpus, 4);
	assert_int_equal(f->status.end, RUN_RUNNING);

	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;) {
		const struct sample *row = record_reader_sample(r);

		if (item == RECORD_EXIT) {
			exits++;
			assert_string_equal(record_reader_exit(r)->name, "cc1");
			assert_near(record_reader_exit(r)->start_seconds, 1);
			assert_near(record_reader_exit(r)->seen_seconds, 1.25);
			assert_near(record_reader_exit(r)->peak_rss_bytes, 1024);
			assert_true(record_reader_exit(r)->exact);
			continue;
		}
		rows++;
		assert_int_equal(row->seq, rows);
		assert_int_equal(row->monotonic_ns, rows * NS_PER_SECOND);
		assert_near(row->interval_seconds, 1);
		assert_near(row->total.cpu_count, rows < 2 ? 4 : 8);
		assert_near(row->total.process_rss_bytes, 1000 + (double)rows);
		assert_none(row->total.process_pss_bytes);
		assert_int_equal(row->n_disk, 1);
		assert_string_equal(row->disk[0].model, "Fast \"disk\"");
		assert_near(row->disk[0].capacity_bytes, 500);
		assert_near(row->disk[0].read_bytes, (double)rows);
		assert_none(row->disk[0].write_bytes);
		assert_int_equal(row->n_program, 1);
		assert_string_equal(row->program[0].key, rows == 2 ? "ld" : "cc");
		assert_null(record_reader_maxima(r));
		assert_false(record_reader_partial(r));
	}
	assert_int_equal(rows, 3);
	assert_int_equal(exits, 1);

	const struct aggregate *totals = record_reader_totals(r);

	assert_non_null(totals);
	assert_int_equal(aggregate_samples(totals), 3);
	for (size_t i = 0; i < tables[TABLE_TOTAL].n_metrics; i++) {
		const struct metric *m = &tables[TABLE_TOTAL].metrics[i];
		struct statistic a = aggregate_total(whole, m), b = aggregate_total(totals, m);

		assert_int_equal(is_none(a.mean), is_none(b.mean));
		if (is_none(a.mean))
			continue;
		assert_true(fabs(b.mean - (m->kind == KIND_FIXED ? a.last : a.mean)) <= 0.0005);
		assert_near(b.maximum, a.maximum);
		if (m->kind == KIND_AMOUNT)
			assert_near(b.sum, a.sum);
	}
	assert_string_equal(aggregate_key(totals, TABLE_PROGRAM, 0), "cc");
	f = record_reader_facts(r);
	assert_true(f->has_end);
	assert_int_equal(f->status.end, RUN_SIGNALED);
	assert_int_equal(f->status.value, 9);
	assert_true(f->status.core_dumped);
	assert_int_equal(f->status.end_monotonic_ns, 3250000000);
	assert_int_equal(f->status.left_behind, 1);
	assert_int_equal(f->exits, 1);
	assert_int_equal(f->n_notices, 1);
	assert_string_equal(f->notices[0], "no pressure here");
	assert_int_equal(f->n_problems, 0);
	record_reader_close(r);
	aggregate_close(whole);
}

static void a_record_cut_anywhere_keeps_its_whole_lines(void **state)
{
	struct aggregate *whole = write_a_run(3, true);
	size_t first = (size_t)((char *)memchr(lines.at, '\n', lines.len) - lines.at) + 1;

	(void)state;
	for (size_t n = first; n < lines.len - 1; n++) {        /* all but the last newline */
		struct record_reader *r;
		char *cut = malloc(n);                          /* exact, so that a read beyond is detected */
		uint64_t rows = 0, expected = 0;

		memcpy(cut, lines.at, n);
		for (const char *p = cut; (p = memmem(p, (size_t)(cut + n - p), "\n[\"r\"", 5)) != NULL; p++)
			expected += memchr(p + 1, '\n', (size_t)(cut + n - p - 1)) != NULL;
		assert_int_equal(record_reader_of(&r, "run.jsonl", cut, n, NULL), 0);
		for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;)
			rows += item == RECORD_ROW;
		assert_in_range(rows, expected, expected + 1);  /* a row can lack just its newline */

		const struct record_facts *f = record_reader_facts(r);

		assert_false(f->has_end);
		assert_int_equal(f->status.end, RUN_RUNNING);
		assert_int_equal(f->status.end_monotonic_ns, rows * NS_PER_SECOND);
		assert_in_range(f->n_problems, 1, 2);
		assert_non_null(strstr(f->problems[f->n_problems - 1], "no end line: the run was cut off"));
		record_reader_close(r);
		free(cut);
	}
	aggregate_close(whole);
}

static void malformed_records_are_refused(void **state)
{
	(void)state;
	refused("", -EBADMSG, "run.jsonl is empty: no record was written");
	refused("hello\n", -EBADMSG, "run.jsonl:1: this is not a record of resource-tracker");
	refused("{\"record\":\"other\",\"version\":1}\n", -EBADMSG, "run.jsonl:1: this is not a record of resource-tracker");
	refused("[1]\n", -EBADMSG, "run.jsonl:1: this is not a record of resource-tracker");
	refused("{\"record\":\"resource-tracker\",\"version\":2}\n", -EPROTONOSUPPORT,
		"run.jsonl:1: a newer resource-tracker wrote this record (format 2): read it with that one");

	struct record_reader *r;
	struct why why;

	assert_int_equal(record_reader_open(&r, "/nonexistent/x", &why), -ENOENT);
	assert_string_equal(why.text, "cannot open /nonexistent/x: No such file or directory");
	assert_int_equal(record_reader_open(&r, "/", &why), -EISDIR);
	assert_string_equal(why.text, "cannot read /: Is a directory");
}

static void unknown_and_broken_lines_are_skipped(void **state)
{
	char text[4096];

	(void)state;
	(void)snprintf(text, sizeof text, "%s%s", header,
		       "{\"from_the_future\":1}\n[\"z\",1]\n17\n"
		       "{\"columns\":[[\"process.rss_bytes\",\"bytes\",\"level\",9],[\"new.thing\",\"count\",\"amount\"]]}\n"
		       "{\"rows\":{\"disk\":[{\"index\":1,\"key\":\"vdb\",\"colour\":3},{\"index\":-1,\"key\":\"x\"}],\"moon\":[]}}\n"
		       "garbage\n"
		       "[\"r\",1,1,1,[5,6],null,{\"disk\":{\"1\":0,\"7\":0},\"core\":[[1]]},{},\"more\"]\n"
		       "[\"r\",null,1,1,[5,6],null,{}]\n"
		       "[\"r\",2,1,1,[5]]\n"
		       "{\"record\":\"resource-tracker\",\"version\":1}\n[\"r\",3,1,1,[5,6],null,{}]\n");
	struct record_reader *r = reader_of(text);

	assert_int_equal(record_reader_next(r), RECORD_ROW);
	assert_int_equal(record_reader_columns(r), 2);
	assert_string_equal(record_reader_column(r, 1)->name, "new.thing");
	assert_string_equal(record_reader_column(r, 1)->unit, "count");
	assert_null(record_reader_column(r, 1)->metric);
	assert_near(record_reader_values(r)[1], 6);
	assert_near(record_reader_sample(r)->total.process_rss_bytes, 5);
	assert_int_equal(record_reader_sample(r)->wall_ns, 101500000000);
	assert_int_equal(record_reader_sample(r)->n_disk, 1);
	assert_string_equal(record_reader_sample(r)->disk[0].key, "vdb");
	assert_int_equal(record_reader_sample(r)->n_core, 0);
	assert_int_equal(record_reader_next(r), RECORD_ROW);
	assert_none(record_reader_values(r)[1]);
	assert_int_equal(record_reader_next(r), RECORD_OVER);
	assert_int_equal(record_reader_next(r), RECORD_OVER);

	const struct record_facts *f = record_reader_facts(r);

	assert_int_equal(f->rows, 2);
	assert_int_equal(f->n_problems, 5);
	assert_string_equal(f->problems[0], "run.jsonl:6: this line is invalid and is left out: Bad message");
	assert_string_equal(f->problems[1], "run.jsonl:7: this line is not JSON and is left out");
	assert_string_equal(f->problems[2], "run.jsonl:9: this row is invalid and is left out");
	assert_string_equal(f->problems[3], "run.jsonl:11: another record begins here: it is left out");
	record_reader_close(r);
}

static void a_partial_row_counts_only_if_nothing_followed(void **state)
{
	char text[4096];

	(void)state;
	(void)snprintf(text, sizeof text, "%s%s", header,
		       "{\"columns\":[[\"process.rss_bytes\",\"bytes\",\"level\"]]}\n"
		       "[\"p\",60,60,60,[1],[2],{},{}]\n[\"r\",64,64,64,[3],[4],{},{}]\n"
		       "[\"p\",124,60,60,[5],[6],{},{}]\n[\"p\",127,63,63,[7],[8],{},{}]\n{\"exit\":{\"pid\":3}}\n");
	struct record_reader *r = reader_of(text);

	assert_int_equal(record_reader_next(r), RECORD_ROW);
	assert_near(record_reader_sample(r)->total.process_rss_bytes, 3);
	assert_near(record_reader_maxima(r)->total.process_rss_bytes, 4);
	assert_false(record_reader_partial(r));
	assert_int_equal(record_reader_next(r), RECORD_EXIT);
	assert_int_equal(record_reader_next(r), RECORD_ROW);
	assert_near(record_reader_sample(r)->total.process_rss_bytes, 7);
	assert_int_equal(record_reader_samples(r), 63);
	assert_true(record_reader_partial(r));
	assert_int_equal(record_reader_next(r), RECORD_OVER);
	assert_int_equal(record_reader_facts(r)->status.end_monotonic_ns, 127 * NS_PER_SECOND);
	record_reader_close(r);
}

/* A long run without its end: the coarse rows give the totals of the samples. */
static void replayed_rows_give_the_totals(void **state)
{
	struct aggregate *whole = write_a_run(3 * 4096, false), *replayed = aggregate_open();
	struct record_reader *r;

	(void)state;
	assert_int_equal(record_reader_of(&r, "run.jsonl", lines.at, lines.len, NULL), 0);
	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;)
		if (item == RECORD_ROW)
			record_reader_replay(r, replayed);
	assert_int_equal(record_reader_facts(r)->rows, 4096 + 4096);
	assert_int_equal(aggregate_samples(replayed), 3 * 4096);
	for (size_t i = 0; i < tables[TABLE_TOTAL].n_metrics; i++) {
		const struct metric *m = &tables[TABLE_TOTAL].metrics[i];
		struct statistic a = aggregate_total(whole, m), b = aggregate_total(replayed, m);

		if (is_none(a.mean) || !m->group || m->kind == KIND_FIXED)
			continue;
		assert_true(fabs(a.mean - b.mean) <= 1e-3 * a.mean);
		assert_near(b.maximum, a.maximum);
	}
	assert_near(aggregate_row(replayed, TABLE_DISK, 0, &tables[TABLE_DISK].metrics[1]).sum,
		    aggregate_row(whole, TABLE_DISK, 0, &tables[TABLE_DISK].metrics[1]).sum);
	record_reader_close(r);
	aggregate_close(replayed);
	aggregate_close(whole);
}

/* A row for each sample, and amounts since the start; a reader that knows only the first eight places reads it as a
 * record. */
static void a_feed_is_read(void **state)
{
	enum { SAMPLES = 3 * 4096 };
	struct aggregate *whole = write_in(RECORD_ALL, SAMPLES, true);
	struct buffer older = { 0 };
	struct record_reader *r, *o;
	size_t rows = 0;

	(void)state;
	for (const char *p = lines.at, *end; p < lines.at + lines.len; p = end) {
		end = (const char *)memchr(p, '\n', (size_t)(lines.at + lines.len - p)) + 1;

		const char *cut = *p == '[' ? memmem(p, (size_t)(end - p), ",{},[", 5) : NULL;

		buffer_bytes(&older, p, (size_t)((cut ? cut : end) - p));
		buffer_text(&older, cut ? "]\n" : "");
	}
	assert_int_equal(record_reader_of(&r, "feed.jsonl", lines.at, lines.len, NULL), 0);
	assert_int_equal(record_reader_of(&o, "older.jsonl", older.at, older.len, NULL), 0);
	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;) {
		assert_int_equal(record_reader_next(o), item);
		if (item != RECORD_ROW)
			continue;
		rows++;
		const struct sample *row = record_reader_sample(r), *sums = record_reader_sums(r);

		assert_int_equal(record_reader_samples(r), 1);
		assert_near(row->total.process_cpu_seconds, 0.5);
		assert_near(row->disk[0].read_bytes, (double)rows);
		assert_non_null(sums);
		assert_near(sums->total.process_cpu_seconds, 0.5 * (double)rows);
		assert_none(sums->total.process_rss_bytes);
		assert_int_equal(sums->n_disk, 1);
		assert_near(sums->disk[0].read_bytes, (double)(rows * (rows + 1) / 2));
		assert_none(sums->disk[0].busy_pct);
		assert_string_equal(sums->disk[0].model, "Fast \"disk\"");
		assert_null(record_reader_sums(o));
		assert_memory_equal(&record_reader_sample(o)->total, &row->total, sizeof row->total);
		assert_memory_equal(record_reader_sample(o)->disk, row->disk, sizeof row->disk[0]);
	}
	assert_int_equal(record_reader_next(o), RECORD_OVER);
	assert_int_equal(rows, SAMPLES);
	assert_int_equal(record_reader_facts(r)->n_problems, 0);
	assert_int_equal(record_reader_facts(o)->n_problems, 0);
	record_reader_close(r);
	record_reader_close(o);
	buffer_release(&older);
	aggregate_close(whole);
}

static void lost_lines_are_reported(void **state)
{
	char text[1024];

	(void)state;
	(void)snprintf(text, sizeof text, "%s%s", header, "{\"lost\":1,\"t\":2}\n{\"lost\":41,\"t\":3}\n{\"lost\":\"x\"}\n");
	struct record_reader *r = reader_of(text);

	assert_int_equal(record_reader_next(r), RECORD_OVER);
	assert_int_equal(record_reader_facts(r)->lost_lines, 42);
	assert_string_equal(record_reader_facts(r)->problems[0], "run.jsonl:2: 1 line was lost before this one: the "
			    "feed's reader was too slow, or the disk was full");
	record_reader_close(r);
}

static int open_machine(void **state)
{
	(void)state;
	fixture_open(&machine, "bare-metal");
	fixture_write(&machine, "proc/sys/kernel/hostname", "node\n");
	return 0;
}

static int close_machine(void **state)
{
	(void)state;
	fixture_close(&machine);
	buffer_release(&lines);
	return 0;
}

static void entries_marks_and_values_of_regions(void **state)
{
	char text[1024];

	(void)state;
	(void)snprintf(text, sizeof text, "%s%s", header,
		       "{\"region\":{\"t\":1.000000002,\"path\":\"a/b\",\"seconds\":0.5,\"cpu_seconds\":null,\"tid\":9,\"unfinished\":true}}\n"
		       "{\"mark\":{\"t\":2,\"path\":\"\",\"text\":\"here\"}}\n{\"region\":{\"path\":\"timeless\"}}\n{\"region\":7}\n"
		       "{\"value\":{\"t\":3,\"path\":\"a\",\"name\":\"loss\",\"value\":0.25}}\n");
	struct record_reader *r = reader_of(text);
	const struct region_event *e = record_reader_region(r);

	assert_int_equal(record_reader_next(r), RECORD_REGION);
	assert_int_equal(e->kind, REGION_ENTRY);
	assert_string_equal(e->path, "a/b");
	assert_int_equal(e->monotonic_ns, 1000000002);
	assert_near(e->seconds, 0.5);
	assert_none(e->cpu_seconds);
	assert_int_equal(e->tid, 9);
	assert_true(e->unfinished);
	assert_int_equal(record_reader_next(r), RECORD_REGION);
	assert_int_equal(e->kind, REGION_MARK);
	assert_string_equal(e->text, "here");
	assert_int_equal(e->tid, 0);
	assert_int_equal(record_reader_next(r), RECORD_REGION);
	assert_int_equal(e->kind, REGION_VALUE);
	assert_string_equal(e->text, "loss");
	assert_near(e->value, 0.25);
	assert_int_equal(record_reader_next(r), RECORD_OVER);
	record_reader_close(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(impossible_values_of_a_job_are_dropped),
		cmocka_unit_test(written_values_are_read_back),
		cmocka_unit_test(a_record_cut_anywhere_keeps_its_whole_lines),
		cmocka_unit_test(malformed_records_are_refused),
		cmocka_unit_test(unknown_and_broken_lines_are_skipped),
		cmocka_unit_test(a_partial_row_counts_only_if_nothing_followed),
		cmocka_unit_test(entries_marks_and_values_of_regions),
		cmocka_unit_test(replayed_rows_give_the_totals),
		cmocka_unit_test(a_feed_is_read),
		cmocka_unit_test(lost_lines_are_reported),
	};
	return cmocka_run_group_tests(tests, open_machine, close_machine);
}
