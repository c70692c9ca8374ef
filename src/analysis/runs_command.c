/* runs_command.c - `resource-tracker runs`: lists runs, shows one, removes records. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../history/history.h"
#include "../history/run_json.h"
#include "../history/runs_order.h"
#include "../history/runs_table.h"
#include "../history/runs_text.h"
#include "../record/runs_directory.h"
#include "../summary/summary.h"
#include "../text/moment.h"
#include "../text/shown.h"
#include "../text/values.h"
#include "answer.h"
#include "chosen_runs.h"
#include "confinement.h"

static const char USAGE[] =
	"Usage: resource-tracker runs [--job ID] [--name NAME] [--tag TAG]... [--status STATUS]... [--since TIME]\n"
	"                             [--until TIME] [--sort [-]COLUMN] [--limit N] [--columns LIST | --json]\n"
	"       resource-tracker runs show RUN... [--json]\n"
	"       resource-tracker runs rm RUN... [--force]\n"
	"       resource-tracker runs prune [--keep N] [--keep-days DAYS] [--keep-bytes SIZE] [--dry-run]\n"
	"\n"
	"A RUN is the beginning of its id, last, last~2 (the third last), or the path of a record.\n"
	"STATUS is ok, failed, killed, ended, stopped, running, truncated or unreadable. ID is a scheduler's id of a job: 1230,\n"
	"1230_7 of an array, 1230.0 with a step; TAG is KEY=VALUE, or KEY. ID, NAME and TAG can contain * and ?, and also\n"
	"restrict the runs among which 'last' is the last.\n"
	"TIME is 2026-11-21, 2026-11-21T17:30, or a time ago: 90m, 12h, 7d.\n"
	"--sort puts the largest value, or the newest run, first, and words by the alphabet; a - before the name reverses it.\n"
	"--json is one array; 'summary --json' has the same keys, an object a line.\n"
	"All accept --directory DIR; the default is the folder of --record, RESOURCE_TRACKER_RECORD or the config file.\n"
	"LIST is of columns, with commas between them:";

enum { USAGE_WIDTH = 118 };

struct runs_options {
	const char *since, *until, *limit, *keep, *keep_days, *keep_bytes, *directory, *columns, *sort;
	struct chosen_runs chosen;
	struct flag_texts status;
	bool json, force, dry_run, help;
	char place[PATH_MAX];                   /* the directory */
	int folder;                             /* opened to remove files from it; -1: not opened */
	int64_t since_ns, until_ns;
	uint64_t most;
	bool wanted[STATE_COUNT];
	struct runs_columns shown;
	struct runs_order order;
};

static int refuse(struct why *why, const char *flag, const char *value, const char *expects)
{
	return why_set(why, -EINVAL, "--%s: '%s' is no %s", flag, show(value).text, expects);
}

static int read_status(struct runs_options *o, struct why *why)
{
	for (size_t i = 0; i < o->status.n; i++) {
		enum run_state state = 0;

		while (state < STATE_COUNT && strcmp(run_states[state], o->status.at[i]) != 0)
			state++;
		if (state == STATE_COUNT)
			return refuse(why, "status", o->status.at[i], "status: ok, failed, killed, ended, stopped, "
				      "running, truncated, unreadable");
		o->wanted[state] = true;
	}
	for (enum run_state state = 0; state < STATE_COUNT; state++)
		o->wanted[state] = o->wanted[state] || o->status.n == 0;
	return 0;
}

static int read_options(struct runs_options *o, int *argc, char **argv, struct why *why)
{
	const struct flag flags[] = {
		{ "status", FLAG_TEXTS, &o->status }, { "since", FLAG_TEXT, &o->since },
		{ "until", FLAG_TEXT, &o->until }, { "limit", FLAG_TEXT, &o->limit }, { "json", FLAG_SWITCH, &o->json },
		{ "directory", FLAG_TEXT, &o->directory }, { "force", FLAG_SWITCH, &o->force },
		{ "keep", FLAG_TEXT, &o->keep }, { "keep-days", FLAG_TEXT, &o->keep_days },
		{ "keep-bytes", FLAG_TEXT, &o->keep_bytes }, { "dry-run", FLAG_SWITCH, &o->dry_run },
		{ "columns", FLAG_TEXT, &o->columns }, { "sort", FLAG_TEXT, &o->sort },
		{ "help", FLAG_SWITCH, &o->help }, CHOSEN_RUNS_FLAGS(&o->chosen),
	};
	int r = flags_read(flags, countof(flags), argc, argv, why);

	if (r < 0 || o->help)
		return r;
	if (o->since && !moment_read(o->since, &o->since_ns))
		return refuse(why, "since", o->since, "time: 2026-11-21, 2026-11-21T17:30, or 7d");
	if (o->until && !moment_read(o->until, &o->until_ns))
		return refuse(why, "until", o->until, "time: 2026-11-21, 2026-11-21T17:30, or 7d");
	if (o->limit && !value_u64(o->limit, &o->most))
		return refuse(why, "limit", o->limit, "number");
	if (o->columns && o->json)
		return why_set(why, -EINVAL, "--columns or --json, which has everything, not both");
	if (o->columns && (r = runs_columns_read(&o->shown, o->columns, why)) < 0)
		return r;
	if (o->sort && (r = runs_order_read(&o->order, o->sort, why)) < 0)
		return r;
	r = history_place(o->place, o->directory, NULL, 0, why);
	return r < 0 ? r : read_status(o, why);
}

static bool wanted(const struct runs_options *o, const struct past_run *run)
{
	struct selection selection = chosen_selection(&o->chosen);

	return o->wanted[run->state] && selection_takes(&selection, run) &&
	       (!o->since || run->run.start_wall_ns >= o->since_ns) &&
	       (!o->until || run->run.start_wall_ns < o->until_ns);
}

static int list(const struct runs_options *o, const struct history *h)
{
	const struct past_run **chosen = calloc(h->n + 1, sizeof(void *));
	struct summary_style style = summary_style(STDOUT_FILENO);
	struct buffer text = { 0 };
	size_t n = 0;

	if (!chosen)
		return complain("out of memory");
	for (size_t i = 0; i < h->n; i++)
		if (wanted(o, &h->runs[i]))
			chosen[n++] = &h->runs[i];
	if (o->sort)
		runs_sort(chosen, n, &o->order);
	if (o->limit && n > o->most)
		n = (size_t)o->most;
	if (o->json)
		runs_json(&text, chosen, n);
	else if (n > 0)
		runs_table(&text, chosen, n, &o->shown, isatty(STDOUT_FILENO) ? style.columns : 0, style.utf8);
	else if (isatty(STDOUT_FILENO))
		buffer_format(&text, "no runs in %s\n", show_path(o->place).text);
	free(chosen);
	return print(&text);
}

/* Finds a run by its name; a run named by its path is read into *room. */
static const struct past_run *find(struct history *h, const char *name, struct past_run *room, struct why *why)
{
	if (!names_a_path(name))
		return history_find(h, name, why);
	if (past_run_read(room, &h->arena, name) < 0) {
		(void)why_set(why, -ENOMEM, "out of memory");
		return NULL;
	}
	if (access(name, F_OK) < 0) {
		(void)why_set(why, -errno, "%s", room->problem ? room->problem : strerror(errno));
		return NULL;
	}
	return room;
}

static int show_runs(const struct runs_options *o, struct history *h, int argc, char **argv)
{
	const struct past_run **chosen = calloc((size_t)argc + h->n + 1, sizeof(void *));
	struct past_run *rooms = calloc((size_t)argc + 1, sizeof *rooms);
	struct summary_style style = summary_style(STDOUT_FILENO);
	struct buffer text = { 0 };
	struct why why = { "" };
	size_t n = 0;

	for (int i = 0; chosen && rooms && i < argc && !why.text[0]; i++) {
		chosen[n] = find(h, argv[i], &rooms[i], &why);
		n += chosen[n] != NULL;
	}
	for (; chosen && argc == 0 && n < h->n; n++)    /* all that match --job, --name and --tag */
		chosen[n] = &h->runs[n];
	if (o->json && !why.text[0])
		runs_json(&text, chosen, n);
	for (size_t i = 0; !o->json && i < n; i++) {
		if (i > 0)
			buffer_char(&text, '\n');
		runs_card(&text, chosen[i], &style);
	}
	free(chosen);
	free(rooms);

	int result = print(&text);

	return why.text[0] ? complain(why.text) : result;
}

/*
 * Opens the folder from which records are removed, so that it cannot be exchanged meanwhile.  The default folder must
 * be ours, else nothing is removed; a folder that the user named is trusted.  A missing folder has no records.
 */
static int open_to_remove(struct runs_options *o, struct why *why)
{
	char usual[PATH_MAX];
	struct why ignored;

	if (runs_directory(usual, sizeof usual, &ignored) == 0 && strcmp(usual, o->place) == 0)
		o->folder = runs_directory_open(o->place, false, why);
	else
		o->folder = open(o->place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (o->folder >= 0 || access(o->place, F_OK) < 0)
		return 0;
	return why->text[0] ? -EPERM : why_set(why, -errno, "cannot open %s: %s", show_path(o->place).text,
					       strerror(errno));
}

/* A run named by its path is not in the folder of the history. */
static int remove_record(int folder, const struct past_run *run, struct why *why)
{
	const char *slash = strrchr(run->path, '/');
	bool ours = folder >= 0 && slash;

	if (unlinkat(ours ? folder : AT_FDCWD, ours ? slash + 1 : run->path, 0) == 0 || errno == ENOENT)
		return 0;
	return why_set(why, -errno, "cannot remove %s: %s", show_path(run->path).text, strerror(errno));
}

/* All are found before the first is removed, so that a mistyped name removes nothing. */
static int remove_runs(const struct runs_options *o, struct history *h, int argc, char **argv)
{
	struct past_run room;
	struct why why = { "" };
	int result = 0;

	for (int i = 0; i < argc; i++) {
		const struct past_run *run = find(h, argv[i], &room, &why);

		if (!run)
			return complain(why.text);
		if (run->state == STATE_RUNNING && !o->force)
			(void)why_set(&why, -EBUSY, "%s is still running; --force removes its record anyway",
				      show(run->id).text);
		if (run == &room && run->state == STATE_UNREADABLE && !o->force)
			(void)why_set(&why, -EINVAL, "%s is not a record; --force removes it anyway",
				      show_path(run->path).text);
		if (why.text[0])
			return complain(why.text);
	}
	for (int i = 0; i < argc; i++) {
		const struct past_run *run = find(h, argv[i], &room, &why);

		if (run && remove_record(run == &room ? -1 : o->folder, run, &why) < 0)
			result = complain(why.text);
	}
	return result;
}

struct bounds { uint64_t runs, bytes; double days; };   /* the largest values mean no bound */

static int read_bounds(const struct runs_options *o, struct bounds *ret, struct why *why)
{
	*ret = (struct bounds){ UINT64_MAX, UINT64_MAX, (double)INFINITY };
	if (!o->keep && !o->keep_days && !o->keep_bytes)
		return why_set(why, -EINVAL, "how much shall stay? Give --keep N, --keep-days DAYS or "
			       "--keep-bytes SIZE");
	if (o->keep && !value_u64(o->keep, &ret->runs))
		return refuse(why, "keep", o->keep, "number of runs");
	if (o->keep_days && !value_decimal(o->keep_days, &ret->days))
		return refuse(why, "keep-days", o->keep_days, "number of days");
	if (o->keep_bytes && !value_size(o->keep_bytes, &ret->bytes))
		return refuse(why, "keep-bytes", o->keep_bytes, "size: 500MB, 2GiB");
	return 0;
}

/*
 * Newest first, so the kept runs are the first ones; running ones are kept, and count.  Files that are not records
 * are not removed.
 */
static int prune(const struct runs_options *o, const struct history *h)
{
	struct bounds bounds;
	struct why why = { "" };
	uint64_t kept = 0, bytes = 0;
	size_t removed = 0;
	bool full = false;                              /* once a run does not fit, all older ones are removed, too */
	struct timespec now = { 0 };
	double oldest;

	if (read_bounds(o, &bounds, &why) < 0)
		return complain(why.text);
	(void)clock_gettime(CLOCK_REALTIME, &now);
	oldest = (double)now.tv_sec + (double)now.tv_nsec / 1e9 - bounds.days * 86400;
	for (size_t i = 0; i < h->n; i++) {
		const struct past_run *run = &h->runs[i];

		if (run->state == STATE_UNREADABLE || !wanted(o, run))
			continue;
		full = full || kept >= bounds.runs || bytes + run->bytes > bounds.bytes ||
		       (double)run->run.start_wall_ns / 1e9 < oldest;
		if (!full || run->state == STATE_RUNNING) {
			kept++;
			bytes += run->bytes;
			continue;
		}
		if (!o->dry_run && remove_record(o->folder, run, &why) < 0)
			return complain(why.text);
		(void)printf("%s %s\n", o->dry_run ? "would remove" : "removed", show(run->id).text);
		removed++;
	}
	(void)printf("%zu %s, %zu kept\n", removed, o->dry_run ? "would be removed" : "removed", h->n - removed);
	return fflush(stdout) == 0 ? 0 : complain("cannot write to stdout");
}

static int on_runs(const struct runs_options *o, struct history *h, int argc, char **argv)
{
	static const struct action {
		const char *word, *name;
		int (*run)(const struct runs_options *o, struct history *h, int argc, char **argv);
	} actions[] = { { "show", "runs show", show_runs }, { "rm", "runs rm", remove_runs } };
	struct selection selection = chosen_selection(&o->chosen);
	struct why why;

	if (argc == 1 || strcmp(argv[1], "list") == 0)
		return argc <= 2 ? list(o, h) : complain("list takes flags only");
	if (strcmp(argv[1], "prune") == 0) {
		answer_as("runs prune");
		return argc == 2 ? prune(o, h) : complain("takes flags only");
	}
	selection_keep(&selection, h);
	for (size_t i = 0; i < countof(actions); i++)
		if (strcmp(argv[1], actions[i].word) == 0) {
			answer_as(actions[i].name);
			return argc > 2 || (actions[i].run == show_runs && chosen_any(&o->chosen))
			       ? actions[i].run(o, h, argc - 2, argv + 2)
					: complain("which run? Give the beginning of its id, last, last~2, or a path");
		}
	(void)why_set(&why, -EINVAL, "there is no 'runs %s': show, rm, prune, or nothing for the list",
		      show(argv[1]).text);
	return complain(why.text);
}

int runs_main(int argc, char **argv)
{
	struct runs_options o = { .folder = -1 };
	struct why why = { "" };
	struct buffer text = { 0 };
	struct history h = { .n = 0 };

	if (read_options(&o, &argc, argv, &why) < 0)
		return complain(why.text);
	if (o.help) {
		buffer_text(&text, USAGE);
		runs_column_names(&text, USAGE_WIDTH);
		return print(&text);
	}
	if (argc > 1 && (strcmp(argv[1], "prune") == 0 || strcmp(argv[1], "rm") == 0) && open_to_remove(&o, &why) < 0)
		return complain(why.text);
	if (argc == 1 || strcmp(argv[1], "list") == 0 || strcmp(argv[1], "show") == 0)     /* the others remove runs */
		(void)confine(&(struct confinement){
			.inputs = argv + 1, .n_inputs = (size_t)argc - 1, .place = o.place,
		});
	if (history_open(&h, o.place, &why) < 0)
		return complain(why.text);

	int result = on_runs(&o, &h, argc, argv);

	history_close(&h);
	close_p(&o.folder);
	return result;
}
