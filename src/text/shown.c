/* shown.c - makes external text printable; joins lists. */
#include "shown.h"

#include <stdio.h>
#include <string.h>

#include "../core/json_write.h"

enum { TEXT_LONGEST = 60, PATH_LONGEST = 120 };

static bool inside_sequence(char c)             /* of UTF-8: not the first byte of a character */
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

size_t sign_length(const char *text, size_t n, bool *ret_fit)
{
	static const struct { uint32_t first, last; } unfit[] = {
		{ 0x00, 0x1f }, { 0x7f, 0x9f }, { 0x61c, 0x61c },
		{ 0x200e, 0x200f }, { 0x2028, 0x202e }, { 0x2066, 0x2069 },
	};
	size_t length = utf8_length(text, n);
	uint32_t code = length > 1 ? (unsigned char)text[0] & (0xffU >> (length + 1)) : (unsigned char)text[0];

	for (size_t i = 1; i < length; i++)
		code = code << 6 | ((unsigned char)text[i] & 0x3f);
	*ret_fit = length > 0;
	for (size_t i = 0; i < countof(unfit); i++)
		*ret_fit = *ret_fit && (code < unfit[i].first || code > unfit[i].last);
	return size_max(length, 1);
}

void show_text(struct buffer *out, const char *text, size_t n, char instead)
{
	bool fit;

	for (size_t i = 0, length; i < n; i += length) {
		length = sign_length(text + i, n - i, &fit);
		if (fit)
			buffer_bytes(out, text + i, length);
		else
			buffer_char(out, instead);
	}
}

/* `to` has room for n + 1. */
static void copy_plain(char *to, const char *from, size_t n)
{
	bool fit;

	for (size_t i = 0, length; i < n; i += length) {
		length = sign_length(from + i, n - i, &fit);
		memcpy(to, fit ? from + i : "?", fit ? length : 1);
		to += fit ? length : 1;
	}
	*to = '\0';
}

struct shown show(const char *text)
{
	struct shown shown = { "" };
	size_t n = strnlen(text, TEXT_LONGEST + 1);

	if (n <= TEXT_LONGEST) {
		copy_plain(shown.text, text, n);
		return shown;
	}
	for (n = TEXT_LONGEST; n > 0 && inside_sequence(text[n]); n--)
		;
	copy_plain(shown.text, text, n);
	memcpy(shown.text + n, "...", sizeof "...");
	return shown;
}

struct shown_path show_path(const char *path)
{
	struct shown_path shown = { "" };
	size_t n = strlen(path);

	if (n > PATH_LONGEST) {
		path += n - PATH_LONGEST;
		while (inside_sequence(*path))
			path++;
		memcpy(shown.text, "...", sizeof "...");
	}
	copy_plain(shown.text + strlen(shown.text), path, strlen(path));
	return shown;
}

void alternatives_add(char *list, size_t size, const char *item, bool last)
{
	size_t n = strlen(list);

	(void)snprintf(list + n, size - n, "%s%s", n == 0 ? "" : last ? " or " : ", ", item);
}
