/* summary_command.c - `resource-tracker summary`: the end summary again, of any recording. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../history/digest.h"
#include "../history/history.h"
#include "commands.h"
#include "confinement.h"
#include "flags.h"

static const char USAGE[] =
	"Usage: resource-tracker summary RUN... [--json | --markdown] [--directory DIR]\n"
	"\n"
	"A RUN is the beginning of its id, last, last~2 (the third last), or the path of a recording: a run record, JSON Lines\n"
	"or CSV of resource-tracker, of the Rust or the Python tracker, or a log of py-resource-monitor; - is stdin.\n"
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
	const struct flag flags[] = {
		{ "json", FLAG_SWITCH, &json }, { "markdown", FLAG_SWITCH, &markdown },
		{ "directory", FLAG_TEXT, &directory }, { "help", FLAG_SWITCH, &help },
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
	if (argc < 2)
		return complain("which run? Give the beginning of its id, last, a file, or - for stdin");
	if (json && markdown)
		return complain("--json or --markdown, not both");
	if (history_place(place, directory, argv + 1, (size_t)argc - 1, &why) < 0)
		return complain(why.text);
	(void)confine(&(struct confinement){
		.inputs = argv + 1, .n_inputs = (size_t)argc - 1, .place = place,
	});

	summary_writer *write = json ? digest_json : markdown ? digest_markdown : write_text;

	for (int i = 1; i < argc; i++)
		if (summarize(&text, argv[i], place, write, &why) < 0) {
			(void)print(&text);
			return complain(why.text);
		}
	return print(&text);
}
