/* report_page.h - the web page of a report, as it was bundled when this was built. */
#ifndef RT_REPORT_PAGE_H
#define RT_REPORT_PAGE_H

#include "../core/scan.h"

/* What stands before the place for the data and what stands after it.  false: this build has no page. */
bool report_page(struct word *before, struct word *after);

#endif
