/* report_live.h - `report --live`: the page of a run that goes on, which grows in the browser. */
#ifndef RT_REPORT_LIVE_H
#define RT_REPORT_LIVE_H

#include "../core/why.h"
#include "../live/page_server.h"

/* -EINVAL with a sentence if the run is over. */
int report_live_check(const char *path, struct why *why) must_use;

/*
 * Serves the page of the record at `path`, until the run is over and a browser has the last of it: 0.  -errno with a
 * sentence: the record cannot be read any more.
 */
int report_live(struct page_server *server, const char *path, struct why *why) must_use;

#endif
