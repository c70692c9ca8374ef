/*
 * report_lines.c - turns lines of a summary, printed bare, into facts of a report.
 *
 * Each figure becomes a fact with one short value: "CPU  mean 0.35 cores, peak 0.95 of 2" becomes "CPU on average:
 * 0.35 cores"; parts without a label of their own become its note.
 */
#include "report_lines.h"

#include <string.h>

static struct word between(const char *at, const char *end)
{
	while (at < end && *at == ' ')
		at++;
	while (end > at && end[-1] == ' ')
		end--;
	return (struct word){ at, (size_t)(end - at) };
}

bool bare_line_next(struct bare_line *ret, const char **at, const char *end)
{
	const char *newline = *at < end ? memchr(*at, '\n', (size_t)(end - *at)) : NULL;
	const char *tab = newline ? memchr(*at, '\t', (size_t)(newline - *at)) : NULL;

	if (!tab)
		return false;
	*ret = (struct bare_line){ between(*at, tab), between(tab + 1, newline) };
	*at = newline + 1;
	return true;
}

void report_text(struct json *j, const char *key, struct buffer *text)
{
	json_key(j, key);
	json_text_n(j, text->at ? text->at : "", text->len);
	buffer_clear(text);
}

void report_fact(struct json *j, const char *card, struct word label, struct buffer *value, struct buffer *note)
{
	if (value->len + note->len == 0)
		return;
	json_open(j, '{');
	json_member_text(j, "card", card);
	json_key(j, "label");
	json_text_n(j, label.at, label.len);
	report_text(j, "value", value->len > 0 ? value : note);
	if (note->len > 0)
		report_text(j, "note", note);
	json_close(j, '}');
}

static void put(struct buffer *out, const char *separator, struct word w)
{
	if (out->len > 0)
		buffer_text(out, separator);
	buffer_bytes(out, w.at, w.len);
}

void report_lines(struct json *j, const char *card, const struct buffer *lines)
{
	struct buffer value = { 0 }, note = { 0 };
	struct word label = { "", 0 };
	struct bare_line line;

	for (const char *at = lines->at; at && bare_line_next(&line, &at, lines->at + lines->len);) {
		if (line.label.len > 0) {
			report_fact(j, card, label, &value, &note);
			label = line.label;
			put(&value, "", line.text);
		} else {
			put(&note, "; ", line.text);
		}
	}
	report_fact(j, card, label, &value, &note);
	buffer_release(&value);
	buffer_release(&note);
}

/* ---- figures ----------------------------------------------------------------------------------- */

enum { PARTS_MOST = 32 };

struct part { struct word text; bool opens_line; };
/* A label's line, and the lines that continue it. */
struct group { struct word label; struct part parts[PARTS_MOST]; size_t n; };

/* The words with which a part begins that becomes a fact of its own. */
struct lead { const char *line, *word, *label; };
static const struct lead leads[] = {
	{ "CPU", "mean ", "CPU on average" }, { "CPU", "time ", "CPU time" },
	{ "Memory PSS", "peak ", "Peak memory (PSS)" }, { "Memory RSS", "peak ", "Peak memory (RSS)" },
	{ "RSS", "peak ", "Peak memory (RSS)" }, { "Memory", "peak ", "Peak memory" },
	{ "GPU", "mean ", "GPUs on average" },
	{ "Disk", "read ", "Read from disks" }, { "Disk", "written ", "Written to disks" },
	{ "Network", "in ", "Received by the machine" }, { "Network", "out ", "Sent by the machine" },
	{ "TCP of job", "in ", "Received by the job" }, { "TCP of job", "out ", "Sent by the job" },
};

/* A number must follow: "peak of the control group" is another part. */
static const struct lead *lead_of(const struct group *g, const struct part *p)
{
	for (size_t i = 0; i < countof(leads); i++) {
		size_t n = strlen(leads[i].word);

		if (word_is(g->label, leads[i].line) && word_starts(p->text, leads[i].word) && p->text.len > n &&
		    p->text.at[n] >= '0' && p->text.at[n] <= '9')
			return &leads[i];
	}
	return NULL;
}

static bool ends_with(struct word w, const char *end)
{
	size_t n = strlen(end);

	return w.len >= n && memcmp(w.at + w.len - n, end, n) == 0;
}

/* Adds a line's parts, except those that are unknown or repeat the label. */
static void add_parts(struct group *g, struct word line)
{
	bool opens_line = true;

	for (const char *at = line.at, *end = line.at + line.len; at < end && g->n < PARTS_MOST;) {
		const char *comma = memmem(at, (size_t)(end - at), ", ", 2);
		struct word text = between(at, comma ? comma : end);

		at = comma ? comma + 2 : end;
		if (ends_with(text, " unknown") || word_is(text, "(whole machine)"))
			continue;
		g->parts[g->n++] = (struct part){ text, opens_line };
		opens_line = false;
	}
}

/* "238 MiB (0.99 %)": the text in brackets goes into the note. */
static void put_value(struct buffer *value, struct buffer *note, struct word text)
{
	const char *bracket = memmem(text.at, text.len, " (", 2), *end = text.at + text.len;
	bool share = bracket && ends_with(text, " %)");

	buffer_bytes(value, text.at, (size_t)((bracket ? bracket : end) - text.at));
	if (bracket)
		put(note, "; ", between(bracket + 2, end - (end[-1] == ')')));
	if (share)
		buffer_text(note, " of what it can have");
}

static void put_note(struct buffer *note, const struct part *p)
{
	put(note, p->opens_line ? "; " : *p->text.at == '(' ? " " : ", ", p->text);
}

/* Parts before the first fact go into its note; if there is no fact, the first part is the value. */
static void put_group(struct json *j, const char *card, const struct group *g)
{
	struct buffer value = { 0 }, note = { 0 };
	struct word label = g->label;
	bool any = false;

	for (size_t i = 0; i < g->n; i++)
		any = any || lead_of(g, &g->parts[i]);
	for (size_t i = 0; i < g->n; i++) {
		const struct part *p = &g->parts[i];
		const struct lead *lead = lead_of(g, p);

		if (lead) {
			size_t skip = strlen(lead->word);

			if (value.len > 0)
				report_fact(j, card, label, &value, &note);
			label = (struct word){ lead->label, strlen(lead->label) };
			put_value(&value, &note, (struct word){ p->text.at + skip, p->text.len - skip });
		} else if (i == 0 && !any) {
			put_value(&value, &note, p->text);
		} else {
			put_note(&note, p);
		}
	}
	report_fact(j, card, label, &value, &note);
	buffer_release(&value);
	buffer_release(&note);
}

void report_figures(struct json *j, const char *card, const struct buffer *lines)
{
	struct group g = { .label = { "", 0 } };
	struct bare_line line;

	for (const char *at = lines->at; at && bare_line_next(&line, &at, lines->at + lines->len);) {
		if (line.label.len > 0) {
			put_group(j, card, &g);
			g = (struct group){ .label = line.label };
		}
		add_parts(&g, line.text);
	}
	put_group(j, card, &g);
}
