/* table.c - prints the verification for people: tests, true values, reported values. */
#include <math.h>
#include <string.h>

#include "../text/human.h"
#include "verify.h"

enum { TRUTH_END = 44, REPORTED_END = 55, ERROR_END = 65, SOURCE = 67, VERDICT = 76, NOTE = 6 };

/* The source of a figure, for people who do not know the kernel. */
static const struct { const char *source, *meaning; } sources[] = {
	{ "cgroup", "the kernel's own total for a control group made for the job: exact" },
	{ "cgroup1", "the kernel's own total for a control group (version 1) made for the job: exact" },
	{ "perf", "the kernel reports all processes of the job as they start and end, and misses the last CPU time of each" },
	{ "ledger", "the CPU time of live processes, and of children that were waited for; does not see children "
		    "that no process waits for" },
	{ "visible", "only the CPU time of processes while they were alive" },
	{ "VmHWM", "the high-water mark that the kernel keeps of each process's memory" },
	{ "ru_maxrss", "the peak memory of a process, as the kernel reports it to the process that waits for it" },
	{ "smaps", "the page tables of each process, read within a budget; shared pages count once" },
	{ "status", "the kernel's count for each thread, and for ended processes the count reported to the one that waits" },
	{ "io", "the kernel's count of the bytes that a process moved from and to storage" },
	{ "sockets", "the kernel's count of each TCP connection; if one ended before a poll, the job's own share is known "
		     "only if the job alone listened for it" },
};

struct text { struct buffer b; };

static const char *end_of(struct text *t)
{
	buffer_char(&t->b, '\0');
	return t->b.failed ? "" : t->b.at;
}

static struct buffer *begin(struct text *t)
{
	buffer_clear(&t->b);
	return &t->b;
}

static void at_right(struct page *p, unsigned column, const char *text, enum ink ink)
{
	unsigned width = (unsigned)strlen(text);

	page_tab(p, column > width ? column - width : 0);
	page_phrase(p, 0, text, ink);
}

static void amount(struct buffer *out, const struct quantity_info *q, double value)
{
	if (is_none(value)) {
		buffer_char(out, '-');
	} else if (q->unit == UNIT_COUNT) {
		buffer_fixed(out, value, 0);
	} else if (q->unit == UNIT_SECONDS) {
		buffer_fixed(out, value, 3);
		buffer_text(out, " s");
	} else {
		human_bytes(out, value);
	}
}

/* Wrapped here: a page wraps to the column of its labels. */
static void wrapped(struct page *p, unsigned indent, const char *text)
{
	for (bool first = true; *text; first = false) {
		size_t n = strcspn(text, " ");

		if (first || p->column + 1 + n > p->style.columns) {
			if (!first)
				page_end(p);
			page_tab(p, indent);
		} else {
			page_tab(p, p->column + 1);
		}
		buffer_bytes(p->out, text, n);
		p->column += (unsigned)n;
		text += n + strspn(text + n, " ");
	}
	page_end(p);
}

static void note(struct page *p, const char *text)
{
	wrapped(p, NOTE, text);
}

static void interval(struct buffer *out, const struct figure *f, const char *between)
{
	const struct quantity_info *q = &verify_quantities[f->quantity];

	amount(out, q, f->printed.low);
	buffer_text(out, between);
	amount(out, q, f->printed.high);
}

static void bounds(struct page *p, struct text *w, const struct figure *f)
{
	struct buffer *out;

	/* An interval that is as narrow as the bound adds nothing. */
	if (!(f->printed.high - f->printed.low > verify_quantities[f->quantity].relative * f->truth))
		return;
	out = begin(w);
	buffer_text(out, "reported as between ");
	interval(out, f, " and ");
	note(p, end_of(w));
}

static void error_of(struct buffer *out, const struct figure *f)
{
	double error = figure_error(f);

	buffer_text(out, error > 0 ? "+" : "");
	buffer_fixed(out, f->truth > 0 ? 100 * error / f->truth : 0, 2);
	buffer_text(out, " %");
}

static const char *what_of(const struct figure *f)
{
	if (f->program[0])
		return f->program;
	for (size_t i = 0; i < n_test_cases; i++)
		if (strcmp(test_cases[i].name, f->load) == 0)
			return test_cases[i].what;
	return f->load;
}

/* An interval replaces a value and its error: a percentage would claim more than the recorder does. */
static void answer(struct page *p, struct text *w, const struct figure *f)
{
	if (figure_is_interval(f)) {
		interval(begin(w), f, " to ");
	} else {
		amount(begin(w), &verify_quantities[f->quantity], f->reported);
		at_right(p, REPORTED_END, end_of(w), INK_PLAIN);
		error_of(begin(w), f);
	}
	at_right(p, ERROR_END, end_of(w), INK_PLAIN);
}

static void row(struct page *p, struct text *w, const struct figure *f)
{
	const struct quantity_info *q = &verify_quantities[f->quantity];
	static const enum ink inks[VERDICT_COUNT] = { INK_GOOD, INK_BAD, INK_WARN, INK_WARN };

	page_tab(p, 2);
	page_phrase(p, 0, what_of(f), INK_PLAIN);
	if (is_none(f->reported)) {
		page_tab(p, TRUTH_END - 7);
		page_phrase(p, 0, verdict_name(f->verdict), inks[f->verdict]);
		page_end(p);
	} else {
		amount(begin(w), q, f->truth);
		at_right(p, TRUTH_END, end_of(w), INK_PLAIN);
		answer(p, w, f);
		page_tab(p, SOURCE);
		page_phrase(p, 0, f->source, INK_PLAIN);
		page_tab(p, p->column < VERDICT ? VERDICT : p->column + 1);
		page_phrase(p, 0, f->verdict == VERDICT_GOOD ? "ok" : "BAD", inks[f->verdict]);
		page_end(p);
		if (!figure_is_interval(f))
			bounds(p, w, f);
		else if (q->doubt)
			note(p, q->doubt);
	}
	if (f->why.text[0])
		note(p, f->why.text);
}

static void section(struct page *p, struct text *w, const struct verification *v, enum quantity quantity)
{
	const struct quantity_info *q = &verify_quantities[quantity];
	bool begun = false;

	for (size_t i = 0; i < v->n; i++) {
		if (v->figures[i].quantity != quantity)
			continue;
		if (!begun) {
			page_end(p);
			page_phrase(p, 0, q->name, INK_BOLD);
			at_right(p, TRUTH_END, "truth", INK_FAINT);
			at_right(p, REPORTED_END, "reported", INK_FAINT);
			at_right(p, ERROR_END, "error", INK_FAINT);
			page_tab(p, SOURCE);
			page_phrase(p, 0, "source", INK_FAINT);
			page_end(p);
		}
		begun = true;
		row(p, w, &v->figures[i]);
	}
}

static void legend(struct page *p, struct text *w, const struct verification *v)
{
	bool begun = false;

	for (size_t s = 0; s < countof(sources); s++)
		for (size_t i = 0; i < v->n; i++)
			if (strcmp(v->figures[i].source, sources[s].source) == 0) {
				if (!begun) {
					page_end(p);
					page_phrase(p, 0, "Sources: what a number was read from", INK_BOLD);
					page_end(p);
				}
				begun = true;

				struct buffer *out = begin(w);

				buffer_format(out, "%s: %s", sources[s].source, sources[s].meaning);
				note(p, end_of(w));
				break;
			}
}

static void milliseconds(struct buffer *out, double seconds)
{
	buffer_fixed(out, seconds > 0 ? seconds * 1e3 : 0, 2);
	buffer_text(out, " ms");
}

static void own_cost(struct page *p, struct text *w, const struct cost *c)
{
	struct buffer *out;

	page_end(p);
	page_phrase(p, 0, "What the recorder itself costs", INK_BOLD);
	page_end(p);
	if (!is_none(c->own.cpu_seconds) && c->own.seconds > 0) {
		out = begin(w);
		buffer_text(out, "its own CPU time ");
		buffer_fixed(out, c->own.cpu_seconds, 3);
		buffer_text(out, " s in ");
		buffer_fixed(out, c->own.seconds, 1);
		buffer_text(out, " s (");
		human_percent(out, 100 * c->own.cpu_seconds / c->own.seconds);
		buffer_text(out, " of a core), its memory ");
		human_bytes(out, c->own.rss_bytes);
		buffer_text(out, ", its longest sample ");
		milliseconds(out, c->own.sample_seconds);
		note(p, end_of(w));
	}
	if (!is_none(c->start_seconds)) {
		out = begin(w);
		buffer_text(out, "a command starts ");
		milliseconds(out, c->start_seconds);
		buffer_text(out, " later, and its end is reported ");
		milliseconds(out, c->end_seconds);
		buffer_text(out, " later (median of 7 pairs)");
		note(p, end_of(w));
	}
	if (!is_none(c->longest_seconds) && !is_none(c->speed)) {
		out = begin(w);
		buffer_text(out, "a job of 256 MiB that maps memory all the time waited ");
		milliseconds(out, c->longest_seconds);
		buffer_text(out, " at most, and ");
		milliseconds(out, c->longest_bare_seconds);
		buffer_text(out, " without the recorder; its speed was ");
		buffer_fixed(out, 100 * c->speed, 1);
		buffer_text(out, " % of that without (better of 2 runs each; other load on the machine shows here, too)");
		note(p, end_of(w));
	}
}

static void notices(struct page *p, const struct notices *n)
{
	if (n->n == 0)
		return;
	page_end(p);
	page_phrase(p, 0, "What the recorder could not measure here", INK_BOLD);
	page_end(p);
	for (size_t i = 0; i < n->n; i++)
		note(p, n->at[i].text);
}

static size_t count(const struct verification *v, enum verdict verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++)
		n += v->figures[i].verdict == verdict;
	return n;
}

static void closing(struct page *p, struct text *w, const struct verification *v)
{
	size_t broken = count(v, VERDICT_BROKEN), good = count(v, VERDICT_GOOD);
	size_t not_measured = count(v, VERDICT_NOT_MEASURED), not_tested = count(v, VERDICT_NOT_TESTED);
	struct buffer *out = begin(w);

	page_end(p);
	buffer_format(out, "%zu of %zu figures are within their bounds", good, good + broken);
	page_phrase(p, 0, end_of(w), broken ? INK_BAD : INK_GOOD);
	out = begin(w);
	if (not_measured)
		buffer_format(out, ", %zu not measured", not_measured);
	if (not_tested)
		buffer_format(out, ", %zu not tested", not_tested);
	buffer_text(out, "; it took ");
	human_seconds(out, v->seconds);
	page_phrase(p, 0, end_of(w), INK_PLAIN);
	page_end(p);
}

void verify_table(struct buffer *out, const struct verification *v, const struct summary_style *style)
{
	struct page p = { .out = out, .style = *style };
	struct text w = { { 0 } };

	page_title(&p, "resource-tracker verify");
	begin(&w);
	buffer_text(&w.b, "Programs with known use of resources, each run under the recorder as ");
	buffer_text(&w.b, v->root ? "root" : "an ordinary user");
	buffer_text(&w.b, ", sampling every ");
	buffer_trimmed(&w.b, v->interval_seconds, 3);
	if (w.b.at && w.b.len > 2 && memcmp(w.b.at + w.b.len - 2, ".0", 2) == 0)
		w.b.len -= 2;
	buffer_text(&w.b, " s: are its reports true?");
	wrapped(&p, 0, end_of(&w));
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		section(&p, &w, v, q);
	legend(&p, &w, v);
	notices(&p, &v->notices);
	if (v->cost)
		own_cost(&p, &w, v->cost);
	closing(&p, &w, v);
	buffer_release(&w.b);
}
