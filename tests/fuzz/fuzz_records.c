/*
 * fuzz_records.c - valid records with any values, mostly extreme ones, through every reader in this process.
 *
 * The input's first byte chooses the reader; the others make the record: its lines, columns and numbers.
 * So every input of the fuzzer gets behind the JSON reader and the checks of lines.
 */
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../../include/resource_tracker_records.h"
#include "../../src/analysis/answer.h"
#include "../../src/analysis/confinement.h"
#include "../../src/comparison/alignment.h"
#include "../../src/core/buffer.h"
#include "../../src/core/record_format.h"
#include "../../src/history/run_json.h"
#include "../../src/history/runs_table.h"
#include "../../src/history/runs_text.h"
#include "../../src/plot/plot.h"
#include "../../src/ranks/ranks_page.h"
#include "../../src/ranks/ranks_table.h"
#include "../../src/report/report_run.h"

enum { ROWS_MOST = 24, COLUMNS_MOST = 12, CELLS_MOST = 3, PATH_SIZE = 32, POINTS = 8, BRANCHES_MOST = 12 };

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int fd = -1;                             /* of the record, a file in memory */
static char path[PATH_SIZE];

/* ---- values from the input ----------------------------------------------------------------------- */

struct input { const uint8_t *at, *end; };

static unsigned byte(struct input *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

static unsigned below(struct input *in, unsigned n)
{
	return byte(in) % n;
}

static void number(struct buffer *out, struct input *in)
{
	static const char *const extreme[] = {
		"0", "1", "-1", "1e308", "-1e308", "1.7976931348623157e308", "1e999", "-1e999", "1e-320", "4.9e-324", "1e-9",
		"9.9e-10", "8.9e9", "-8.9e9", "9.3e9", "999999999.999", "-999999999.999", "1e9", "3999999999.999", "4e9",
		"1795383634.759064", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
		"18446744073709551615", "18446744073709551616", "4294967295", "4294967296", "2147483647", "-2147483648",
		"9007199254740993", "1e15", "999999999999999", "1e18", "0.5", "100", "0.1", "null", "\"x\"", "[1e308]", "{\"a\":1e308}",
	};
	unsigned kind = byte(in);

	if (kind < 2 * countof(extreme))
		buffer_text(out, extreme[kind % countof(extreme)]);
	else if (kind < 128)
		buffer_format(out, "%u.%02u", below(in, 256), below(in, 100));
	else if (kind < 192)
		buffer_format(out, "%s%u.%ue%d", kind & 1 ? "-" : "", below(in, 10), byte(in), (int)byte(in) * 2 - 256);
	else
		buffer_format(out, "%u", kind - 192);
}

static void member(struct buffer *out, struct input *in, const char *name)
{
	buffer_format(out, ",\"%s\":", name);
	number(out, in);
}

static void numbers(struct buffer *out, struct input *in, unsigned n)
{
	buffer_char(out, '[');
	for (unsigned i = 0; i < n; i++) {
		if (i > 0)
			buffer_char(out, ',');
		number(out, in);
	}
	buffer_char(out, ']');
}

/* ---- a record ------------------------------------------------------------------------------------ */

static const char *const units[] = { "bytes", "seconds", "count", "percent" };  /* the reader has the metric's own unit */

static void column(struct buffer *out, const struct metric *m, bool with_group)
{
	buffer_format(out, "[\"%s%s%s\",\"%s\",\"%s\"]", with_group ? m->group : "", with_group ? "." : "", m->name,
		      units[m->unit % countof(units)], m->kind == KIND_LEVEL ? "level" : "amount");
}

/* Columns of a table's metrics as the input chooses them; returns how many. */
static unsigned columns(struct buffer *out, struct input *in, enum table t, unsigned most, unsigned *levels)
{
	unsigned n = below(in, most + 1), written = 0;

	*levels = 0;
	buffer_char(out, '[');
	for (unsigned i = 0; i < n; i++) {
		const struct metric *m = &tables[t].metrics[byte(in) % tables[t].n_metrics];

		if (!record_column(m))
			continue;
		if (written++ > 0)
			buffer_char(out, ',');
		*levels += m->kind == KIND_LEVEL;
		column(out, m, t == TABLE_TOTAL);
	}
	buffer_char(out, ']');
	return written;
}

struct shape { unsigned columns, levels, of_table[TABLE_COUNT]; };

static void header(struct buffer *out, struct input *in, struct shape *shape)
{
	unsigned flags = byte(in), unused;

	buffer_text(out, "{\"record\":\"resource-tracker\",\"version\":1,\"id\":\"20261122T214034Z-h-1\"");
	member(out, in, "start");
	member(out, in, "interval_seconds");
	member(out, in, "start_after_boot_seconds");
	if (flags & 1)
		buffer_text(out, ",\"command\":[\"job\",\"a b\"]");
	if (flags & 2)
		buffer_text(out, ",\"pids\":[5,6]");
	buffer_text(out, ",\"host\":{\"name\":\"h\"");
	member(out, in, "cpus");
	member(out, in, "memory_bytes");
	buffer_text(out, "},\"fixed\":{\"x\":0");
	member(out, in, "cpu.count");
	member(out, in, "memory.total_bytes");
	buffer_text(out, "},\"tables\":{");
	for (enum table t = 0, n = 0; t < TABLE_COUNT; t++)
		if (record_table(t)) {
			buffer_format(out, "%s\"%s\":", n++ > 0 ? "," : "", tables[t].name);
			shape->of_table[t] = columns(out, in, t, CELLS_MOST, &unused);
		}
	buffer_text(out, "}}\n{\"columns\":");
	shape->columns = columns(out, in, TABLE_TOTAL, COLUMNS_MOST, &shape->levels);
	buffer_text(out, "}\n{\"rows\":{");
	for (enum table t = 0, n = 0; t < TABLE_COUNT; t++)
		if (record_table(t))
			buffer_format(out, "%s\"%s\":[{\"index\":0,\"key\":\"%u\"},{\"index\":1,\"key\":\"b\"}]", n++ > 0 ? "," : "",
				      tables[t].name, below(in, 3));
	buffer_text(out, "}}\n");
}

static void tables_of_row(struct buffer *out, struct input *in, const struct shape *shape)
{
	unsigned n = 0;

	buffer_char(out, '{');
	for (enum table t = 0; t < TABLE_COUNT; t++) {
		if (!record_table(t) || below(in, 4) > 0)
			continue;
		buffer_format(out, "%s\"%s\":[", n++ > 0 ? "," : "", tables[t].name);
		numbers(out, in, shape->of_table[t]);
		buffer_text(out, ",0]");
	}
	buffer_char(out, '}');
}

static void row(struct buffer *out, struct input *in, const struct shape *shape, unsigned i)
{
	unsigned flags = byte(in);

	buffer_format(out, "[\"%s\",", flags & 1 ? "r" : flags & 2 ? "p" : "r");
	if (flags & 4)
		buffer_format(out, "%u,1,1", i);
	else {
		number(out, in);
		buffer_char(out, ',');
		number(out, in);
		buffer_char(out, ',');
		number(out, in);
	}
	buffer_char(out, ',');
	numbers(out, in, shape->columns);
	buffer_char(out, ',');
	if (flags & 8)
		numbers(out, in, shape->levels);
	else
		buffer_text(out, "null");
	buffer_char(out, ',');
	tables_of_row(out, in, shape);
	if (flags & 8) {
		buffer_char(out, ',');
		tables_of_row(out, in, shape);
	}
	if (flags & 16) {                               /* a feed */
		buffer_text(out, flags & 8 ? "," : ",{},");
		numbers(out, in, shape->columns - shape->levels);
		buffer_char(out, ',');
		tables_of_row(out, in, shape);
	}
	buffer_text(out, "]\n");
}

static void object(struct buffer *out, struct input *in, const char *name, const char *begin,
		   const char *const *members)
{
	buffer_format(out, "{\"%s\":{%s", name, begin);
	for (; *members; members++)
		member(out, in, *members);
	buffer_text(out, "}}\n");
}

static void other_line(struct buffer *out, struct input *in)
{
	static const struct { const char *name, *begin, *members[7]; } kinds[] = {
		{ "exit", "\"name\":\"p\"",
		  { "t", "pid", "parent", "started_after_boot_seconds", "cpu_seconds", "peak_rss_bytes" } },
		{ "region", "\"path\":\"a/b\"", { "t", "seconds", "cpu_seconds", "tid" } },
		{ "region", "\"path\":\"a\",\"unfinished\":true", { "t", "seconds", "cpu_seconds", "tid" } },
		{ "mark", "\"text\":\"m\"", { "t", "tid" } },
		{ "value", "\"name\":\"v\"", { "t", "value", "tid" } },
		{ "fixed", "\"x\":0", { "cpu.count", "memory.total_bytes" } },
	};
	unsigned k = below(in, countof(kinds) + 1);

	if (k < countof(kinds)) {
		object(out, in, kinds[k].name, kinds[k].begin, kinds[k].members);
		return;
	}
	buffer_text(out, "{\"last_minute\":{\"columns\":[\"t\",\"cpu_seconds\",\"rss_bytes\",\"processes\",\"available_bytes\","
			 "\"memory_stall_seconds\"],\"points\":[");
	numbers(out, in, 6);
	buffer_char(out, ',');
	numbers(out, in, 6);
	buffer_text(out, "]}}\n");
}

static void program_tree(struct buffer *out, struct input *in)
{
	buffer_text(out, "\"program_tree\":{\"columns\":[\"parent\",\"processes\",\"cpu_seconds\",\"peak_rss_bytes\","
			 "\"branches\",\"program\"],\"branches\":[[-1,1,1,null,1,\"p\"]");
	for (unsigned n = below(in, BRANCHES_MOST); in->at < in->end && n > 0; n--) {
		buffer_char(out, ',');
		numbers(out, in, below(in, 8));
	}
	buffer_text(out, "]}");
}

static void end(struct buffer *out, struct input *in)
{
	static const char *const states[] = { "exited", "signaled", "roots_ended", "stopped" };
	static const char *const members[] = {
		"time", "seconds", "samples", "sampled_seconds", "exit_code", "signal", "left_behind", "dropped_lines", "exits",
		"exits_written", "regions_lost", "regions_untold",
	};
	static const char *const of_region[] = {
		"count", "recursed", "unfinished", "seconds", "min_seconds", "max_seconds", "p50_seconds", "p95_seconds",
		"p99_seconds", "cpu_seconds", "elapsed_seconds", "peak_rss_bytes", "rss_rise_bytes",
	};

	buffer_format(out, "{\"end\":{\"status\":\"%s\"", states[below(in, countof(states))]);
	for (size_t i = 0; i < countof(members); i++)
		member(out, in, members[i]);
	buffer_text(out, ",\"statistics\":{\"x\":[0]");
	for (unsigned n = below(in, COLUMNS_MOST); n > 0; n--) {
		const struct metric *m = &tables[TABLE_TOTAL].metrics[byte(in) % tables[TABLE_TOTAL].n_metrics];

		buffer_format(out, ",\"%s.%s\":", m->group, m->name);
		numbers(out, in, 3);
	}
	buffer_text(out, "},\"regions\":[{\"path\":\"a/b\"");
	for (size_t i = 0; i < countof(of_region); i++)
		member(out, in, of_region[i]);
	buffer_text(out, "}],\"tables\":{\"program\":[{\"key\":\"p\",\"cpu_seconds\":");
	numbers(out, in, 3);
	buffer_text(out, "}]},");
	program_tree(out, in);
	buffer_text(out, ",\"outline\":{\"columns\":[\"t\",\"process.cpu_cores\",\"process.disk_read_bytes\"],\"points\":[");
	for (unsigned n = below(in, POINTS); in->at < in->end && n > 0; n--) {
		numbers(out, in, 3);
		buffer_char(out, ',');
	}
	buffer_text(out, "[1e9,1,1]]}}}\n");
}

static void write_record(struct buffer *out, struct input *in)
{
	struct shape shape = { 0 };

	header(out, in, &shape);
	for (unsigned i = 1; i <= ROWS_MOST && in->at < in->end; i++) {
		unsigned what = below(in, 8);

		if (what == 7)
			other_line(out, in);
		else if (what == 6)
			break;
		else
			row(out, in, &shape, i);
	}
	if (in->at < in->end)
		end(out, in);
}

/* In place of the commands' own function: the fuzzer has to write its findings. */
bool confine(const struct confinement *c)
{
	(void)c;
	return false;
}

/* ---- its readers --------------------------------------------------------------------------------- */

/* Runs a command as a user gives it, on this record; stdout goes nowhere. */
static void command(int (*main_of)(int argc, char **argv), const char *words)
{
	char text[160], *argv[8] = { NULL };
	int argc = 0;

	(void)snprintf(text, sizeof text, "%s", words);
	for (char *rest = text, *word; argc < (int)countof(argv) - 1 && (word = strsep(&rest, " ")) != NULL;)
		argv[argc++] = strcmp(word, "@") == 0 ? path : word;
	(void)main_of(argc, argv);
}

static void report(void)
{
	struct report_run *r = malloc(sizeof *r);
	struct buffer out = { 0 };
	struct json j = json_to(&out);
	struct why why;

	if (r && report_run_read(r, path, POINTS, &why) == 0) {
		report_run_json(&j, r, 1 << 20);
		report_run_release(r);
	}
	buffer_release(&out);
	free(r);
}

static void plot(void)
{
	static struct plot p;
	struct buffer label = { 0 };
	struct why why;

	memset(&p, 0, sizeof p);
	if (plot_read(&p, path, &why) == 0) {
		for (size_t i = 0; i <= p.n; i++) {
			bool time = i == p.n;
			enum axis_unit unit = time ? AXIS_TIME : p.panels[i].unit;
			struct ticks t = ticks_find(unit, time ? p.seconds : p.panels[i].ceiling, 10, !time);

			if (t.n > TICKS_MOST)
				abort();
			for (size_t k = 0; k < t.n; k++)
				ticks_label(&label, unit, &t, k);
		}
		plot_release(&p);
	}
	buffer_release(&label);
}

static void align(void)
{
	struct buffer out = { 0 };
	struct why why;

	(void)alignment_of_paths(&out, (const char *const[]){ path, path }, alignment_text, &why);
	buffer_release(&out);
}

static void runs(void)
{
	struct arena arena = { NULL };
	struct past_run run;
	const struct past_run *list[] = { &run };
	struct summary_style style = { .columns = 80 };
	struct buffer out = { 0 };

	if (past_run_read(&run, &arena, path) == 0) {
		runs_table(&out, list, 1, &(struct runs_columns){ .n = 0 }, 80, true);
		runs_card(&out, &run, &style);
		runs_json(&out, list, 1);
	}
	buffer_release(&out);
	arena_release(&arena);
}

/* The record as that of each of two ranks. */
static void ranks(void)
{
	struct selection all = { .job = NULL };
	struct ranks two = {
		.at = calloc(2, sizeof *two.at), .launches = calloc(1, sizeof *two.launches), .n_launches = 1,
	};
	struct summary_style style = { .columns = 80 };
	struct ranks_view view;
	struct buffer out = { 0 };
	struct json j = json_to(&out);

	for (bool taken; two.all < 2 && rank_read(&two.at[two.all], path, &all, &taken) == 0 && taken;)
		two.all++;
	while (two.n < two.all && two.at[two.n].role == ROLE_RANK)
		two.n++;
	two.launches->present = two.n;
	if (two.n == 0)
		ranks_release(&two);
	else if (ranks_view_open(&view, &two) == 0) {
		ranks_text(&out, &view, &style);
		ranks_json(&out, &view);
		ranks_table_csv(&out, &view);
		ranks_page_json(&j, &view, 1 << 16);
		ranks_view_close(&view);
	}
	buffer_release(&out);
}

static void library(void)
{
	struct rt_record *record;

	if (rt_record_open(&record, path, NULL, 0) < 0)
		return;
	if (rt_record_keep(record, "total,maximum,program,exit,event,region,statistic") < 0)
		abort();
	while (rt_record_next(record) > 0)
		(void)rt_write_json(rt_record_tracker(record), NULL, 0);
	rt_record_close(record);
}

static void programs(void)
{
	command(summary_main, "summary @ --form programs");
}

static void read_by(unsigned which)
{
	static const struct { int (*main_of)(int argc, char **argv); const char *words; } commands[] = {
		{ summary_main, "summary @" }, { summary_main, "summary @ --json" }, { summary_main, "summary @ --markdown" },
		{ compare_main, "compare @ @" }, { compare_main, "compare @ @ --by program --json" },
		{ compare_main, "compare @ @ --by region" }, { recommend_main, "recommend @" },
		{ recommend_main, "recommend @ --json" }, { recommend_main, "recommend @ --for slurm" },
		{ recommend_main, "recommend @ --for kubernetes" },
		{ export_main, "export @ --to csv" }, { export_main, "export @ --to csv --csv all" },
		{ export_main, "export @ --to jsonl" }, { export_main, "export @ --to openmetrics" },
		{ export_main, "export @ --to perfetto" }, { export_main, "export @ --to events" },
	};
	static void (*const others[])(void) = { report, plot, align, runs, library, ranks, programs };

	which %= countof(commands) + countof(others);
	if (which < countof(commands))
		command(commands[which].main_of, commands[which].words);
	else
		others[which - countof(commands)]();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	(void)mallopt(M_MMAP_THRESHOLD, 128 << 10);     /* else a report's large tables are cleared by each run */
	fd = memfd_create("record", MFD_CLOEXEC);
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (fd < 0 || !freopen("/dev/null", "w", stdout))
		abort();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, data + size };
	struct buffer text = { 0 };
	unsigned reader = byte(&in);

	write_record(&text, &in);
	if (!text.failed && ftruncate(fd, 0) == 0 && pwrite(fd, text.at, text.len, 0) == (ssize_t)text.len)
		read_by(reader);
	buffer_release(&text);
	return 0;
}
