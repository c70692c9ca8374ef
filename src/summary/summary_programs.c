/* summary_programs.c - the programs that used most, as lines of the summary. */
#include <string.h>

#include "../text/human.h"
#include "summary_parts.h"

enum { PROGRAMS_SHOWN = 3 };

static const struct metric *program_metric(const char *name)
{
	const struct table_info *info = &tables[TABLE_PROGRAM];

	for (size_t i = 0; i < info->n_metrics; i++)
		if (strcmp(info->metrics[i].name, name) == 0)
			return &info->metrics[i];
	return NULL;
}

struct weight {
	double seconds, started;
};

static struct weight weight_of(const struct aggregate *whole, size_t row)
{
	return (struct weight){
		.seconds = add_known(aggregate_row(whole, TABLE_PROGRAM, row, program_metric("cpu_seconds")).sum, 0),
		.started = add_known(aggregate_row(whole, TABLE_PROGRAM, row, program_metric("started")).sum, 0),
	};
}

/* By CPU time; programs too short to be measured, by their number. */
static bool outweighs(struct weight a, struct weight b)
{
	return a.seconds > b.seconds || (a.seconds >= b.seconds && a.started > b.started);
}

/* At most PROGRAMS_SHOWN; "others", the rest that a sample sums up, is not a program. */
static size_t top_programs(size_t ret[PROGRAMS_SHOWN], const struct aggregate *whole)
{
	size_t n = 0;

	for (size_t row = 0; row < aggregate_rows(whole, TABLE_PROGRAM); row++) {
		struct weight weight = weight_of(whole, row);
		size_t at = n;

		if (strcmp(aggregate_key(whole, TABLE_PROGRAM, row), "others") == 0)
			continue;
		while (at > 0 && outweighs(weight, weight_of(whole, ret[at - 1])))
			at--;
		if (at == PROGRAMS_SHOWN)
			continue;
		n = size_min(n + 1, PROGRAMS_SHOWN);
		memmove(ret + at + 1, ret + at, (n - at - 1) * sizeof ret[0]);
		ret[at] = row;
	}
	return n;
}

/* "sed x5000": the number of its processes, if known and more than one. */
static void name_and_number(struct buffer *text, const char *name, double n, bool utf8)
{
	struct buffer number = { 0 };
	enum { WIDTH = TAB_PEAK - PAGE_INDENT - 2,
	       LEAST = 10 };

	if (n > 1)
		buffer_format(&number, utf8 ? " \u00d7%.0f" : " x%.0f", n);
	human_word(text, name, strlen(name), utf8);
	phrase_fit(text, (unsigned)size_max(LEAST, WIDTH - size_min(WIDTH, number.len)), utf8);
	if (number.at && !number.failed)
		buffer_bytes(text, number.at, number.len);
	buffer_release(&number);
}

static void cpu_time(struct page *p, struct phrase *w, double seconds)
{
	struct buffer *text = phrase_new(w);

	page_tab(p, TAB_PEAK - 2);
	buffer_text(text, "CPU ");
	human_seconds(text, seconds);
	page_phrase(p, 2, phrase_text(w), INK_PLAIN);
	page_tab(p, TAB_GRAPH - 2);
}

/* A program's highest memory in a sample, and its kind. */
struct peak { double bytes; const char *basis; };

static struct peak sampled_peak(const struct aggregate *whole, size_t program)
{
	double pss = aggregate_row(whole, TABLE_PROGRAM, program, program_metric("pss_bytes")).maximum;
	double rss = aggregate_row(whole, TABLE_PROGRAM, program, program_metric("rss_bytes")).maximum;

	return is_none(pss) ? (struct peak){ bytes_seen(rss), "RSS" } : (struct peak){ bytes_seen(pss), "PSS" };
}

/* largest: the peak RSS of one process, as the kernel counted it. */
static void memory(struct buffer *text, struct peak sampled, double largest)
{
	if (is_none(sampled.bytes) && is_none(bytes_seen(largest))) {
		buffer_text(text, "memory not seen");
		return;
	}
	if (is_none(sampled.bytes))
		buffer_text(text, "largest process ");
	else
		buffer_format(text, "%s peak ", sampled.basis);
	human_bytes(text, is_none(sampled.bytes) ? largest : sampled.bytes);
}

/* CPU time of no program's row, if it is more than the readings' error. */
static void short_lived(struct page *p, struct phrase *w, const struct summary *s)
{
	double seconds = summary_total(s->whole, METRIC_process_unaccounted_cpu_seconds).sum;
	double all = summary_total(s->whole, METRIC_process_cpu_seconds).sum;

	if (!(seconds > 0.01 && seconds > all / 50))
		return;
	page_label(p, "", INK_PLAIN);
	page_phrase(p, 0, "(short-lived)", INK_PLAIN);
	cpu_time(p, w, seconds);
	page_phrase(p, 2, "not seen while it was used", INK_PLAIN);
	page_end(p);
}

void summary_programs(struct page *p, struct phrase *w, const struct summary *s)
{
	const struct metric *seconds = program_metric("cpu_seconds"), *started = program_metric("started");
	const struct metric *peak_rss = program_metric("peak_rss_bytes");
	size_t top[PROGRAMS_SHOWN], n = top_programs(top, s->whole);

	for (size_t i = 0; i < n; i++) {
		struct buffer *text = phrase_new(w);

		page_label(p, i == 0 ? "Programs" : "", INK_PLAIN);
		name_and_number(text, aggregate_key(s->whole, TABLE_PROGRAM, top[i]),
				aggregate_row(s->whole, TABLE_PROGRAM, top[i], started).sum, p->style.utf8);
		page_phrase(p, 0, phrase_text(w), INK_PLAIN);
		cpu_time(p, w, aggregate_row(s->whole, TABLE_PROGRAM, top[i], seconds).sum);
		text = phrase_new(w);
		memory(text, sampled_peak(s->whole, top[i]),
		       aggregate_row(s->whole, TABLE_PROGRAM, top[i], peak_rss).maximum);
		page_phrase(p, 2, phrase_text(w), INK_PLAIN);
		page_end(p);
	}
	if (n > 0)
		short_lived(p, w, s);
}
