/* summary_command.c - `resource-tracker summary`: prints the end summary of any recording again. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../history/digest.h"
#include "../history/history.h"
#include "answer.h"
#include "chosen_runs.h"
#include "confinement.h"

static const char USAGE[] =
	"Usage: resource-tracker summary RUN... [--job ID] [--name NAME] [--tag TAG]... [--json | --markdown] [--directory DIR]\n"
	"\n"
	"A RUN is the beginning of its id, last, last~2 (the third last), or the path of a recording: a run record, JSON Lines\n"
	"or CSV of resource-tracker, of the Rust or the Python tracker, or a log of py-resource-monitor; - is stdin.\n"
	CHOSEN_RUNS_USAGE
	"--json writes one object a line for each RUN.\n";

typedef void summary_writer(struct buffer *out, const struct digest *d);

static void write_text(struct buffer *out, const struct digest *d)
{
	struct summary_style style = summary_style(STDOUT_FILENO);

	digest_text(out, d, &style);
}

static int summarize(struct buffer *out, const char *name, const char *place, summary_writer *write, struct why *why)
{
	struct digest d;
	int r = digest_named(&d, name, place, why);

	if (r == 0) {
		write(out, &d);
		digest_release(&d);
	}
	return r;
}

int summary_main(int argc, char **argv)
{
	bool json = false, markdown = false, help = false;
	const char *directory = NULL;
	struct chosen_runs chosen = { .job = NULL };
	const struct flag flags[] = {
		{ "json", FLAG_SWITCH, &json }, { "markdown", FLAG_SWITCH, &markdown },
		{ "directory", FLAG_TEXT, &directory }, { "help", FLAG_SWITCH, &help }, CHOSEN_RUNS_FLAGS(&chosen),
	};
	char place[PATH_MAX];
	struct buffer text = { 0 };
	struct why why = { "" };

	if (flags_read(flags, countof(flags), &argc, argv, &why) < 0)
		return complain(why.text);
	if (help) {
		buffer_text(&text, USAGE);
		return print(&text);
	}
	if (argc < 2 && !chosen_any(&chosen))
		return complain("which run? Give the beginning of its id, last, a file, or - for stdin");
	if (json && markdown)
		return complain("--json or --markdown, not both");

	char **runs = argv + 1;
	size_t n = (size_t)argc - 1;

	if (chosen_runs_place(place, &chosen, directory, runs, n, &why) < 0)
		return complain(why.text);
	(void)confine(&(struct confinement){ .inputs = runs, .n_inputs = n, .place = place });

	summary_writer *write = json ? digest_json : markdown ? digest_markdown : write_text;

	int r = chosen_runs_find(&chosen, place, &runs, &n, &why);

	for (size_t i = 0; r == 0 && i < n; i++)
		r = summarize(&text, runs[i], place, write, &why);
	chosen_runs_release(&chosen);

	int result = print(&text);

	return r < 0 ? complain(why.text) : result;
}
