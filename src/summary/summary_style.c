/* summary_style.c - the capabilities of the terminal behind a descriptor. */
#include "summary.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>

#include "../core/scan.h"

enum { COLUMNS_USUAL = 80, COLUMNS_MOST = 1000 };

static const char *setting(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* The terminal's own width has precedence; COLUMNS is often left over from another terminal. */
static unsigned terminal_columns(int fd)
{
	struct winsize size;
	const char *text = setting("COLUMNS");
	uint64_t columns;

	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	if (text) {
		struct scan s = scan_of(text, strlen(text));

		if (scan_u64(&s, &columns) && columns > 0 && columns <= COLUMNS_MOST)
			return (unsigned)columns;
	}
	return COLUMNS_USUAL;
}

struct summary_style summary_style(int fd)
{
	const char *locale = setting("LC_ALL"), *terminal = setting("TERM");

	if (!locale)
		locale = setting("LC_CTYPE");
	if (!locale)
		locale = setting("LANG");
	return (struct summary_style){
		.columns = terminal_columns(fd),
		.color = isatty(fd) && !setting("NO_COLOR") && terminal && strcmp(terminal, "dumb") != 0,
		.utf8 = locale && (strcasestr(locale, "utf-8") || strcasestr(locale, "utf8")),
	};
}
