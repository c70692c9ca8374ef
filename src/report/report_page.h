/* report_page.h - the web page of a report, as bundled at build time. */
#ifndef RT_REPORT_PAGE_H
#define RT_REPORT_PAGE_H

#include "../core/scan.h"

/* The parts of the page before and after the place for the data, static.  false: this build has no page. */
bool report_page(struct word *before, struct word *after);

#endif
