/* fleet_page.c - the page of `fleet report`: tables, with a bar behind each number, as long as its part of the most. */
#include "fleet_report.h"

#include <string.h>

#include "../core/sample.h"
#include "../text/shown.h"

static const char HEAD[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
	"<title>Fleet</title>\n<style>\n"
	":root { color-scheme: light dark; --bar: #cfe0f5; --line: #d8d8d8; --faint: #666 }\n"
	"@media (prefers-color-scheme: dark) { :root { --bar: #24405f; --line: #3a3a3a; --faint: #999 } }\n"
	"body { font: 15px/1.45 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }\n"
	"h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin: 2rem 0 0 }\n"
	"h2::first-letter { text-transform: uppercase } p { color: var(--faint); margin: .2rem 0 .6rem }\n"
	"div { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums }\n"
	"th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); text-align: left; white-space: nowrap }\n"
	"th { font-size: .8rem; color: var(--faint) } .n { text-align: right }\n"
	"td.n { background: linear-gradient(to right, var(--bar) var(--part, 0%), transparent 0) }\n"
	"</style>\n";

static void escaped(struct buffer *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		switch (text[i]) {
		case '<': buffer_text(out, "&lt;"); break;
		case '>': buffer_text(out, "&gt;"); break;
		case '&': buffer_text(out, "&amp;"); break;
		case '"': buffer_text(out, "&quot;"); break;
		default: buffer_char(out, text[i]);
		}
}

/* Of whatever was in a record. */
static void words(struct buffer *out, const char *text, size_t n)
{
	struct buffer shown = { 0 };

	show_text(&shown, text, n, '?');
	escaped(out, shown.at ? shown.at : "", shown.len);
	out->failed = out->failed || shown.failed;
	buffer_release(&shown);
}

static double most_of(const struct fleet_result *r, size_t column)
{
	double most = 0;

	for (size_t i = 0; i < r->n_rows; i++)
		most = double_max(most, fleet_result_at(r, i, column).number);
	return most;
}

/* No bars for months, nor in a table of one row. */
static bool has_bars(const struct fleet_result *r, size_t column)
{
	return r->n_rows > 1 && strcmp(r->columns.at[column].name, "month") != 0;
}

static void cell(struct buffer *out, const struct fleet_result *r, size_t row, size_t column)
{
	const struct fleet_column *c = &r->columns.at[column];
	union value value = fleet_result_at(r, row, column);
	struct buffer text = { 0 };

	if (c->type == VALUE_TEXT) {
		buffer_text(out, "<td>");
	} else {
		double most = has_bars(r, column) ? most_of(r, column) : 0;

		buffer_text(out, "<td class=\"n\"");
		if (most > 0 && value.number > 0) {
			buffer_text(out, " style=\"--part:");
			buffer_fixed(out, 100 * value.number / most, 1);
			buffer_text(out, "%\"");
		}
		buffer_char(out, '>');
	}
	fleet_result_cell(&text, c, value);
	words(out, text.at ? text.at : "", text.len);
	buffer_text(out, "</td>");
	out->failed = out->failed || text.failed;
	buffer_release(&text);
}

static void table(struct buffer *out, const struct fleet_result *r)
{
	buffer_text(out, "<div><table>\n<tr>");
	for (size_t k = 0; k < r->columns.n; k++) {
		buffer_text(out, r->columns.at[k].type == VALUE_TEXT ? "<th>" : "<th class=\"n\">");
		fleet_result_title(out, r->columns.at[k].name);
		buffer_text(out, "</th>");
	}
	buffer_text(out, "</tr>\n");
	for (size_t i = 0; i < r->n_rows; i++) {
		buffer_text(out, "<tr>");
		for (size_t k = 0; k < r->columns.n; k++)
			cell(out, r, i, k);
		buffer_text(out, "</tr>\n");
	}
	buffer_text(out, "</table></div>\n");
}

void fleet_report_page(struct buffer *out, const struct fleet_report *r)
{
	buffer_text(out, HEAD);
	buffer_text(out, "<h1>Fleet</h1>\n<p>");
	words(out, r->period, strlen(r->period));
	buffer_text(out, "</p>\n");
	for (enum fleet_question i = 0; i < FLEET_QUESTIONS; i++) {
		buffer_format(out, "<h2 id=\"%s\">%s</h2>\n<p>", fleet_question_names[i], fleet_question_names[i]);
		escaped(out, fleet_question_help[i], strlen(fleet_question_help[i]));
		buffer_text(out, "</p>\n");
		if (r->answers[i].n_rows > 0)
			table(out, &r->answers[i]);
		else
			buffer_text(out, "<p>None.</p>\n");
	}
	buffer_text(out, "</html>\n");
}
