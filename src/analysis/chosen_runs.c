/* chosen_runs.c - the flags --job, --name and --tag of every command that takes runs. */
#include "chosen_runs.h"

#include <string.h>

#include "../text/shown.h"

struct selection chosen_selection(const struct chosen_runs *c)
{
	return (struct selection){ .job = c->job, .name = c->name, .tags = c->tags.at, .n_tags = c->tags.n };
}

bool chosen_any(const struct chosen_runs *c)
{
	struct selection s = chosen_selection(c);

	return selection_asks(&s);
}

int chosen_runs_place(char ret[PATH_MAX], const struct chosen_runs *c, const char *directory, char *const *names,
		      size_t n, struct why *why)
{
	return history_place(ret, directory, n == 0 && chosen_any(c) ? NULL : names, n, why);
}

static int add(struct chosen_runs *c, const char *path, struct why *why)
{
	c->paths[c->n_paths] = strdup(path);
	return c->paths[c->n_paths++] ? 0 : why_set(why, -ENOMEM, "out of memory");
}

/* "vs" separates runs (compare), and is not one. */
static int add_named(struct chosen_runs *c, const struct history *h, const char *name, struct why *why)
{
	const struct past_run *run;

	if (names_a_path(name) || strcmp(name, "vs") == 0)
		return add(c, name, why);
	run = history_find(h, name, why);
	return run ? add(c, run->path, why) : -ENOENT;
}

static int find(struct chosen_runs *c, struct history *h, char *const *names, size_t n, struct why *why)
{
	struct selection s = chosen_selection(c);
	int r = 0;

	selection_keep(&s, h);
	if (h->n == 0)
		return why_set(why, -ENOENT, "no run has that job, name or tag: 'resource-tracker runs' lists the runs");
	c->paths = calloc(size_max(n, h->n) + 1, sizeof *c->paths);
	if (!c->paths)
		return why_set(why, -ENOMEM, "out of memory");
	for (size_t i = 0; r == 0 && i < n; i++)
		r = add_named(c, h, names[i], why);
	for (size_t i = h->n; r == 0 && n == 0 && i-- > 0;)
		r = add(c, h->runs[i].path, why);
	return r;
}

int chosen_runs_find(struct chosen_runs *c, const char *place, char ***names, size_t *n, struct why *why)
{
	struct history h = { .n = 0 };
	int r;

	if (!chosen_any(c))
		return 0;
	r = *place ? history_open(&h, place, why) : 0;  /* all words are paths, no history is needed */
	if (r == 0 && *place)
		r = find(c, &h, *names, *n, why);
	if (r == 0 && *place) {
		*names = c->paths;
		*n = c->n_paths;
	}
	history_close(&h);
	return r;
}

char *chosen_runs_running(const struct chosen_runs *c, const char *place, const char *hint, struct why *why)
{
	struct selection selection = chosen_selection(c);
	struct history history;
	char *path = NULL;

	if (history_open(&history, place, why) < 0)
		return NULL;
	selection_keep(&selection, &history);
	for (size_t i = 0; !path && i < history.n; i++)
		if (history.runs[i].state == STATE_RUNNING)
			path = strdup(history.runs[i].path);
	if (!path)
		(void)why_set(why, -ENOENT, "no run is going on in %s; %s", show_path(place).text, hint);
	history_close(&history);
	return path;
}

void chosen_runs_release(struct chosen_runs *c)
{
	for (size_t i = 0; i < c->n_paths; i++)
		free(c->paths[i]);
	free(c->paths);
	c->paths = NULL;
	c->n_paths = 0;
}
