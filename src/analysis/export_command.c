/* export_command.c - `resource-tracker export`: runs in forms that other programs read. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../export/export.h"
#include "../export/series_store.h"
#include "../history/history.h"
#include "../text/did_you_mean.h"
#include "../text/shown.h"
#include "answer.h"
#include "chosen_runs.h"
#include "confinement.h"
#include "export_ranks.h"
#include "replaced_file.h"

static const struct export_form *const forms[] = {
	&export_csv, &export_jsonl, &export_sqlite, &export_openmetrics, &export_perfetto, &export_events,
};

static const char USAGE[] =
	"Usage: resource-tracker export RUN... [--job ID] [--name NAME] [--tag TAG]... --to FORM [-o FILE] [--csv LAYOUT]\n"
	"                               [--directory DIR]\n"
	"       resource-tracker export DIR|--ranks [--job ID] [--name NAME] [--tag TAG]... --to csv|jsonl [-o FILE]\n"
	"\n"
	"A RUN is the beginning of its id, last, last~2 (the third last), or the path of a recording (resource-tracker summary\n"
	"--help); - is stdin.  Without -o, or with -o -, it is written to stdout.  An existing FILE is replaced when the\n"
	"new one is complete.\n"
	"With a folder DIR in place of the runs, or --ranks, it is one table of all ranks of a job, a row for each, from their\n"
	"records in the folder; --job chooses one of several jobs.\n"
	"--csv system, combined or process is a layout of the recorder's; all has every total of a row.\n";

static int usage(void)
{
	struct buffer text = { 0 };

	buffer_text(&text, USAGE);
	buffer_text(&text, CHOSEN_RUNS_USAGE "\nForms:\n");
	for (size_t i = 0; i < countof(forms); i++)
		buffer_format(&text, "  %-12s %s\n", forms[i]->name, forms[i]->help);
	return print(&text);
}

static const struct export_form *form_of(const char *name, struct why *why)
{
	struct guess guess = { .word = name };
	char names[96] = "";

	for (size_t i = 0; i < countof(forms); i++) {
		if (strcmp(forms[i]->name, name) == 0)
			return forms[i];
		guess_consider(&guess, forms[i]->name);
		alternatives_add(names, sizeof names, forms[i]->name, i + 1 == countof(forms));
	}
	if (guess.best)
		(void)why_set(why, -EINVAL, "--to: there is no '%s'; did you mean %s?", show(name).text, guess.best);
	else
		(void)why_set(why, -EINVAL, "--to: '%s' is none of %s", show(name).text, names);
	return NULL;
}

/* CSV_LAYOUTS: all columns. */
static int layout_of(enum csv_layout *ret, const char *name, struct why *why)
{
	char names[96] = "";

	for (enum csv_layout i = 0; i < CSV_LAYOUTS; i++) {
		if (strcmp(csv_layout_names[i], name) == 0) {
			*ret = i;
			return 0;
		}
		alternatives_add(names, sizeof names, csv_layout_names[i], false);
	}
	alternatives_add(names, sizeof names, "all", true);
	*ret = CSV_LAYOUTS;
	return strcmp(name, "all") == 0
		       ? 0 : why_set(why, -EINVAL, "--csv: '%s' is none of %s", show(name).text, names);
}

static int to_file(void *to, const void *bytes, size_t n, struct why *why)
{
	return replaced_file_write(to, bytes, n, why);
}

/* Passes all items of the recording to the writer. */
static int stream(struct export *e, const struct export_form *form, struct recording *recording, const char *path)
{
	struct progress progress = progress_start("exporting", strcmp(path, "-") == 0 ? "stdin" : path);
	enum record_item item;
	int r = 0;

	while (r == 0 && (item = recording_next_item(recording)) != RECORD_OVER) {
		if (item == RECORD_ROW) {
			e->sample = recording_sample(recording);
			e->maxima = recording_maxima(recording);
			e->samples = recording_samples(recording);
			r = form->row ? form->row(e) : 0;
			recording_progress(recording, &progress);
		} else if (item == RECORD_EXIT) {
			r = form->process ? form->process(e, recording_exit(recording)) : 0;
		} else {
			r = form->region ? form->region(e, recording_region(recording)) : 0;
		}
		if (r == 0)
			r = export_flush(e);
	}
	progress_end(&progress);
	if (r == 0 && recording_failed(recording, e->why))
		r = -EBADMSG;
	return r;
}

/* One run. */
static int run_export(struct export *e, const struct export_form *form, const char *path, const char *layout)
{
	struct recording *recording;
	int r = recording_open(&recording, path, e->why);

	if (r < 0)
		return r;
	e->facts = recording_facts(recording);
	e->name = *e->facts->id ? e->facts->id : strcmp(path, "-") == 0 ? "stdin" : path;
	e->input = path;
	e->notice = NULL;
	e->state = NULL;
	e->layout = e->facts->tracked ? CSV_COMBINED : CSV_SYSTEM;
	if (layout)
		r = layout_of(&e->layout, layout, e->why);
	if (r == 0 && form->begin)
		r = form->begin(e);
	if (r == 0)
		r = stream(e, form, recording, path);
	if (r == 0) {
		e->facts = recording_facts(recording);
		e->whole = recording_whole(recording);
		r = form->end ? form->end(e) : 0;
		if (r == 0)
			r = export_write(e);
	}
	for (size_t i = 0; r == 0 && i < e->facts->n_problems; i++)
		remark(e->facts->problems[i]);
	if (r == 0 && e->notice) {
		struct why notice;

		(void)why_set(&notice, 0, "%s: %s", show_path(path).text, e->notice);
		remark(notice.text);
	}
	if (form->release)
		form->release(e);
	recording_close(recording);
	return r;
}

/* Checks before the first is read that none of the runs is the output file. */
static int check_all(const struct export *e, const char *place, char *const *names)
{
	int r = 0;

	for (; r == 0 && *names; names++) {
		auto_free char *path = run_path(*names, place, e->why);

		r = path ? replaced_file_check(e->path, path, e->why) : -ENOENT;
	}
	return r;
}

static int run_all(struct export *e, const struct export_form *form, const char *layout, const char *place,
		   char *const *names)
{
	int r = check_all(e, place, names);

	if (r == 0 && !form->own_file)
		r = replaced_file_open(e->to, e->path, e->why);
	if (r < 0)
		return r;
	for (; r == 0 && *names; names++) {
		char *path = run_path(*names, place, e->why);

		r = path ? run_export(e, form, path, layout) : -ENOENT;
		free(path);
	}
	if (!form->own_file && r == 0)
		return replaced_file_finish(e->to, e->why);
	if (!form->own_file)
		replaced_file_abandon(e->to);
	return r;
}

/* All ranks of a job; returns the exit status. */
static int ranks_of_job(const struct ranks_question *q, const struct export_form *form, const char *output,
			const char *layout)
{
	struct why why = { "" };

	if (form != &export_csv && form != &export_jsonl)
		return complain("over all ranks it is a table: --to csv or --to jsonl");
	if (layout)
		return complain("--csv is a layout of the rows of a run: not with all ranks of a job");
	return export_ranks(q, output, form == &export_csv, &why) < 0 ? complain(why.text) : 0;
}

int export_main(int argc, char **argv)
{
	bool help = false, ranks = false;
	const char *to = NULL, *layout = NULL, *directory = NULL;
	struct why why = { "" };
	struct replaced_file file = { .fd = -1 };
	struct export e = { .why = &why, .write = to_file, .to = &file };
	struct chosen_runs chosen = { .job = NULL };
	const struct flag flags[] = {
		{ "to", FLAG_TEXT, &to }, { "csv", FLAG_TEXT, &layout }, { "output", FLAG_TEXT, &e.path },
		{ "o", FLAG_TEXT, &e.path }, { "directory", FLAG_TEXT, &directory }, { "help", FLAG_SWITCH, &help },
		{ "ranks", FLAG_SWITCH, &ranks }, CHOSEN_RUNS_FLAGS(&chosen),
	};
	char place[PATH_MAX];
	const struct export_form *form;
	int r;

	if (flags_read(flags, countof(flags), &argc, argv, &why) < 0)
		return complain(why.text);
	if (help)
		return usage();
	if (argc < 2 && !chosen_any(&chosen))
		return complain("which run? Give the beginning of its id, last, a file, or - for stdin");
	if (!to)
		return complain("in which form? Give --to csv, jsonl, sqlite, openmetrics, perfetto or events");
	form = form_of(to, &why);
	if (!form)
		return complain(why.text);
	if (layout && form != &export_csv)
		return complain("--csv goes with --to csv alone");
	if (form->own_file && (!e.path || strcmp(e.path, "-") == 0)) {
		(void)why_set(&why, -EINVAL, "%s needs a file: give it with -o", form->name);
		return complain(why.text);
	}

	char **runs = argv + 1;
	size_t n = (size_t)argc - 1;

	if (ranks || means_ranks(runs, n))
		return ranks_of_job(&(struct ranks_question){
			.chosen = &chosen, .directory = directory, .words = runs, .n_words = n,
		}, form, e.path, layout);
	if (chosen_runs_place(place, &chosen, directory, runs, n, &why) < 0)
		return complain(why.text);
	(void)confine(&(struct confinement){
		.inputs = runs, .n_inputs = n, .place = place, .output = e.path,
		.temporary = series_store_folder(),
	});
	/* A file that is too large is reported as an error instead of by SIGXFSZ. */
	(void)signal(SIGXFSZ, SIG_IGN);
	r = chosen_runs_find(&chosen, place, &runs, &n, &why);
	if (r == 0 && n > 1 && !form->several)
		r = why_set(&why, -EINVAL, "a file of %s holds one run: export them one by one", form->name);
	if (r == 0)
		r = run_all(&e, form, layout, place, runs);
	chosen_runs_release(&chosen);
	buffer_release(&e.out);
	return r < 0 ? complain(why.text) : 0;
}
