/* draw_text.c - texts in a picture, and its colours. */
#include "canvas.h"

#include <string.h>

#include "../core/json_write.h"
#include "../text/shown.h"

enum { LONGEST = 400 };                         /* bytes of a text that are used */

#define RGB(hex) { ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex) & 255) / 255.0 }

/* The job's lines in colours that people with colour blindness can distinguish (after Okabe and Ito), others muted. */
const struct theme theme_light = {
	.paper = RGB(0xffffff), .ink = RGB(0x1b1f24), .faint = RGB(0x5d6670), .grid = RGB(0xe4e7eb),
	.good = RGB(0x1a7f37), .bad = RGB(0xc2261c),
	.job = { RGB(0x0067b1), RGB(0xc8500a), RGB(0x00875f), RGB(0x9b3f86), RGB(0x3a9bd9), RGB(0x8a6d00) },
	.around = { RGB(0x7b8794), RGB(0xab8f5f), RGB(0x6f9c8c), RGB(0xa3809c), RGB(0x9aa5b1), RGB(0x8d8d6b) },
};

const struct theme theme_dark = {
	.paper = RGB(0x15181d), .ink = RGB(0xeceff3), .faint = RGB(0xa3adb8), .grid = RGB(0x2d333b),
	.good = RGB(0x5cc773), .bad = RGB(0xff7b72),
	.job = { RGB(0x5ab3ff), RGB(0xff9d57), RGB(0x3ddba9), RGB(0xe28ccb), RGB(0x9ad4ff), RGB(0xf0d060) },
	.around = { RGB(0x8b96a3), RGB(0xbfa878), RGB(0x82ab9d), RGB(0xb493ad), RGB(0x6d7783), RGB(0xa5a582) },
};

void ink(struct canvas *c, struct color color, double opacity)
{
	cairo_set_source_rgba(c->cr, color.red, color.green, color.blue, opacity);
}

/* Copies the text as NUL-terminated UTF-8 of printable characters.  false: out of memory. */
static bool printable(struct buffer *out, const char *text)
{
	buffer_clear(out);
	show_text(out, text, strnlen(text, LONGEST), ' ');
	buffer_char(out, '\0');
	return !out->failed;
}

static double width_of(struct canvas *c, const char *text, double size, bool bold)
{
	cairo_text_extents_t extents;

	cairo_select_font_face(c->cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
			       bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
	cairo_set_font_size(c->cr, size);
	cairo_text_extents(c->cr, text, &extents);
	return extents.x_advance;
}

double text_width(struct canvas *c, const char *text, double size, bool bold)
{
	struct buffer plain = { 0 };
	double width = printable(&plain, text) ? width_of(c, plain.at, size, bold) : 0;

	buffer_release(&plain);
	return width;
}

/* Cuts characters off until the text fits, and adds an ellipsis. */
static double fit(struct canvas *c, struct buffer *text, double size, bool bold, double most)
{
	double width = width_of(c, text->at, size, bold);

	while (most > 0 && width > most && text->len > 1) {
		size_t n = text->len - 1;

		if (n >= 3 && memcmp(text->at + n - 3, "\xe2\x80\xa6", 3) == 0)
			n -= 3;
		do
			n -= n > 0;
		while (n > 0 && ((unsigned char)text->at[n] & 0xc0) == 0x80);
		text->len = n;
		buffer_bytes(text, n > 0 ? "\xe2\x80\xa6" : "", n > 0 ? 4 : 1);
		if (text->failed || n == 0)
			break;
		width = width_of(c, text->at, size, bold);
	}
	return width;
}

void draw_text(struct canvas *c, double x, double y, const char *text, double size, bool bold, struct color color,
	       enum align align, double most)
{
	struct buffer plain = { 0 };

	if (printable(&plain, text)) {
		buffer_bytes(&c->words, plain.at, plain.len - 1);
		buffer_char(&c->words, '\n');

		double width = fit(c, &plain, size, bold, most);

		cairo_move_to(c->cr, align == ALIGN_LEFT ? x : align == ALIGN_CENTER ? x - width / 2 : x - width, y);
		ink(c, color, 1);
		cairo_show_text(c->cr, plain.at);
	}
	buffer_release(&plain);
}
