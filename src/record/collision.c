/* collision.c - rejects options that name the same file twice. */
#include "collision.h"

#include <string.h>

#include "../core/file_place.h"
#include "../core/output_file.h"
#include "destinations.h"

enum { USES_MAX = 9 + OPTIONS_CONFIGS + FEEDS_MAX };

struct use {
	const char *what, *path;                /* what: for the message; path NULL: an inherited descriptor */
	bool written;
	struct file_place place;
};

struct uses { struct use at[USES_MAX]; size_t n; };

static void add_file(struct uses *uses, const char *what, const char *path, bool written)
{
	struct use *use = &uses->at[uses->n];

	*use = (struct use){ .what = what, .path = path, .written = written };
	if (path && file_place_of(&use->place, path))
		uses->n++;
}

static void add_descriptor(struct uses *uses, const char *what, int fd, bool written)
{
	struct use *use = &uses->at[uses->n];

	*use = (struct use){ .what = what, .written = written };
	if (file_place_of_descriptor(&use->place, fd))
		uses->n++;
}

/* stdin, stdout and stderr are added by the caller. */
static void add_output(struct uses *uses, const char *what, const char *name)
{
	int fd = name ? output_file_descriptor(name) : STDOUT_FILENO;

	if (fd < 0)
		add_file(uses, what, name, true);
	else if (fd > STDERR_FILENO)
		add_descriptor(uses, what, fd, true);
}

/* The file that --record names; NULL: none, or a new file in a folder. */
static const char *named_record(const struct options *o)
{
	size_t n = o->record ? strlen(o->record) : 0;

	return n == 0 || strcmp(o->record, "none") == 0 || o->record[n - 1] == '/' ? NULL : o->record;
}

static void find_uses(struct uses *uses, const struct options *o)
{
	bool command = options_mode(o) == MODE_COMMAND;
	bool to_stdout = o->output ? strcmp(o->output, "-") == 0 : !command;

	add_output(uses, "-o", o->output);
	add_output(uses, "--summary-file", o->summary_file);
	add_file(uses, "--config", o->config, false);
	for (size_t i = 0; i < OPTIONS_CONFIGS; i++)
		add_file(uses, "the config file", o->found_configs[i], false);
	add_file(uses, "--nvml", o->nvml, false);
	if (command && strchr(o->run.command[0], '/'))
		add_file(uses, "the command", o->run.command[0], false);
	if (command)
		add_descriptor(uses, "stdin", STDIN_FILENO, false);
	if (command || (to_stdout && !o->quiet))
		add_descriptor(uses, "stdout", STDOUT_FILENO, false);
	if (command || !o->quiet)
		add_descriptor(uses, "stderr", STDERR_FILENO, false);
	for (size_t i = 0; i < o->feeds.n; i++)
		if (feed_descriptor(o->feeds.at[i]) >= 0)
			add_descriptor(uses, "--feed", feed_descriptor(o->feeds.at[i]), true);
		else
			add_file(uses, "--feed", o->feeds.at[i], true);
	/* Last, and only if needed: its folder can be on a file server that hangs, and the job must not wait for it. */
	if (uses->n > 0)
		add_file(uses, "--record", named_record(o), true);
}

/* The names stand at the end of the sentence, as they can be long. */
static int refuse(const struct use *a, const struct use *b, struct why *why)
{
	return why_set(why, -EINVAL, "the same file: %s%s%s and %s%s%s", a->what, a->path ? " " : "",
		       a->path ? a->path : "", b->what, b->path ? " " : "", b->path ? b->path : "");
}

int collision_check(const struct options *o, struct why *why)
{
	struct uses uses = { 0 };

	find_uses(&uses, o);
	for (size_t i = 0; i < uses.n; i++)
		for (size_t k = i + 1; k < uses.n; k++)
			if ((uses.at[i].written || uses.at[k].written) &&
			    file_place_same(&uses.at[i].place, &uses.at[k].place))
				return refuse(&uses.at[i], &uses.at[k], why);
	return 0;
}
