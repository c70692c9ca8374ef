/* ranks_page.h - a job over all its ranks as data of the page of a report. */
#ifndef RT_RANKS_PAGE_H
#define RT_RANKS_PAGE_H

#include "ranks_view.h"

/* Writes one object (docs/reference/report-data.md, "job"), of about so many bytes at most. */
void ranks_page_json(struct json *j, const struct ranks_view *v, size_t bytes);

#endif
