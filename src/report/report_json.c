/* report_json.c - a run as data of the report's page: docs/reference/report-data.md. */
#include "../history/run_json.h"
#include "../history/run_words.h"
#include "report_run.h"

#include <string.h>

#include "../advice/adviser.h"
#include "../record/record_lines.h"
#include "report_lines.h"

/* Times before 1973 have another origin than 1970. */
static const int64_t FIRST_DATE_NS = 100000000 * NS_PER_SECOND;

void report_run_name(struct buffer *out, const struct report_run *r)
{
	buffer_text(out, run_id_words(&r->digest));
}

static void head(struct json *j, const struct digest *d)
{
	const struct recording_facts *f = d->facts;
	struct buffer text = { 0 };

	json_member_text(j, "id", run_id_words(d));
	run_name_words(&text, d);
	report_text(j, "name", &text);
	if (f->run.command) {
		run_command_words(&text, &f->run);
		report_text(j, "command", &text);
	}
	json_member_text(j, "source", f->format);
	json_member_number(j, "started_at",
			   f->run.start_wall_ns >= FIRST_DATE_NS ? (double)f->run.start_wall_ns / 1e9 : NONE, 3);
	json_member_number(j, "duration_seconds", d->seconds, 4);
	json_member_text(j, "outcome", run_outcome_word(d));
	run_ending_words(&text, d);
	report_text(j, "ending", &text);
	json_quantities_by_basis(j, &d->values);
	buffer_release(&text);
}

/* ---- advice -------------------------------------------------------------------------------------- */

static void advice_item(struct json *j, const char *what, const char *value, const char *why)
{
	json_open(j, '{');
	json_member_text(j, "what", what);
	json_member_text(j, "value", value);
	json_member_text(j, "why", why);
	json_close(j, '}');
}

/* As `recommend` prints it for this run alone. */
static void advice(struct json *j, const struct report_run *r)
{
	struct run_use use;
	struct advice a;

	if (!r->digest.facts->tracked || aggregate_samples(r->digest.whole) == 0)
		return;
	run_use_read(&use, &r->digest);
	advise(&a, &use, 1);
	json_member_open(j, "advice", '[');
	for (enum advised i = 0; i < ADVISED_COUNT; i++)
		if (a.of[i].why[0])
			advice_item(j, advised[i].name, a.of[i].value, a.of[i].why);
	for (enum finding i = 0; i < FINDING_COUNT; i++)
		if (a.findings[i][0])
			advice_item(j, findings[i].label, "", a.findings[i]);
	json_close(j, ']');
}

void report_run_json(struct json *j, const struct report_run *r, size_t bytes)
{
	size_t begin = j->out->len;

	json_open(j, '{');
	head(j, &r->digest);
	report_facts(j, r);
	advice(j, r);
	report_methods(j, r);
	report_charts(j, r);
	report_events(j, r);
	if (r->digest.facts->programs)
		record_program_tree(j, r->digest.facts->programs);
	report_detail(j, r, bytes - size_min(bytes, j->out->len - begin));
	json_close(j, '}');
}
