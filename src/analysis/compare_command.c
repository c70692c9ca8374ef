/* compare_command.c - `resource-tracker compare`: the changes between runs, and whether they meet a condition. */
#include <limits.h>
#include <string.h>

#include "../comparison/alignment.h"
#include "../comparison/part_comparison.h"
#include "../history/history.h"
#include "../history/past_run.h"
#include "../text/shown.h"
#include "answer.h"
#include "chosen_runs.h"
#include "confinement.h"

enum { REGRESSION = 1 };

static const char USAGE[] =
	"Usage: resource-tracker compare BASE NEW [--by program|region] [--fail-on CONDITION]... [--json | --markdown]\n"
	"       resource-tracker compare BASE... vs NEW... [--by program|region] [--fail-on CONDITION]... [--json | --markdown]\n"
	"       resource-tracker compare --align A B [--json | --markdown]\n"
	"\n"
	"Exits with 0, with 1 if a condition is met, with 125 on an error. Several runs on a side are samples: their medians\n"
	"are compared, and a change counts if it exceeds their noise. Five or more runs on each side are best.\n"
	"\n"
	"--by shows what changed in each program, or in each region of code; a condition is then one of each of them.\n"
	"--align is for two recordings of the same time, by two trackers: shows their differences in the metrics of both.\n"
	"\n"
	"CONDITION is a quantity and a change, such as 'peak_memory>+5%', 'duration>+10s', 'mean_cpu<-10%', or a bound:\n"
	"'peak_memory>2GiB'. RUN is the beginning of an id, last, last~2, or the path of any recording.\n"
	"--job ID, --name NAME and --tag KEY=VALUE restrict the history to the runs of a scheduler's job, with that name,\n"
	"with that tag: 'last' is then the last of these. Each can contain * and ?.\n"
	"The quantities are:\n";

static void usage(struct buffer *out)
{
	buffer_text(out, USAGE);
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		buffer_format(out, "  %-16s %s\n", quantities[q].name, quantities[q].help);
}

/* The options, and both sides. */
struct compare_options {
	const char *directory, *by;
	bool align, json, markdown, help;
	struct chosen_runs chosen;
	struct flag_texts texts;
	struct condition conditions[countof(((struct flag_texts *)0)->at)];
	enum parts_of parts;                    /* if `by` is given */
};

struct sides { struct side side[2]; struct parts_side parts[2]; };

/* Allows reading all paths of both sides before the first is read. */
static void confine_to(int argc, char **argv, const struct compare_options *o)
{
	char place[PATH_MAX];
	struct why why;

	if (history_place(place, o->directory, argv + 1, (size_t)argc - 1, &why) < 0)
		place[0] = '\0';
	(void)confine(&(struct confinement){
		.inputs = argv + 1, .n_inputs = (size_t)argc - 1, .place = place,
	});
}

static int add_run(struct sides *to, size_t which, const char *name, const char *place,
		   const struct compare_options *o, struct why *why)
{
	struct side *side = &to->side[which];
	struct digest d;
	int r;

	if (side->n == RUNS_MOST)
		return why_set(why, -E2BIG, "at most %d runs on a side", RUNS_MOST);
	r = digest_named(&d, name, place, why);
	if (r < 0)
		return r;

	enum run_state state = state_of_status(&d.facts->status);

	if (o->by)
		r = parts_read(&to->parts[which].runs[side->n], o->parts, &d);
	if (r == 0) {
		side->runs[side->n++] = d.values;
		side->failed += d.facts->tells_end && state != STATE_OK && state != STATE_ENDED &&
				state != STATE_STOPPED;
		to->parts[which].n = o->by ? side->n : 0;
	} else {
		(void)why_set(why, r, "out of memory");
	}
	digest_release(&d);
	return r;
}

/* BASE NEW, or BASE... vs NEW... */
static int read_sides(struct sides *ret, int argc, char **argv, const struct compare_options *o, struct why *why)
{
	int middle = 1, r = 0;

	while (middle < argc && strcmp(argv[middle], "vs") != 0)
		middle++;
	if (middle == argc && argc != 3)
		return why_set(why, -EINVAL, "which runs? Give BASE NEW, or BASE... vs NEW...");
	if (middle < argc && (middle == 1 || middle == argc - 1))
		return why_set(why, -EINVAL, "there is no run %s vs", middle == 1 ? "before" : "behind");

	bool two = middle == argc;
	const struct { int first, end; } words[] = { { 1, two ? 2 : middle }, { two ? 2 : middle + 1, argc } };

	for (size_t which = 0; which < countof(words); which++) {
		char place[PATH_MAX];

		r = history_place(place, o->directory, argv + words[which].first,
				  (size_t)(words[which].end - words[which].first), why);
		for (int i = words[which].first; r == 0 && i < words[which].end; i++)
			r = add_run(ret, which, argv[i], place, o, why);
		if (r < 0)
			return r;
	}
	return 0;
}

/* 1: a condition is met; -errno with a sentence. */
static int compare_all(struct buffer *out, const struct sides *s, const struct compare_options *o, struct why *why)
{
	struct comparison c;
	int r = compare(&c, &s->side[0], &s->side[1], o->conditions, o->texts.n, why);

	if (r < 0)
		return r;
	(o->json ? comparison_json : o->markdown ? comparison_markdown : comparison_text)(out, &c);
	return c.failed;
}

static int compare_by(struct buffer *out, const struct sides *s, const struct compare_options *o, struct why *why)
{
	struct part_comparison c;
	int r = compare_parts(&c, o->parts, &s->parts[0], &s->parts[1], o->conditions, o->texts.n, why);

	if (r < 0)
		return r;
	(o->json ? part_comparison_json : o->markdown ? part_comparison_markdown : part_comparison_text)(out, &c);
	r = c.failed;
	part_comparison_release(&c);
	return r;
}

static int compare_runs(int argc, char **argv, const struct compare_options *o)
{
	struct sides *sides = calloc(1, sizeof *sides);
	struct buffer text = { 0 };
	struct why why = { "" };
	int r, result;

	if (!sides)
		return complain("out of memory");
	r = read_sides(sides, argc, argv, o, &why);
	if (r == 0)
		r = (o->by ? compare_by : compare_all)(&text, sides, o, &why);
	for (size_t which = 0; which < countof(sides->parts); which++)
		for (size_t i = 0; i < sides->parts[which].n; i++)
			parts_release(&sides->parts[which].runs[i]);
	free(sides);
	if (r < 0)
		return complain(why.text);
	result = print(&text);
	return result == 0 && r > 0 ? REGRESSION : result;
}

/* Aligns A and B, two recordings of the same time. */
static int align(int argc, char **argv, const struct compare_options *o)
{
	char *paths[2] = { NULL, NULL }, place[PATH_MAX];
	struct buffer text = { 0 };
	struct why why = { "" };
	int r = 0;

	if (argc != 3)
		return complain("--align takes two recordings of the same time: A B");
	r = history_place(place, o->directory, argv + 1, 2, &why);
	for (size_t i = 0; r == 0 && i < countof(paths); i++) {
		paths[i] = run_path(argv[1 + i], place, &why);
		r = paths[i] ? 0 : -ENOENT;
	}
	if (r == 0)
		r = alignment_of_paths(&text, (const char *const[2]){ paths[0], paths[1] },
				       o->json ? alignment_json : o->markdown ? alignment_markdown : alignment_text,
				       &why);
	for (size_t i = 0; i < countof(paths); i++)
		free(paths[i]);
	return r < 0 ? complain(why.text) : print(&text);
}

static int read_options(struct compare_options *o, int *argc, char **argv, struct why *why)
{
	const struct flag flags[] = {
		{ "fail-on", FLAG_TEXTS, &o->texts }, { "by", FLAG_TEXT, &o->by }, { "align", FLAG_SWITCH, &o->align },
		{ "json", FLAG_SWITCH, &o->json },
		{ "markdown", FLAG_SWITCH, &o->markdown }, { "directory", FLAG_TEXT, &o->directory },
		{ "help", FLAG_SWITCH, &o->help }, CHOSEN_RUNS_FLAGS(&o->chosen),
	};
	int r = flags_read(flags, countof(flags), argc, argv, why);

	if (r < 0 || o->help)
		return r;
	if (o->json && o->markdown)
		return why_set(why, -EINVAL, "--json or --markdown, not both");
	if (o->align && (o->by || o->texts.n > 0))
		return why_set(why, -EINVAL, "--align takes neither --by nor --fail-on");
	o->parts = o->by && strcmp(o->by, "region") == 0 ? PARTS_REGIONS : PARTS_PROGRAMS;
	if (o->by && o->parts == PARTS_PROGRAMS && strcmp(o->by, "program") != 0)
		return why_set(why, -EINVAL, "--by: '%s' is neither program nor region", show(o->by).text);
	for (size_t i = 0; r == 0 && i < o->texts.n; i++)
		r = condition_read(&o->conditions[i], o->texts.at[i], why);
	return r;
}

/* Replaces the words with the paths of the chosen runs. */
static int choose(struct compare_options *o, int argc, char **argv, struct why *why)
{
	char place[PATH_MAX], **names = argv + 1;
	size_t n = (size_t)argc - 1;
	int r;

	if (n == 0)                             /* an error found without reading a record */
		return 0;
	r = chosen_runs_place(place, &o->chosen, o->directory, names, n, why);
	if (r == 0)
		r = chosen_runs_find(&o->chosen, place, &names, &n, why);
	for (size_t i = 0; r == 0 && i < n; i++)
		argv[1 + i] = names[i];
	return r;
}

int compare_main(int argc, char **argv)
{
	struct compare_options o = { .by = NULL };
	struct buffer text = { 0 };
	struct why why = { "" };

	if (read_options(&o, &argc, argv, &why) < 0)
		return complain(why.text);
	if (o.help) {
		usage(&text);
		return print(&text);
	}
	confine_to(argc, argv, &o);

	int result = choose(&o, argc, argv, &why) < 0 ? complain(why.text)
		   : o.align ? align(argc, argv, &o) : compare_runs(argc, argv, &o);

	chosen_runs_release(&o.chosen);
	return result;
}
