/* summary.c - the end summary: what people read after a run. */
#include "summary.h"

#include <stdio.h>
#include <string.h>

#include "../core/metrics.h"
#include "human.h"
#include "mask.h"
#include "summary_warnings.h"

enum { TAB_PEAK = PAGE_INDENT + 18, TAB_GRAPH = PAGE_INDENT + 40, GRAPH_LEAST = 12, PROGRAMS_SHOWN = 3 };

/* A text being put together for one phrase. */
struct phrase { struct buffer text; };

static const char *done(struct phrase *p)
{
	buffer_char(&p->text, '\0');
	return p->text.failed || !p->text.at ? "" : p->text.at;
}

static struct buffer *again(struct phrase *p)
{
	buffer_clear(&p->text);
	return &p->text;
}

struct statistic summary_total(const struct aggregate *whole, const char *group, const char *name)
{
	const struct table_info *info = &tables[TABLE_TOTAL];

	for (size_t i = 0; i < info->n_metrics; i++)
		if (strcmp(info->metrics[i].group, group) == 0 && strcmp(info->metrics[i].name, name) == 0)
			return aggregate_total(whole, &info->metrics[i]);
	return (struct statistic){ NONE, NONE, NONE, NONE, NONE, 0 };
}

static struct statistic total(const struct summary *s, const char *group, const char *name)
{
	return summary_total(s->whole, group, name);
}

static bool tracks(const struct summary *s)
{
	return s->run.command || s->run.n_pids > 0;
}

static double run_seconds(const struct summary *s)
{
	return (double)(s->status.end_monotonic_ns - s->run.start_monotonic_ns) / 1e9;
}

/* ---- command and status ---------------------------------------------------------------- */

static void command_text(struct buffer *out, const struct summary *s, bool utf8)
{
	struct buffer masked = { 0 };
	bool secret = false;

	for (size_t i = 0; s->run.command[i]; i++) {
		buffer_clear(&masked);
		secret = mask_argument(&masked, s->run.command[i], secret);
		if (i > 0)
			buffer_char(out, ' ');
		human_word(out, masked.at ? masked.at : "", masked.len, utf8);
	}
	buffer_release(&masked);
}

/* One line, cut in its middle: the beginning names the program, the end its input. */
static void fit(struct buffer *text, unsigned width, bool utf8)
{
	const char *dots = utf8 ? "…" : "...";
	size_t keep = width - 3, front = keep * 2 / 3, back = keep - front;

	if (text->len <= width || width < 10)
		return;
	while (front > 0 && ((unsigned char)text->at[front] & 0xc0) == 0x80)
		front--;

	size_t tail = text->len - back;

	while (tail < text->len && ((unsigned char)text->at[tail] & 0xc0) == 0x80)
		tail++;

	char end[PAGE_WIDEST];
	size_t n = size_min(text->len - tail, sizeof end);

	memcpy(end, text->at + tail, n);
	text->len = front;
	buffer_text(text, dots);
	buffer_bytes(text, end, n);
}

static void what_ran(struct page *p, struct phrase *w, const struct summary *s)
{
	struct buffer *text = again(w);

	if (s->run.command) {
		page_label(p, "Command", INK_PLAIN);
		command_text(text, s, p->style.utf8);
		fit(text, page_room(p), p->style.utf8);
		page_phrase(p, 0, done(w), INK_BOLD);
	} else if (s->run.n_pids > 0) {
		page_label(p, s->run.n_pids == 1 ? "Process" : "Processes", INK_PLAIN);
		for (size_t i = 0; i < s->run.n_pids; i++)
			buffer_format(text, "%s%d", i > 0 ? " " : "", (int)s->run.pids[i]);
		page_words(p, done(w), INK_BOLD);
	} else {
		page_label(p, "Machine", INK_PLAIN);
		page_words(p, "all that ran on it", INK_PLAIN);
	}
	page_end(p);
}

static void how_it_ended(struct page *p, struct phrase *w, const struct summary *s)
{
	struct buffer *text = again(w);
	enum ink ink = INK_PLAIN;
	const char *more = "";

	switch (s->status.end) {
	case RUN_EXITED:
		buffer_format(text, "exit %d", s->status.value);
		ink = s->status.value == 0 ? INK_GOOD : INK_BAD;
		break;
	case RUN_SIGNALED:
		buffer_format(text, "killed by signal %d (", s->status.value);
		human_signal(text, s->status.value);
		buffer_char(text, ')');
		more = s->status.core_dumped ? ", core dumped" : "";
		ink = INK_BAD;
		break;
	case RUN_ROOTS_ENDED:
		buffer_text(text, "ended");
		more = ", exit status unknown: not our child";
		break;
	case RUN_STOPPED:
		buffer_text(text, tracks(s) ? "no longer tracked" : "no longer watched");
		break;
	case RUN_RUNNING:
		buffer_text(text, "how it ended is unknown, last seen");
		ink = INK_WARN;
		break;
	}
	page_label(p, "Status", INK_PLAIN);
	page_phrase(p, 0, done(w), ink);
	text = again(w);
	buffer_text(text, "after ");
	human_seconds(text, run_seconds(s));
	buffer_text(text, more);
	page_phrase(p, 1, done(w), INK_PLAIN);
	page_end(p);
}

/* ---- quantities ------------------------------------------------------------------------ */

static void graph(struct page *p, struct phrase *w, const struct spark *spark)
{
	struct buffer *text = again(w);

	if (spark->n < 2)
		return;
	page_tab(p, p->column < TAB_GRAPH ? TAB_GRAPH : p->column + 1);
	if (page_room(p) < GRAPH_LEAST)
		page_next_line(p);
	(void)spark_write(text, spark, page_room(p), p->style.utf8);
	page_phrase(p, 0, done(w), INK_GRAPH);
}

static double cores_to_have(const struct summary *s)
{
	double available = total(s, "cgroup", "cpu_available_cores").maximum;

	return tracks(s) && !is_none(available) ? available : total(s, "cpu", "count").last;
}

static void cpu(struct page *p, struct phrase *w, const struct summary *s)
{
	bool tree = tracks(s);
	struct statistic cores = tree ? total(s, "process", "cpu_cores") : total(s, "cpu", "utilization_cores");
	double user = tree ? total(s, "process", "cpu_user_seconds").sum : total(s, "cpu", "user_seconds").sum;
	double system = tree ? total(s, "process", "cpu_system_seconds").sum
			     : total(s, "cpu", "system_seconds").sum;
	double all = tree ? total(s, "process", "cpu_seconds").sum : add_known(user, system);
	double of = cores_to_have(s);
	struct buffer *text = again(w);

	/* All that was used over all the time is exact where a mean of levels is not. */
	double mean = tree && !is_none(all) && run_seconds(s) > 0 ? all / run_seconds(s) : cores.mean;

	page_label(p, "CPU", INK_PLAIN);
	buffer_text(text, "mean ");
	human_cores(text, mean);
	buffer_text(text, is_none(mean) ? "" : " cores");
	page_phrase(p, 0, done(w), INK_PLAIN);
	page_tab(p, TAB_PEAK - 2);
	text = again(w);
	buffer_text(text, "peak ");
	human_cores(text, cores.maximum);
	if (!is_none(of)) {
		buffer_text(text, " of ");
		buffer_trimmed(text, of, 2);
		if (text->at && text->len > 2 && memcmp(text->at + text->len - 2, ".0", 2) == 0)
			text->len -= 2;
	}
	page_phrase(p, 2, done(w), INK_PLAIN);
	graph(p, w, &s->cpu);
	page_end(p);

	page_label(p, "", INK_PLAIN);
	text = again(w);
	buffer_text(text, "time ");
	human_seconds(text, all);
	page_phrase(p, 0, done(w), INK_PLAIN);
	page_tab(p, TAB_PEAK - 2);
	text = again(w);
	buffer_text(text, "user ");
	human_seconds(text, user);
	buffer_text(text, ", system ");
	human_seconds(text, system);
	page_phrase(p, 2, done(w), INK_PLAIN);
	page_end(p);
}

static void mean_and_peak(struct page *p, struct phrase *w, struct statistic bytes, double of)
{
	struct buffer *text = again(w);

	buffer_text(text, "mean ");
	human_bytes(text, bytes.mean);
	page_phrase(p, 0, done(w), INK_PLAIN);
	page_tab(p, TAB_PEAK - 2);
	text = again(w);
	buffer_text(text, "peak ");
	human_bytes(text, bytes.maximum);
	if (of > 0 && !is_none(bytes.maximum)) {
		buffer_text(text, " (");
		human_percent(text, 100 * bytes.maximum / of);
		buffer_char(text, ')');
	}
	page_phrase(p, 2, done(w), INK_PLAIN);
}

static void memory(struct page *p, struct phrase *w, const struct summary *s)
{
	double machine = total(s, "memory", "total_bytes").last;

	if (!tracks(s)) {
		page_label(p, "Memory", INK_PLAIN);
		mean_and_peak(p, w, total(s, "memory", "used_bytes"), machine);
		graph(p, w, &s->memory);
		page_end(p);
		return;
	}

	struct statistic pss = total(s, "process", "pss_bytes"), rss = total(s, "process", "rss_bytes");
	double limit = total(s, "cgroup", "memory_limit_bytes").minimum;
	double of = limit > 0 && !(machine < limit) ? limit : machine;
	double largest = total(s, "process", "peak_rss_bytes").maximum;
	struct buffer *text;

	page_label(p, is_none(pss.mean) ? "Memory RSS" : "Memory PSS", INK_PLAIN);
	mean_and_peak(p, w, is_none(pss.mean) ? rss : pss, of);
	graph(p, w, &s->memory);
	page_end(p);
	if (!is_none(pss.mean)) {
		page_label(p, "       RSS", INK_PLAIN);
		mean_and_peak(p, w, rss, NONE);
	} else if (!is_none(largest)) {
		page_label(p, "", INK_PLAIN);
	}
	if (!is_none(largest)) {
		page_tab(p, is_none(pss.mean) ? 0 : TAB_GRAPH - 2);
		text = again(w);
		buffer_text(text, "largest process ");
		human_bytes(text, largest);
		page_phrase(p, 2, done(w), INK_PLAIN);
	}
	if (!is_none(pss.mean) || !is_none(largest))
		page_end(p);
}

static void in_and_out(struct page *p, struct phrase *w, const char *label, const char *in_word, double in,
		       const char *out_word, double out)
{
	struct buffer *text = again(w);

	page_label(p, label, INK_PLAIN);
	buffer_format(text, "%s ", in_word);
	human_bytes(text, in);
	page_phrase(p, 0, done(w), INK_PLAIN);
	page_tab(p, TAB_PEAK - 2);
	text = again(w);
	buffer_format(text, "%s ", out_word);
	human_bytes(text, out);
	page_phrase(p, 2, done(w), INK_PLAIN);
}

static void disk_and_network(struct page *p, struct phrase *w, const struct summary *s)
{
	const char *disk = tracks(s) ? "process" : "disk_total";

	in_and_out(p, w, "Disk", "read", total(s, disk, tracks(s) ? "disk_read_bytes" : "read_bytes").sum,
		   "written", total(s, disk, tracks(s) ? "disk_write_bytes" : "write_bytes").sum);
	page_end(p);
	in_and_out(p, w, "Network", "in", total(s, "network_total", "recv_bytes").sum,
		   "out", total(s, "network_total", "sent_bytes").sum);
	if (tracks(s)) {
		page_tab(p, TAB_GRAPH - 2);
		page_phrase(p, 2, "(whole machine)", INK_FAINT);
	}
	page_end(p);
}

/* ---- programs -------------------------------------------------------------------------- */

static const struct metric *program_metric(const char *name)
{
	const struct table_info *info = &tables[TABLE_PROGRAM];

	for (size_t i = 0; i < info->n_metrics; i++)
		if (strcmp(info->metrics[i].name, name) == 0)
			return &info->metrics[i];
	return NULL;
}

/* Rows by CPU time, at most PROGRAMS_SHOWN; the rest that a sample sums up as "others" is no program. */
static size_t top_programs(size_t ret[PROGRAMS_SHOWN], const struct aggregate *whole)
{
	const struct metric *seconds = program_metric("cpu_seconds");
	size_t n = 0;

	for (size_t row = 0; row < aggregate_rows(whole, TABLE_PROGRAM); row++) {
		double used = add_known(aggregate_row(whole, TABLE_PROGRAM, row, seconds).sum, 0);
		size_t at = n;

		if (strcmp(aggregate_key(whole, TABLE_PROGRAM, row), "others") == 0)
			continue;
		while (at > 0 && used > add_known(aggregate_row(whole, TABLE_PROGRAM, ret[at - 1], seconds).sum, 0))
			at--;
		if (at == PROGRAMS_SHOWN)
			continue;
		n = size_min(n + 1, PROGRAMS_SHOWN);
		memmove(ret + at + 1, ret + at, (n - at - 1) * sizeof ret[0]);
		ret[at] = row;
	}
	return n;
}

static void programs(struct page *p, struct phrase *w, const struct summary *s)
{
	const struct metric *seconds = program_metric("cpu_seconds");
	const struct metric *pss = program_metric("pss_bytes"), *rss = program_metric("rss_bytes");
	size_t top[PROGRAMS_SHOWN], n = top_programs(top, s->whole);

	for (size_t i = 0; i < n; i++) {
		const char *name = aggregate_key(s->whole, TABLE_PROGRAM, top[i]);
		double bytes = aggregate_row(s->whole, TABLE_PROGRAM, top[i], pss).maximum;
		struct buffer *text = again(w);

		if (is_none(bytes))
			bytes = aggregate_row(s->whole, TABLE_PROGRAM, top[i], rss).maximum;
		page_label(p, i == 0 ? "Programs" : "", INK_PLAIN);
		human_word(text, name, strlen(name), p->style.utf8);
		fit(text, TAB_PEAK - PAGE_INDENT - 2, p->style.utf8);
		page_phrase(p, 0, done(w), INK_PLAIN);
		page_tab(p, TAB_PEAK - 2);
		text = again(w);
		buffer_text(text, "CPU ");
		human_seconds(text, aggregate_row(s->whole, TABLE_PROGRAM, top[i], seconds).sum);
		page_phrase(p, 2, done(w), INK_PLAIN);
		page_tab(p, TAB_GRAPH - 2);
		text = again(w);
		buffer_text(text, "memory peak ");
		human_bytes(text, bytes);
		page_phrase(p, 2, done(w), INK_PLAIN);
		page_end(p);
	}
}

/* ---- the tracker, warnings, where the record is ------------------------------------------ */

static void tracker(struct page *p, struct phrase *w, const struct summary *s)
{
	double used = total(s, "tracker", "cpu_seconds").sum;
	double missed = total(s, "tracker", "missed_samples").sum;
	struct buffer *text = again(w);

	page_label(p, "Tracker", INK_PLAIN);
	buffer_text(text, "CPU ");
	human_seconds(text, used);
	if (!is_none(used) && aggregate_seconds(s->whole) > 0) {
		buffer_text(text, " (");
		human_percent(text, 100 * used / aggregate_seconds(s->whole));
		buffer_text(text, " of a core),");
	} else {
		buffer_char(text, ',');
	}
	page_phrase(p, 0, done(w), INK_PLAIN);
	text = again(w);
	buffer_text(text, "memory ");
	human_bytes(text, total(s, "tracker", "rss_bytes").maximum);
	buffer_char(text, ',');
	page_phrase(p, 1, done(w), INK_PLAIN);
	text = again(w);
	buffer_format(text, "%zu sample%s", aggregate_samples(s->whole), aggregate_samples(s->whole) == 1 ? "" : "s");
	if (missed > 0)
		buffer_format(text, ", %.0f missed", missed);
	page_phrase(p, 1, done(w), INK_PLAIN);
	page_end(p);
}

void summary_write(struct buffer *out, const struct summary *s, const struct summary_style *style)
{
	struct page p = { .out = out, .style = *style };
	struct phrase w = { { 0 } };

	page_title(&p, "resource-tracker");
	what_ran(&p, &w, s);
	how_it_ended(&p, &w, s);
	cpu(&p, &w, s);
	memory(&p, &w, s);
	disk_and_network(&p, &w, s);
	programs(&p, &w, s);
	tracker(&p, &w, s);
	summary_warnings(&p, s);
	if (s->record_path) {
		page_label(&p, "Record", INK_PLAIN);
		page_unbroken(&p, s->record_path);
		page_end(&p);
	}
	buffer_release(&w.text);
}
