/* fleet_query.c - `fleet query`: asks a store one of the named questions. */
#include "fleet_query.h"

#include <string.h>

#include "../text/did_you_mean.h"
#include "../text/moment.h"
#include "../text/shown.h"
#include "../text/values.h"
#include "fleet_questions.h"

void fleet_question_list(struct buffer *out)
{
	for (enum fleet_question q = 0; q < FLEET_QUESTIONS; q++)
		buffer_format(out, "  %-12s %s\n", fleet_question_names[q], fleet_question_help[q]);
}

/* The question of that name, as enum fleet_question; -errno with a sentence. */
static int find(const char *name, struct why *why)
{
	struct guess guess = { .word = name };

	for (enum fleet_question q = 0; q < FLEET_QUESTIONS; q++) {
		guess_consider(&guess, fleet_question_names[q]);
		if (strcmp(fleet_question_names[q], name) == 0)
			return (int)q;
	}
	return why_set(why, -EINVAL, "there is no question '%s'%s%s%s", show(name).text, guess.best ? ": did you mean " : "",
		       guess.best ? guess.best : "", guess.best ? "?" : ": 'resource-tracker fleet query' lists them");
}

/* A time as microseconds since 1970. */
static int instant(double *ret, const char *flag, const char *text, double otherwise, struct why *why)
{
	int64_t ns;

	*ret = otherwise;
	if (!text)
		return 0;
	if (!moment_read(text, &ns))
		return why_set(why, -EINVAL, "--%s: '%s' is no time: 2026-11-21, 2026-11-21T17:30, or 7d", flag, show(text).text);
	*ret = (double)(ns / 1000);
	return 0;
}

static int number(double *ret, const char *flag, const char *text, double otherwise, struct why *why)
{
	*ret = otherwise;
	if (text && !value_decimal(text, ret))
		return why_set(why, -EINVAL, "--%s: '%s' is no number", flag, show(text).text);
	return 0;
}

int fleet_parameters_read(struct parameter ret[FLEET_PARAMETERS], const struct fleet_query *q, double limit,
			  struct why *why)
{
	struct parameter parameters[FLEET_PARAMETERS] = {
		[PARAMETER_SINCE] = { .name = "since" }, [PARAMETER_UNTIL] = { .name = "until" },
		[PARAMETER_SHARE] = { .name = "share" }, [PARAMETER_CHANGE] = { .name = "change" },
		[PARAMETER_NAME] = { .name = "name", .text = q->name ? q->name : "" },
		[PARAMETER_LIMIT] = { .name = "limit" },
	};
	int r = instant(&parameters[PARAMETER_SINCE].number, "since", q->since, 0, why);

	if (r == 0)
		r = instant(&parameters[PARAMETER_UNTIL].number, "until", q->until, 1e18, why);
	if (r == 0)
		r = number(&parameters[PARAMETER_SHARE].number, "share", q->share, 20, why);
	if (r == 0)
		r = number(&parameters[PARAMETER_CHANGE].number, "change", q->change, 20, why);
	if (r == 0)
		r = number(&parameters[PARAMETER_LIMIT].number, "limit", q->limit, limit, why);
	if (r < 0)
		return r;
	parameters[PARAMETER_SHARE].number /= 100;
	parameters[PARAMETER_CHANGE].number = 1 + parameters[PARAMETER_CHANGE].number / 100;
	memcpy(ret, parameters, sizeof parameters);
	return 0;
}

int fleet_query(struct buffer *out, const struct store_kind *kind, struct fleet_store *store, const char *question,
		const struct fleet_query *q, struct why *why)
{
	struct parameter parameters[FLEET_PARAMETERS];
	struct fleet_result result = { .n_rows = 0 };
	int which = find(question, why);

	if (which < 0)
		return which;
	if (which == FLEET_QUESTION_regressions && !q->since)
		return why_set(why, -EINVAL, "regressions since when? Give --since TIME");

	int r = fleet_parameters_read(parameters, q, FLEET_ROWS, why);

	if (r < 0)
		return r;
	r = kind->ask(store, fleet_question_sql[kind->dialect][which], parameters, countof(parameters), &result, why);
	if (r == 0 && q->json)
		fleet_result_json(out, &result);
	else if (r == 0 && result.n_rows > 0)
		fleet_result_text(out, &result);
	fleet_result_release(&result);
	return r;
}
