/* fleet_report.h - `fleet report`: all questions at once, for people, for programs and as a page. */
#ifndef RT_FLEET_REPORT_H
#define RT_FLEET_REPORT_H

#include "fleet_query.h"
#include "fleet_questions.h"

struct fleet_report {
	char period[200];                       /* of the runs, in words */
	double since, until;                    /* seconds since 1970; NONE: no bound */
	struct fleet_result answers[FLEET_QUESTIONS];
};

/*
 * Asks the store all questions; without a `since` those of the last 30 days.  To be released by fleet_report_release,
 * after an error too.
 */
int  fleet_report_ask(struct fleet_report *ret, const struct store_kind *kind, struct fleet_store *store,
		      const struct fleet_query *q, struct why *why) must_use;
void fleet_report_release(struct fleet_report *r);

void fleet_report_text(struct buffer *out, const struct fleet_report *r);
void fleet_report_json(struct buffer *out, const struct fleet_report *r);
/* One HTML file without scripts, which loads nothing. */
void fleet_report_page(struct buffer *out, const struct fleet_report *r);

#endif
