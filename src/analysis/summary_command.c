/* summary_command.c - `resource-tracker summary`: prints the end summary of any recording again, in several forms. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../advice/adviser.h"
#include "../advice/advice_words.h"
#include "../history/digest.h"
#include "../history/history.h"
#include "../text/template.h"
#include "answer.h"
#include "chosen_runs.h"
#include "confinement.h"
#include "ranks_command.h"
#include "run_prices.h"

static const char USAGE[] =
	"Usage: resource-tracker summary RUN... [--form FORM | --json | --markdown | --template TEXT] [--job ID] [--name NAME]\n"
	"                                [--tag TAG]... [--directory DIR] [--servers FILE]\n"
	"       resource-tracker summary DIR|--ranks [--json] [--job ID] [--name NAME] [--tag TAG]...\n"
	"\n"
	"A RUN is the beginning of its id, last, last~2 (the third last), or the path of a recording: a run record, JSON Lines\n"
	"or CSV of resource-tracker, of the Rust or the Python tracker, or a log of py-resource-monitor; - is stdin.\n"
	CHOSEN_RUNS_USAGE
	"\n"
	"With a folder DIR in place of the runs, or --ranks, one summary is over all ranks of a job, from their records in the\n"
	"folder: totals, each node's use, how the ranks differ, which held the others up and why, and which have no record. It is\n"
	"text or JSON; --job chooses one of several jobs.\n"
	"\n"
	"--servers FILE: what the run cost, by the price in this CSV file of the machine that it was on; the record must have the\n"
	"cloud (--discover). 'resource-tracker discover --prices' fetches such a file.\n"
	"\n"
	"FORM is text, json (one object a line for each RUN), markdown, programs (which program started which), or template:TEXT.\n"
	"--json, --markdown and --template TEXT are short for these. The recorder takes the same forms: resource-tracker --summary\n"
	"FORM COMMAND.\n"
	"\n"
	"A template is a line of text with names in braces: --template '{status} after {duration}, {peak_memory}'. {NAME} has\n"
	"its unit, {NAME:number} is the number alone in base units; \\n and \\t are newline and tab, {{ and }} braces. Names:\n";

struct summary_options {
	const char *form, *template, *directory, *servers;
	bool json, markdown, ranks, help;
	struct chosen_runs chosen;
	struct run_prices prices;
	enum summary_form as;
	const char *line;                       /* the template */
};

static int print_usage(void)
{
	struct buffer text = { 0 };

	buffer_text(&text, USAGE);
	for (const struct template_name *n = template_names; n->name; n++) {
		buffer_format(&text, "  %-16s ", n->name);
		for (const char *c = n->help; *c; c++)
			if (*c != '`')
				buffer_char(&text, *c);
		buffer_char(&text, '\n');
	}
	return print(&text);
}

static int read_options(struct summary_options *o, int *argc, char **argv, struct why *why)
{
	const struct flag flags[] = {
		{ "form", FLAG_TEXT, &o->form }, { "template", FLAG_TEXT, &o->template },
		{ "json", FLAG_SWITCH, &o->json }, { "markdown", FLAG_SWITCH, &o->markdown },
		{ "directory", FLAG_TEXT, &o->directory }, { "ranks", FLAG_SWITCH, &o->ranks },
		{ "servers", FLAG_TEXT, &o->servers }, { "help", FLAG_SWITCH, &o->help },
		CHOSEN_RUNS_FLAGS(&o->chosen),
	};
	int r = flags_read(flags, countof(flags), argc, argv, why);

	if (r < 0 || o->help)
		return r;
	if (*argc < 2 && !chosen_any(&o->chosen))
		return why_set(why, -EINVAL, "which run? Give the beginning of its id, last, a file, or - for stdin");
	if (o->json + o->markdown + (o->form != NULL) + (o->template != NULL) > 1)
		return why_set(why, -EINVAL, "one of --form, --json, --markdown and --template, not both");
	if (o->form)
		return summary_form_read(o->form, "--form", &o->as, &o->line, why);
	o->line = o->template;
	o->as = o->json ? SUMMARY_JSON : o->markdown ? SUMMARY_MARKDOWN : o->template ? SUMMARY_TEMPLATE : SUMMARY_TEXT;
	return o->template ? template_check(o->template, "--template", why) : 0;
}

static void write_text(struct buffer *out, const struct digest *d)
{
	struct summary_style style = summary_style(STDOUT_FILENO);

	digest_text(out, d, &style);
}

/* A report of a step ends with what to do about it. */
static void write_markdown(struct buffer *out, const struct digest *d)
{
	struct run_use use;
	struct advice advice;

	digest_markdown(out, d);
	run_use_read(&use, d);
	advise(&advice, &use, 1);
	advice_markdown(out, &advice);
}

static int summarize(struct buffer *out, const char *name, const char *place, struct summary_options *o,
		     struct why *why)
{
	struct digest d;
	int r = digest_named(&d, name, place, why);

	if (r < 0)
		return r;
	run_prices_apply(&o->prices, &d);
	switch (o->as) {
	case SUMMARY_JSON:
		digest_json(out, &d);
		break;
	case SUMMARY_MARKDOWN:
		write_markdown(out, &d);
		break;
	case SUMMARY_PROGRAMS:
		digest_programs(out, &d);
		break;
	case SUMMARY_TEMPLATE:
		digest_template(out, &d, o->line);
		break;
	case SUMMARY_TEXT:
	case SUMMARY_FORMS:
		write_text(out, &d);
		break;
	}
	digest_release(&d);
	return 0;
}

int summary_main(int argc, char **argv)
{
	struct summary_options o = { .as = SUMMARY_TEXT };
	char place[PATH_MAX];
	struct buffer text = { 0 };
	struct why why = { "" };

	if (read_options(&o, &argc, argv, &why) < 0)
		return complain(why.text);
	if (o.help)
		return print_usage();

	char **runs = argv + 1;
	size_t n = (size_t)argc - 1;

	if (o.servers && (o.ranks || means_ranks(runs, n)))
		return complain("--servers is for runs, not for ranks");
	if (o.ranks || means_ranks(runs, n))
		return ranks_summary(&(struct ranks_question){
			.chosen = &o.chosen, .directory = o.directory, .words = runs, .n_words = n, .form = o.as,
		});
	if (chosen_runs_place(place, &o.chosen, o.directory, runs, n, &why) < 0 ||
	    run_prices_read(&o.prices, o.servers, &why) < 0)
		return complain(why.text);
	(void)confine(&(struct confinement){ .inputs = runs, .n_inputs = n, .place = place });

	int r = chosen_runs_find(&o.chosen, place, &runs, &n, &why);

	for (size_t i = 0; r == 0 && i < n; i++)
		r = summarize(&text, runs[i], place, &o, &why);
	chosen_runs_release(&o.chosen);
	run_prices_release(&o.prices);

	int result = print(&text);

	return r < 0 ? complain(why.text) : result;
}
