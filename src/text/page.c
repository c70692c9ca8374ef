/* page.c - labelled text for a terminal. */
#include "page.h"
#include "shown.h"

#include <limits.h>
#include <string.h>

static const char *const inks[] = {
	[INK_BOLD] = "\033[1m", [INK_FAINT] = "\033[2m", [INK_GOOD] = "\033[32m", [INK_BAD] = "\033[1;31m",
	[INK_WARN] = "\033[33m", [INK_GRAPH] = "\033[36m",
};

static unsigned width_of(const char *text, size_t n)
{
	unsigned width = 0;

	for (size_t i = 0; i < n; i++)
		width += ((unsigned char)text[i] & 0xc0) != 0x80;
	return width;
}

static void blanks(struct page *p, unsigned n)
{
	p->column += n;
	while (n-- > 0)
		buffer_char(p->out, ' ');
}

static void print(struct page *p, const char *text, size_t n, enum ink ink)
{
	bool dye = p->style.color && ink != INK_PLAIN;

	if (dye)
		buffer_text(p->out, inks[ink]);
	show_text(p->out, text, n, '?');
	if (dye)
		buffer_text(p->out, "\033[0m");
	p->column += width_of(text, n);
}

static unsigned columns(const struct page *p)
{
	unsigned n = p->style.columns;

	if (p->bare)
		return UINT_MAX / 2;
	return n < PAGE_INDENT + 20 ? PAGE_INDENT + 20 : n > PAGE_WIDEST ? PAGE_WIDEST : n;
}

void page_end(struct page *p)
{
	while (p->out->len > 0 && p->out->at[p->out->len - 1] == ' ')
		p->out->len--;
	buffer_char(p->out, '\n');
	p->column = 0;
}

void page_title(struct page *p, const char *title)
{
	const char *line = p->style.utf8 ? "─" : "-";

	print(p, line, strlen(line), INK_FAINT);
	print(p, line, strlen(line), INK_FAINT);
	blanks(p, 1);
	print(p, title, strlen(title), INK_BOLD);
	blanks(p, 1);
	if (p->style.color)
		buffer_text(p->out, inks[INK_FAINT]);
	for (; p->column < columns(p); p->column++)
		buffer_text(p->out, line);
	if (p->style.color)
		buffer_text(p->out, "\033[0m");
	page_end(p);
}

void page_label(struct page *p, const char *label, enum ink ink)
{
	p->column = 0;
	if (p->bare) {
		buffer_text(p->out, label);
		buffer_char(p->out, '\t');
		p->column = PAGE_INDENT;
		return;
	}
	blanks(p, 1);
	print(p, label, strlen(label), ink);
	page_tab(p, PAGE_INDENT);
}

void page_tab(struct page *p, unsigned column)
{
	if (p->column < column && !p->bare)
		blanks(p, column - p->column);
}

unsigned page_room(const struct page *p)
{
	return p->column < columns(p) ? columns(p) - p->column : 0;
}

void page_next_line(struct page *p)
{
	page_end(p);
	blanks(p, PAGE_INDENT);
}

/* A number keeps its "%". */
static size_t word_length(const char *text)
{
	size_t n = strcspn(text, " ");

	return strncmp(text + n, " %", 2) == 0 ? n + 1 + strcspn(text + n + 1, " ") : n;
}

void page_words(struct page *p, const char *text, enum ink ink)
{
	while (*text) {
		size_t n = word_length(text);
		unsigned width = width_of(text, n), gap = p->column > PAGE_INDENT;

		if (p->column > PAGE_INDENT && gap + width > page_room(p)) {
			page_next_line(p);
			gap = 0;
		}
		blanks(p, gap);
		print(p, text, n, ink);
		text += n + strspn(text + n, " ");
	}
}

void page_phrase(struct page *p, unsigned gap, const char *text, enum ink ink)
{
	unsigned width = width_of(text, strlen(text));
	bool first = p->column <= PAGE_INDENT;

	if (first)
		gap = 0;
	if (p->bare && ink == INK_GRAPH)
		return;
	if (p->bare && gap > 1) {
		buffer_char(p->out, ',');
		gap = 1;
	}
	if (gap + width > page_room(p)) {
		if (!first)
			page_next_line(p);
		if (width > page_room(p)) {
			page_words(p, text, ink);
			return;
		}
		gap = 0;
	}
	blanks(p, gap);
	print(p, text, strlen(text), ink);
}

void page_unbroken(struct page *p, const char *text)
{
	print(p, text, strlen(text), INK_PLAIN);
}
