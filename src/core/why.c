/* why.c - a sentence for the user beside an error number. */
#include "why.h"

#include <stdarg.h>
#include <stdio.h>

int why_set(struct why *why, int error, const char *format, ...)
{
	if (why) {
		va_list arguments;

		va_start(arguments, format);
		(void)vsnprintf(why->text, sizeof why->text, format, arguments);
		va_end(arguments);
	}
	return error;
}
