/* shown.c - made fit for a sentence: a text from outside; a list. */
#include "shown.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_LONGEST = 60, PATH_LONGEST = 120 };

static bool inside_sequence(char c)             /* of UTF-8: not its first byte */
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static void copy_plain(char *to, const char *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = (unsigned char)from[i] < ' ' || from[i] == 0x7f ? '?' : from[i];
	to[n] = '\0';
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
