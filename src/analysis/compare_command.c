/* compare_command.c - `resource-tracker compare`: the changes between runs, and whether they meet a condition. */
#include <limits.h>
#include <string.h>

#include "../comparison/alignment.h"
#include "../history/history.h"
#include "../history/past_run.h"
#include "../text/shown.h"
#include "answer.h"
#include "chosen_runs.h"
#include "compared_sides.h"
#include "confinement.h"

enum { REGRESSION = 1 };

static const char USAGE[] =
	"Usage: resource-tracker compare BASE NEW [--by program|region|tree] [--fail-on CONDITION]... [--json | --markdown]\n"
	"       resource-tracker compare BASE... vs NEW... [--by program|region|tree] [--fail-on CONDITION]... [--json | --markdown]\n"
	"       resource-tracker compare --align A B [--json | --markdown]\n"
	"\n"
	"Exits with 0, with 1 if a condition is met, with 125 on an error. Several runs on a side are samples: their medians\n"
	"are compared, and a change counts if it exceeds their noise. Five or more runs on each side are best.\n"
	"\n"
	"--by shows what changed in each program, in each region of code, or in the tree of which program started which;\n"
	"a condition is then one of each of them.\n"
	"--align is for two recordings of the same time, by two trackers: shows their differences in the metrics of both.\n"
	"\n"
	"CONDITION is a quantity and a change, such as 'peak_memory>+5%', 'duration>+10s', 'mean_cpu<-10%', or a bound:\n"
	"'peak_memory>2GiB'. RUN is the beginning of an id, last, last~2, or the path of any recording.\n"
	"--job ID, --name NAME and --tag KEY=VALUE select runs of the history: those of a scheduler's job, with that name,\n"
	"with that tag. 'last' is then the last of these. Each can contain * and ?.\n"
	"The quantities are:\n";

static void usage(struct buffer *out)
{
	buffer_text(out, USAGE);
	for (enum quantity q = 0; q < QUANTITY_COUNT; q++)
		buffer_format(out, "  %-16s %s\n", quantities[q].name, quantities[q].help);
}

/* The options, and both sides. */
struct compare_options {
	const char *directory, *by_word;
	enum compared_by by;
	bool align, json, markdown, help;
	struct chosen_runs chosen;
	struct flag_texts texts;
	struct condition conditions[countof(((struct flag_texts *)0)->at)];
};

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

enum form { AS_TEXT, AS_MARKDOWN, AS_JSON, FORMS };

static enum form form_of(const struct compare_options *o)
{
	return o->json ? AS_JSON : o->markdown ? AS_MARKDOWN : AS_TEXT;
}

/* 1: a condition is met; -errno with a sentence. */
static int compare_all(struct buffer *out, const struct sides *s, const struct compare_options *o, struct why *why)
{
	static void (*const write[FORMS])(struct buffer *, const struct comparison *) = {
		[AS_TEXT] = comparison_text, [AS_MARKDOWN] = comparison_markdown, [AS_JSON] = comparison_json,
	};
	struct comparison c;
	int r = compare(&c, &s->side[0], &s->side[1], o->conditions, o->texts.n, why);

	if (r < 0)
		return r;
	write[form_of(o)](out, &c);
	return c.failed;
}

static int compare_by_parts(struct buffer *out, const struct sides *s, const struct compare_options *o, struct why *why)
{
	static void (*const write[FORMS])(struct buffer *, const struct part_comparison *) = {
		[AS_TEXT] = part_comparison_text, [AS_MARKDOWN] = part_comparison_markdown,
		[AS_JSON] = part_comparison_json,
	};
	struct part_comparison c;
	int r = compare_parts(&c, sides_parts(o->by), &s->parts[0], &s->parts[1], o->conditions, o->texts.n, why);

	if (r < 0)
		return r;
	write[form_of(o)](out, &c);
	r = c.failed;
	part_comparison_release(&c);
	return r;
}

static int compare_by_tree(struct buffer *out, const struct sides *s, const struct compare_options *o, struct why *why)
{
	static void (*const write[FORMS])(struct buffer *, const struct tree_comparison *) = {
		[AS_TEXT] = tree_comparison_text, [AS_MARKDOWN] = tree_comparison_markdown,
		[AS_JSON] = tree_comparison_json,
	};
	struct tree_comparison c;
	int r = compare_trees(&c, s->side, s->trees, o->conditions, o->texts.n, why);

	if (r < 0)
		return r;
	write[form_of(o)](out, &c);
	r = c.failed;
	tree_comparison_release(&c);
	return r;
}

static int compare_runs(int argc, char **argv, const struct compare_options *o)
{
	static int (*const compared[BY_COUNT])(struct buffer *, const struct sides *, const struct compare_options *,
					       struct why *) = {
		[BY_RUN] = compare_all, [BY_PROGRAM] = compare_by_parts, [BY_REGION] = compare_by_parts,
		[BY_TREE] = compare_by_tree,
	};
	struct sides *sides = calloc(1, sizeof *sides);
	struct buffer text = { 0 };
	struct why why = { "" };
	int r, result;

	if (!sides)
		return complain("out of memory");
	r = sides_read(sides, argc, argv, o->by, o->directory, &why);
	if (r == 0)
		r = compared[o->by](&text, sides, o, &why);
	sides_release(sides);
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
		{ "fail-on", FLAG_TEXTS, &o->texts }, { "by", FLAG_TEXT, &o->by_word }, { "align", FLAG_SWITCH, &o->align },
		{ "json", FLAG_SWITCH, &o->json },
		{ "markdown", FLAG_SWITCH, &o->markdown }, { "directory", FLAG_TEXT, &o->directory },
		{ "help", FLAG_SWITCH, &o->help }, CHOSEN_RUNS_FLAGS(&o->chosen),
	};
	int r = flags_read(flags, countof(flags), argc, argv, why);

	if (r < 0 || o->help)
		return r;
	if (o->json && o->markdown)
		return why_set(why, -EINVAL, "--json or --markdown, not both");
	if (o->align && (o->by_word || o->texts.n > 0))
		return why_set(why, -EINVAL, "--align takes neither --by nor --fail-on");
	for (enum compared_by by = BY_PROGRAM; o->by_word && by < BY_COUNT; by++)
		if (strcmp(o->by_word, compared_by_words[by]) == 0)
			o->by = by;
	if (o->by_word && o->by == BY_RUN)
		return why_set(why, -EINVAL, "--by: '%s' is not program, region or tree", show(o->by_word).text);
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
	struct compare_options o = { .by = BY_RUN };
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
