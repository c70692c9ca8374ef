/* report_data.h - the data of a report's page (docs/reference/report-data.md), of one or several runs. */
#ifndef RT_REPORT_DATA_H
#define RT_REPORT_DATA_H

#include "../core/json_write.h"
#include "../core/why.h"
#include "run_prices.h"

/* Begins the object of all, and the list of runs in it.  live: the page asks for what comes later. */
void report_data_head(struct json *j, bool live);
/*
 * Writes one run of n, with its cost if the prices have it (NULL: there are none).  name: NULL, or the run's name
 * is appended to it.  -errno with a sentence: it cannot be read, and nothing was written.
 */
int  report_data_run(struct json *j, struct buffer *name, const char *path, size_t n,
		     struct run_prices *prices, struct why *why) must_use;

/* Writes a run that may go on, in the points that all charts have at first. */
int  report_data_live(struct json *j, bool *ret_running, const char *path, struct why *why) must_use;

/* Appends the element of the page that contains the data; characters with which a name could end it are escaped. */
void report_data_element(struct buffer *out, const struct buffer *json);

#endif
