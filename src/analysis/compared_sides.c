/* compared_sides.c - both sides of a comparison: their runs, and of each what is compared. */
#include "compared_sides.h"

#include <limits.h>
#include <string.h>

#include "../history/history.h"
#include "../text/shown.h"

const char *const compared_by_words[BY_COUNT] = {
	[BY_RUN] = "", [BY_PROGRAM] = "program", [BY_REGION] = "region", [BY_TREE] = "tree",
};

enum parts_of sides_parts(enum compared_by by)
{
	return by == BY_REGION ? PARTS_REGIONS : PARTS_PROGRAMS;
}

static int copy_tree(struct program_tree **ret, const struct digest *d, struct why *why)
{
	const struct program_tree *tree = d->facts->programs;

	if (!tree || tree->n == 0)
		return why_set(why, -ENODATA, "%s does not contain which program started which", show_path(d->path).text);
	*ret = malloc(sizeof **ret);
	if (!*ret)
		return why_set(why, -ENOMEM, "out of memory");
	**ret = *tree;
	return 0;
}

/* Keeps what `by` needs of run i of a side. */
static int keep(struct sides *to, size_t which, size_t i, enum compared_by by, const struct digest *d, struct why *why)
{
	int r;

	if (by == BY_RUN)
		return 0;
	if (by == BY_TREE)
		return copy_tree(&to->trees[which].runs[i], d, why);
	r = parts_read(&to->parts[which].runs[i], sides_parts(by), d);
	if (r < 0)
		return why_set(why, r, "out of memory");
	to->parts[which].n = i + 1;
	return 0;
}

static int add_run(struct sides *to, size_t which, const char *name, const char *place,
		   enum compared_by by, struct why *why)
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

	r = keep(to, which, side->n, by, &d, why);
	if (r == 0) {
		side->runs[side->n++] = d.values;
		side->failed += d.facts->records_end && state != STATE_OK && state != STATE_ENDED &&
				state != STATE_STOPPED;
	}
	digest_release(&d);
	return r;
}

int sides_read(struct sides *ret, int argc, char **argv, enum compared_by by, const char *directory, struct why *why)
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

		r = history_place(place, directory, argv + words[which].first,
				  (size_t)(words[which].end - words[which].first), why);
		for (int i = words[which].first; r == 0 && i < words[which].end; i++)
			r = add_run(ret, which, argv[i], place, by, why);
		if (r < 0)
			return r;
	}
	return 0;
}

void sides_release(struct sides *sides)
{
	for (size_t which = 0; which < countof(sides->side); which++) {
		for (size_t i = 0; i < sides->parts[which].n; i++)
			parts_release(&sides->parts[which].runs[i]);
		for (size_t i = 0; i < RUNS_MOST; i++)
			free(sides->trees[which].runs[i]);
	}
}
