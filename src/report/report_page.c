/* report_page.c - the web page of a report, as bundled at build time. */
#include "report_page.h"

#include <string.h>

#ifdef RT_REPORT_PAGE

/* report_page_bytes.S */
extern const char report_page_begin[], report_page_end[];

bool report_page(struct word *before, struct word *after)
{
	static const char marker[] = "<!--REPORT-DATA-->";
	size_t n = (size_t)(report_page_end - report_page_begin);
	const char *at = memmem(report_page_begin, n, marker, sizeof marker - 1);

	if (!at)
		return false;
	*before = (struct word){ report_page_begin, (size_t)(at - report_page_begin) };
	*after = (struct word){ at + sizeof marker - 1, n - before->len - (sizeof marker - 1) };
	return true;
}

#else

bool report_page(struct word *before, struct word *after)
{
	(void)before;
	(void)after;
	return false;
}

#endif
