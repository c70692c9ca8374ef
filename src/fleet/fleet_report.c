/* fleet_report.c - `fleet report`: all questions at once. */
#include "fleet_report.h"

#include <stdio.h>
#include <time.h>

#include "../core/json_write.h"
#include "../core/sample.h"

static const char USUAL_SINCE[] = "30d";
static const double US_PER_SECOND = 1e6;

/* "2026-11-21 17:30 UTC" */
static void instant_words(char *ret, size_t size, double seconds)
{
	time_t at = (time_t)seconds;
	struct tm t;

	if (!gmtime_r(&at, &t) || strftime(ret, size, "%F %H:%M UTC", &t) == 0)
		ret[0] = '\0';
}

static void period_words(struct fleet_report *r, const char *name)
{
	char since[40] = "", until[40] = "";

	if (!is_none(r->since))
		instant_words(since, sizeof since, r->since);
	if (!is_none(r->until))
		instant_words(until, sizeof until, r->until);
	(void)snprintf(r->period, sizeof r->period, "%s%.60s%sthat started since %s%s%s", name ? "Runs of " : "Runs ",
		       name ? name : "", name ? " " : "", since, until[0] ? " and before " : "", until);
}

int fleet_report_ask(struct fleet_report *ret, const struct store_kind *kind, struct fleet_store *store,
		     const struct fleet_query *q, struct why *why)
{
	struct fleet_query asked = *q;
	struct parameter parameters[FLEET_PARAMETERS];
	int r;

	*ret = (struct fleet_report){ .since = NONE, .until = NONE };
	if (!asked.since)
		asked.since = USUAL_SINCE;
	r = fleet_parameters_read(parameters, &asked, FLEET_ROWS, why);
	if (r < 0)
		return r;
	ret->since = parameters[PARAMETER_SINCE].number / US_PER_SECOND;
	if (asked.until)
		ret->until = parameters[PARAMETER_UNTIL].number / US_PER_SECOND;
	period_words(ret, asked.name);
	for (enum fleet_question i = 0; r == 0 && i < FLEET_QUESTIONS; i++)
		r = kind->ask(store, fleet_question_sql[kind->dialect][i], parameters, countof(parameters),
			      &ret->answers[i], why);
	return r;
}

void fleet_report_release(struct fleet_report *r)
{
	for (enum fleet_question i = 0; i < FLEET_QUESTIONS; i++)
		fleet_result_release(&r->answers[i]);
}

void fleet_report_text(struct buffer *out, const struct fleet_report *r)
{
	buffer_format(out, "%s\n", r->period);
	for (enum fleet_question i = 0; i < FLEET_QUESTIONS; i++) {
		buffer_format(out, "\n%s: %s\n", fleet_question_names[i], fleet_question_help[i]);
		if (r->answers[i].n_rows > 0)
			fleet_result_text(out, &r->answers[i]);
		else
			buffer_text(out, "none\n");
	}
}

void fleet_report_json(struct buffer *out, const struct fleet_report *r)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_number(&j, "since", r->since, 6);
	json_member_number(&j, "until", r->until, 6);
	for (enum fleet_question i = 0; i < FLEET_QUESTIONS; i++) {
		json_key(&j, fleet_question_names[i]);
		fleet_result_rows(&j, &r->answers[i]);
	}
	json_close(&j, '}');
	buffer_char(out, '\n');
}
