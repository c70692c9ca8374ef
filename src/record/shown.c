/* shown.c - a text from outside, made fit for a sentence. */
#include "shown.h"

#include <string.h>

struct shown show(const char *text)
{
	enum { LONGEST = 60 };
	struct shown shown;
	size_t n = 0;

	for (; text[n] && n < LONGEST; n++)
		shown.text[n] = text[n];
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			shown.text[i] = '?';
	if (text[n]) {
		while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
			n--;                            /* not in the middle of a UTF-8 sequence */
		memcpy(shown.text + n, "...", 3);
		n += 3;
	}
	shown.text[n] = '\0';
	return shown;
}
