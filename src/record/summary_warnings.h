/* summary_warnings.h - what in a run deserves that somebody acts on it, as lines of its summary. */
#ifndef RT_SUMMARY_WARNINGS_H
#define RT_SUMMARY_WARNINGS_H

#include "summary.h"

void summary_warnings(struct page *p, const struct summary *s);

/* A total by name; all NONE if there is none. */
struct statistic summary_total(const struct aggregate *whole, const char *group, const char *name);

#endif
