/* notices.c - notices for the user about missing measurements, each once. */
#include "notices.h"

#include <stdarg.h>
#include <stdio.h>

void notices_add(struct notices *n, bool *added, const char *format, ...)
{
	if (*added || n->n == NOTICES_KEPT)
		return;

	va_list arguments;

	va_start(arguments, format);
	(void)vsnprintf(n->sentence[n->n++].text, sizeof n->sentence[0].text, format, arguments);
	va_end(arguments);
	*added = true;
}

void notices_add_denied(struct notices *n, bool *added, const char *what, pid_t pid, const char *name)
{
	notices_add(n, added, "not allowed to read the %s of another user's processes (pid %d, %s): their share is missing", what,
		    (int)pid, name);
}

const char *notices_next(struct notices *n)
{
	return n->passed < n->n ? n->sentence[n->passed++].text : NULL;
}
