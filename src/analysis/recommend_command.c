/* recommend_command.c - `resource-tracker recommend`: the resources that the next run should request. */
#include <stdio.h>
#include <string.h>

#include "../history/history.h"
#include "../text/human.h"
#include "../text/shown.h"
#include "../text/values.h"
#include "answer.h"
#include "chosen_runs.h"
#include "confinement.h"
#include "ranks_command.h"
#include "recommend_store.h"
#include "recommended.h"

static const char USAGE[] =
	"Usage: resource-tracker recommend RUN... [--for FORM | --json]\n"
	"       resource-tracker recommend --job ID|--name NAME|--tag TAG... [--limit N] [--for FORM | --json]\n"
	"       resource-tracker recommend DIR [--job ID] [--for slurm]\n"
	"       resource-tracker recommend --from STORE --name NAME [--limit N] [--for FORM | --json]\n"
	"       resource-tracker recommend ... --servers FILE [--vendor V] [--region R]\n"
	"\n"
	"How much CPU, memory, GPU and time the next run should request, from the use of these runs, and with what confidence.\n"
	"FORM is slurm, kubernetes, docker or metaflow: ready to paste. RUN is the beginning of an id, last, last~2, or the\n"
	"path of any recording. --job takes the finished runs of a scheduler's job, --name those with that name, --tag KEY=VALUE\n"
	"those with that tag: the newest N (20) of them. Each can contain * and ?.\n"
	"--directory DIR is the folder of the records.\n"
	"DIR in place of the runs is a folder with the records of all ranks of a job: the advice is for a rank, by those that\n"
	"used most, and as Slurm's lines it is for all of them.\n"
	"--from STORE takes the newest runs with this NAME from a store of 'resource-tracker fleet'.\n"
	"--servers FILE: the cheapest servers that hold it, by the prices in this CSV file, and what a run costs there; of\n"
	"this --vendor or in this --region. 'resource-tracker discover --prices' fetches such a file.\n";

static const uint64_t CHOSEN_RUNS = 20;

struct recommend_options {
	const char *limit, *directory;
	struct chosen_runs chosen;
	struct recommended_options shown;
	bool help;
	uint64_t most;
};

static int read_options(struct recommend_options *o, int *argc, char **argv, struct why *why)
{
	const struct flag flags[] = {
		{ "limit", FLAG_TEXT, &o->limit }, { "directory", FLAG_TEXT, &o->directory },
		{ "json", FLAG_SWITCH, &o->shown.json }, { "help", FLAG_SWITCH, &o->help },
		RECOMMENDED_FLAGS(&o->shown), CHOSEN_RUNS_FLAGS(&o->chosen),
	};
	int r = flags_read(flags, countof(flags), argc, argv, why);
	bool chosen = chosen_any(&o->chosen);

	if (r < 0 || o->help)
		return r;
	r = recommended_options_check(&o->shown, why);
	if (r < 0)
		return r;
	if (!means_ranks(argv + 1, (size_t)*argc - 1) && (chosen ? *argc > 1 : *argc == 1))
		return why_set(why, -EINVAL, "which runs? Give RUN..., such as last, or --name NAME, --job ID, --tag TAG%s",
			       chosen ? ", not both" : "");
	o->most = CHOSEN_RUNS;
	if (o->limit && (!value_u64(o->limit, &o->most) || o->most == 0 || !chosen))
		return why_set(why, -EINVAL, "--limit: '%s' is not a number of runs of a --name, --job or --tag",
			       show(o->limit).text);
	return 0;
}

/* Title: the job's name, else the command, else the file. */
static void write_title(struct buffer *title, const struct run *run, const char *path)
{
	if (run->job_name)
		buffer_text(title, run->job_name);
	for (size_t i = 0; !run->job_name && run->command && run->command[i]; i++) {
		if (i > 0)
			buffer_char(title, ' ');
		human_word(title, run->command[i], strlen(run->command[i]), true);
	}
	if (title->len == 0)
		human_word(title, path, strlen(path), true);
	buffer_char(title, '\0');
}

static int add(struct recommended *to, const char *name, const char *place, struct why *why)
{
	struct advised_run *run = recommended_run(to);
	struct digest d;
	int r;

	if (!run)
		return why_set(why, -ENOMEM, "out of memory");
	r = digest_named(&d, name, place, why);
	if (r < 0)
		return r;
	if (to->n == 1)
		write_title(&to->title, &d.facts->run, d.path);
	if (to->n == 1 || d.facts->run.start_wall_ns > to->newest_wall_ns) {
		to->newest_wall_ns = d.facts->run.start_wall_ns;
		to->cloud = d.facts->cloud;
	}
	(void)snprintf(run->id, sizeof run->id, "%s", d.facts->id);
	run->start_wall_ns = d.facts->run.start_wall_ns;
	run_use_read(&run->use, &d);
	digest_release(&d);
	return 0;
}

static bool is_over(const struct past_run *run)
{
	return run->state != STATE_RUNNING && run->state != STATE_UNREADABLE;
}

static int add_chosen(struct recommended *to, const struct recommend_options *o, const char *place, struct why *why)
{
	struct selection selection = chosen_selection(&o->chosen);
	struct history h = { .n = 0 };
	int r = history_open(&h, place, why);

	for (size_t i = 0; r == 0 && i < h.n && to->n < o->most; i++) {
		const struct past_run *run = &h.runs[i];

		if (is_over(run) && selection_takes(&selection, run))
			r = add(to, run->path, place, why);
	}
	history_close(&h);
	if (r == 0 && to->n == 0)
		return why_set(why, -ENOENT, "no run of that job, name or tag is over: 'resource-tracker runs' lists the runs");
	return r;
}

/* All ranks of a job; the advice is for one of them. */
static int add_ranks(struct recommended *to, const struct recommend_options *o, const char *folder, struct why *why)
{
	struct ranks_question question = { .chosen = &o->chosen };
	struct ranks_view view;
	int r = ranks_find(&view, &question, folder, why);

	if (r < 0)
		return r;
	for (size_t i = 0; r == 0 && i < view.ranks.n; i++)
		r = add(to, view.ranks.at[i].path, folder, why);
	for (size_t i = 0; i < view.ranks.n_launches; i++)
		if (view.ranks.launches[i].size > to->ranks.size)
			to->ranks.size = view.ranks.launches[i].size;
	for (size_t i = 0; i < view.use.n_nodes; i++)
		to->ranks.per_node = size_max(to->ranks.per_node, view.use.nodes[i].most_ranks);
	ranks_differ(to->ranks.differ, sizeof to->ranks.differ, &view);
	ranks_view_close(&view);
	return r;
}

int recommend_main(int argc, char **argv)
{
	struct recommend_options o = { .limit = NULL };
	struct recommended runs = { .n = 0 };
	struct buffer text = { 0 };
	struct why why = { "" };
	char place[PATH_MAX];
	int r;
	bool ranks;

	if (recommend_asks_store(argc, argv))
		return recommend_from_store(argc, argv);
	r = read_options(&o, &argc, argv, &why);
	ranks = r == 0 && means_ranks(argv + 1, (size_t)argc - 1);

	if (r == 0 && o.help) {
		buffer_text(&text, USAGE);
		return print(&text);
	}
	if (r == 0)
		r = chosen_runs_place(place, &o.chosen, o.directory, argv + 1, (size_t)argc - 1, &why);
	if (r == 0 && o.shown.servers && ranks)
		r = why_set(&why, -EINVAL, "--servers is for jobs on one machine, not for ranks");
	if (r == 0)
		r = recommended_servers_read(&runs, &o.shown, &why);
	if (r == 0)
		(void)confine(&(struct confinement){
			.inputs = argv + 1, .n_inputs = (size_t)argc - 1, .place = ranks ? argv[1] : place,
		});
	if (r == 0 && ranks)
		r = add_ranks(&runs, &o, argv[1], &why);
	else if (r == 0 && chosen_any(&o.chosen))
		r = add_chosen(&runs, &o, place, &why);
	for (int i = 1; !ranks && r == 0 && i < argc; i++)
		r = add(&runs, argv[i], place, &why);

	int result = r < 0 ? complain(why.text) : recommended_print(&runs, &o.shown);

	recommended_release(&runs);
	return result;
}
