/* top_main.c - `resource-tracker top`: a run while it goes on, on a terminal. */
#include <stdio.h>
#include <string.h>

#include "../analysis/answer.h"
#include "../analysis/ranks_command.h"
#include "../text/shown.h"
#include "job_live.h"
#include "live.h"
#include "status.h"

static const char USAGE[] =
	"Usage: resource-tracker top [RUN] [--job ID] [--name NAME] [--tag TAG]... [--directory DIR]\n"
	"       resource-tracker top FOLDER|--ranks [--job ID] [--directory DIR]\n"
	"       resource-tracker top [--interval TIME] --pid PID[,PID...]\n"
	"       resource-tracker top [--interval TIME] -- COMMAND [ARGUMENT...]\n"
	"\n"
	"Shows a run while it goes on: the newest one, or RUN, the beginning of its id, last, or the path of a record or of\n"
	"a feed. With a folder of records, or --ranks, it shows all ranks of a job. With --pid it attaches to processes,\n"
	"without a record. With a command it records the command, and what that writes to the terminal is appended to\n"
	"resource-tracker-top.out. q leaves: the job is not touched.\n"
	CHOSEN_RUNS_USAGE;

static int complain_of(const struct why *why)
{
	return complain(why->text);
}

/* The words after "--": a command; cut off from argv.  NULL: none. */
static char **command_of(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++)
		if (strcmp(argv[i], "--") == 0) {
			argv[i] = NULL;
			*argc = i;
			return argv + i + 1;
		}
	return NULL;
}

struct wanted {
	const char *directory, *pids, *interval, *recorder, *root;      /* the last two: target_beside */
	char **command;
	struct chosen_runs chosen;
	bool ranks;
};

static int open_target(struct target *ret, const struct wanted *w, int argc, char **argv, struct why *why)
{
	if (w->recorder)
		return target_beside(ret, w->recorder, w->root, why);

	bool runs = argc > 1 || w->directory || chosen_any(&w->chosen);

	if (argc > 2)
		return why_set(why, -EINVAL, "one run at a time; to record and see a command: resource-tracker top -- COMMAND");
	if ((w->pids && w->command) || (runs && (w->pids || w->command)))
		return why_set(why, -EINVAL, "either a run, --pid, or a command");
	if (w->interval && !w->pids && !w->command)
		return why_set(why, -EINVAL, "--interval is for --pid and for a command: a run has its own");
	if (w->command && !w->command[0])
		return why_set(why, -EINVAL, "which command? Write it after --");
	if (w->command)
		return target_run(ret, w->command, w->interval, why);
	if (w->pids)
		return target_attach(ret, w->pids, w->interval, why);
	return target_open(ret, argc > 1 ? argv[1] : NULL, &w->chosen, w->directory, why);
}

static int show_ranks(const struct wanted *w, int argc, char **argv, struct why *why)
{
	const struct ranks_question question = {
		.chosen = &w->chosen, .directory = w->directory, .words = argv + 1, .n_words = (size_t)argc - 1,
		.form = SUMMARY_TEXT,
	};
	struct selection selection = chosen_selection(&w->chosen);
	char place[PATH_MAX];
	int r;

	if (w->pids || w->command || w->interval)
		return why_set(why, -EINVAL, "either the ranks of a job, --pid, or a command");
	r = ranks_place(place, &question, why);
	return r < 0 ? r : job_live_show(place, &selection, why);
}

static void say_where_it_is(const struct target *t, bool over)
{
	struct buffer text = { 0 };

	if (!over)
		buffer_format(&text, "the run goes on; to see it again: resource-tracker top %s",
			      show(record_reader_facts(t->reader)->id).text);
	if (t->output[0])
		buffer_format(&text, "%swhat it writes: %s", over ? "" : "; ", t->output);
	buffer_char(&text, '\0');
	if (!text.failed && text.len > 1)
		remark(text.at);
	buffer_release(&text);
}

int main(int argc, char **argv)
{
	bool help = false, line = false, over = false;
	struct wanted w = { .command = command_of(&argc, argv) };
	const struct flag flags[] = {
		{ "directory", FLAG_TEXT, &w.directory }, { "pid", FLAG_TEXT, &w.pids }, { "p", FLAG_TEXT, &w.pids },
		{ "interval", FLAG_TEXT, &w.interval }, { "i", FLAG_TEXT, &w.interval }, { "help", FLAG_SWITCH, &help },
		{ "recorder", FLAG_TEXT, &w.recorder }, { "root", FLAG_TEXT, &w.root },
		{ "status-line", FLAG_SWITCH, &line }, { "ranks", FLAG_SWITCH, &w.ranks },
		{ "h", FLAG_SWITCH, &help }, CHOSEN_RUNS_FLAGS(&w.chosen),
	};
	struct buffer text = { 0 };
	struct target target = TARGET_NONE;
	struct why why = { "" };

	answer_as("top");
	if (flags_read(flags, countof(flags), &argc, argv, &why) < 0)
		return complain_of(&why);
	if (help) {
		buffer_text(&text, USAGE);
		return print(&text);
	}
	if (line)
		return status_show(&why) < 0 ? complain_of(&why) : 0;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return complain("stdin and stdout must be a terminal; for a text: resource-tracker summary RUN");

	if (w.ranks || means_ranks(argv + 1, (size_t)argc - 1))
		return show_ranks(&w, argc, argv, &why) < 0 && why.text[0] ? complain_of(&why) : 0;

	int r = open_target(&target, &w, argc, argv, &why);

	if (r < 0) {
		int status = target_close(&target, false);

		return status > 0 ? status : complain_of(&why);
	}
	r = live_show(&target, &over);
	if (target.has_job && (target.began || !over))
		say_where_it_is(&target, over);

	int status = target_close(&target, over);

	if (r < 0 && r != -EIO) {
		(void)why_set(&why, r, "the terminal: %s", strerror(-r));
		return complain_of(&why);
	}
	return status;
}
