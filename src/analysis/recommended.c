/* recommended.c - what `recommend` prints of runs, wherever they were read. */
#include "recommended.h"

#include <stdio.h>
#include <string.h>

#include "../advice/adviser.h"
#include "../summary/summary.h"
#include "../text/shown.h"
#include "answer.h"

int recommended_options_check(struct recommended_options *o, struct why *why)
{
	for (size_t i = 0; o->form && i < ADVICE_FORMS; i++)
		if (strcmp(advice_forms[i].name, o->form) == 0)
			o->write = advice_forms[i].write;
	if (o->form && !o->write)
		return why_set(why, -EINVAL, "--for: there is no '%s': slurm, kubernetes, docker or metaflow",
			       show(o->form).text);
	if (o->json && o->write)
		return why_set(why, -EINVAL, "--json or --for, not both");
	if (o->servers && o->write)
		return why_set(why, -EINVAL, "--servers or --for, not both");
	if (!o->servers && (o->vendor || o->region))
		return why_set(why, -EINVAL, "--%s chooses among --servers FILE", o->vendor ? "vendor" : "region");
	return 0;
}

struct advised_run *recommended_run(struct recommended *to)
{
	struct advised_run *runs = reallocarray(to->runs, to->n + 1, sizeof *runs);

	if (!runs)
		return NULL;
	to->runs = runs;
	runs[to->n] = (struct advised_run){ .start_wall_ns = 0 };
	return &runs[to->n++];
}

int recommended_servers_read(struct recommended *to, const struct recommended_options *o, struct why *why)
{
	return o->servers ? server_table_read(&to->servers, o->servers, why) : 0;
}

void recommended_release(struct recommended *r)
{
	free(r->runs);
	server_table_release(&r->servers);
	buffer_release(&r->title);
}

static int newest_first(const void *a, const void *b)
{
	const struct advised_run *x = a, *y = b;

	return (x->start_wall_ns < y->start_wall_ns) - (x->start_wall_ns > y->start_wall_ns);
}

static double mean_seconds(const struct recommended *runs)
{
	double sum = 0, known = 0;

	for (size_t i = 0; i < runs->n; i++)
		if (!is_none(runs->runs[i].use.seconds)) {
			sum += runs->runs[i].use.seconds;
			known++;
		}
	return known > 0 ? sum / known : NONE;
}

static int choose_servers(struct server_choice *ret, const struct recommended_options *o,
			  const struct recommended *runs, const struct advice *advice, struct why *why)
{
	struct server_question question = { .table = &runs->servers, .vendor = o->vendor, .region = o->region,
					    .advice = advice, .seconds = mean_seconds(runs), .cloud = &runs->cloud };

	return servers_choose(ret, &question, why);
}

int recommended_print(struct recommended *runs, const struct recommended_options *o)
{
	struct summary_style style = summary_style(STDOUT_FILENO);
	struct buffer text = { 0 }, notes = { 0 };
	struct advice advice;
	struct server_choice servers;
	struct why why = { "" };
	struct run_use *uses = calloc(runs->n + 1, sizeof *uses);
	struct advice_of of = { .title = runs->title.failed ? "" : runs->title.at, .runs = runs->runs, .n = runs->n,
				.advice = &advice, .ranks = runs->ranks.size > 1 ? &runs->ranks : NULL };

	if (!uses)
		return complain("out of memory");
	if (runs->n > 1)
		qsort(runs->runs, runs->n, sizeof *runs->runs, newest_first);
	for (size_t i = 0; i < runs->n; i++)
		uses[i] = runs->runs[i].use;
	run_uses_align(uses, runs->n);
	advise(&advice, uses, runs->n);
	free(uses);
	if (o->servers) {
		if (choose_servers(&servers, o, runs, &advice, &why) < 0)
			return complain(why.text);
		of.servers = &servers;
	}
	if (o->write)
		o->write(&text, &notes, &of);
	else if (o->json)
		advice_json(&text, &of);
	else
		advice_text(&text, &of, &style);
	if (!notes.failed && notes.len > 0)
		(void)fwrite(notes.at, 1, notes.len, stderr);
	buffer_release(&notes);
	return print(&text);
}
