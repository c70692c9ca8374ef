/* compare_command.c - `resource-tracker compare`: what changed between runs, and whether that is too much. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "comparison.h"
#include "digest.h"
#include "flags.h"
#include "history.h"
#include "past_run.h"

enum { REGRESSION = 1 };

static const char USAGE[] =
	"Usage: resource-tracker compare BASE NEW [--fail-on CONDITION]... [--json | --markdown]\n"
	"       resource-tracker compare BASE... vs NEW... [--fail-on CONDITION]... [--json | --markdown]\n"
	"\n"
	"Leaves with 0, with 1 if a condition is met, with 125 if it cannot tell. Several runs on a side are samples: their\n"
	"medians are compared, and a change counts that stands out of their noise. Best are five or more on each side.\n"
	"\n"
	"CONDITION is a quantity and a change, such as 'peak_memory>+5%', 'duration>+10s', 'mean_cpu<-10%', or a bound:\n"
	"'peak_memory>2GiB'. RUN is the beginning of an id, last, last~2, or the path of any recording.\n"
	"The quantities are:\n";

static void usage(struct buffer *out)
{
	buffer_text(out, USAGE);
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		buffer_format(out, "  %-16s %s\n", quantities[q].name, quantities[q].help);
}

static int add_run(struct side *to, const char *name, const char *place, struct why *why)
{
	struct digest d;
	int r;

	if (to->n == RUNS_MOST)
		return why_set(why, -E2BIG, "compare: at most %d runs on a side", RUNS_MOST);
	r = digest_named(&d, name, place, why);
	if (r == 0) {
		enum run_state state = state_of_status(&d.facts->status);

		to->runs[to->n++] = d.values;
		to->failed += d.facts->tells_end && state != STATE_OK && state != STATE_ENDED && state != STATE_STOPPED;
		digest_release(&d);
	}
	return r;
}

/* BASE NEW, or BASE... vs NEW... */
static int read_sides(struct side *base, struct side *new, int argc, char **argv, const char *place, struct why *why)
{
	int middle = 1, r = 0;

	while (middle < argc && strcmp(argv[middle], "vs") != 0)
		middle++;
	if (middle == argc && argc != 3)
		return why_set(why, -EINVAL, "compare: which runs? Give BASE NEW, or BASE... vs NEW...");
	if (middle < argc && (middle == 1 || middle == argc - 1))
		return why_set(why, -EINVAL, "compare: there is no run %s vs", middle == 1 ? "before" : "behind");

	bool two = middle == argc;

	for (int i = 1; r == 0 && i < (two ? 2 : middle); i++)
		r = add_run(base, argv[i], place, why);
	for (int i = two ? 2 : middle + 1; r == 0 && i < argc; i++)
		r = add_run(new, argv[i], place, why);
	return r;
}

static int compare_runs(int argc, char **argv, const struct condition *conditions, size_t n, const char *place,
			void (*write)(struct buffer *, const struct comparison *))
{
	struct side *sides = calloc(2, sizeof *sides);
	struct comparison *c = calloc(1, sizeof *c);
	struct buffer text = { 0 };
	struct why why = { "" };
	int result = OWN_FAILURE;

	if (!sides || !c)
		(void)complain("out of memory");
	else if (read_sides(&sides[0], &sides[1], argc, argv, place, &why) < 0 ||
		 compare(c, &sides[0], &sides[1], conditions, n, &why) < 0)
		(void)complain(why.text);
	else {
		write(&text, c);
		result = print(&text);
		if (result == 0 && c->failed)
			result = REGRESSION;
	}
	free(sides);
	free(c);
	return result;
}

int compare_main(int argc, char **argv)
{
	bool json = false, markdown = false, help = false;
	const char *directory = NULL;
	struct flag_texts texts = { .n = 0 };
	const struct flag flags[] = {
		{ "fail-on", FLAG_TEXTS, &texts }, { "json", FLAG_SWITCH, &json }, { "markdown", FLAG_SWITCH, &markdown },
		{ "directory", FLAG_TEXT, &directory }, { "help", FLAG_SWITCH, &help },
	};
	struct condition conditions[countof(texts.at)];
	char place[PATH_MAX];
	struct buffer text = { 0 };
	struct why why = { "" };

	if (flags_read(flags, countof(flags), &argc, argv, &why) < 0)
		return complain(why.text);
	if (help) {
		usage(&text);
		return print(&text);
	}
	if (json && markdown)
		return complain("compare: --json or --markdown, not both");
	for (size_t i = 0; i < texts.n; i++)
		if (condition_read(&conditions[i], texts.at[i], &why) < 0)
			return complain(why.text);
	if (history_place(place, directory, argv[0], argv + 1, (size_t)argc - 1, &why) < 0)
		return complain(why.text);
	return compare_runs(argc, argv, conditions, texts.n, place,
			    json ? comparison_json : markdown ? comparison_markdown : comparison_text);
}
