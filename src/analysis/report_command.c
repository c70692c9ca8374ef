/* report_command.c - `resource-tracker report`: runs as one page for a browser, which needs no network. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>

#include "../history/history.h"
#include "../core/output_file.h"
#include "../report/report_page.h"
#include "../text/shown.h"
#include "answer.h"
#include "chosen_runs.h"
#include "confinement.h"
#include "report_data.h"
#include "report_live.h"
#include "report_ranks.h"
#include "report_store.h"
#include "replaced_file.h"

static const char USAGE[] =
	"Usage: resource-tracker report RUN... [--job ID] [--name NAME] [--tag TAG]... [-o FILE] [--open] [--json]\n"
	"                               [--directory DIR]\n"
	"       resource-tracker report DIR|--ranks [--job ID] [--name NAME] [--tag TAG]... [-o FILE] [--open] [--json]\n"
	"       resource-tracker report --from STORE JOB [-o FILE] [--open] [--json]\n"
	"       resource-tracker report --live [RUN] [--port PORT] [--address ADDRESS]\n"
	"\n"
	"One page for the RUNs, in one file: charts, tables and how each number was measured; a browser opens it without any\n"
	"network. A RUN is the beginning of its id, last, last~2, or the path of any recording; - is stdin.\n"
	CHOSEN_RUNS_USAGE
	"\n"
	"With a folder DIR in place of the runs, or --ranks, the page is over all ranks of a job, from their records in the folder:\n"
	"a map of all ranks over time, totals, each node's use, how the ranks differ, which held the others up and why, and which\n"
	"have no record. --job chooses one of several jobs. With --from they are of a store of 'fleet', with its flags.\n"
	"\n"
	"-o FILE     the file to write; - is stdout. Default: resource-tracker-report-ID.html in the working directory.\n"
	"--open      shows it in the browser (xdg-open)\n"
	"--servers FILE  shows what each run cost, as 'summary --servers'\n"
	"--json      only the data of the page (docs/reference/report-data.md)\n"
	"--live      serves the page of a run that goes on, to browsers of this machine, where it grows; prints its address,\n"
	"            and ends with the run. Without a RUN the newest one that goes on.\n"
	"--port PORT        the port to serve it at; by default one that is free\n"
	"--address ADDRESS  of another interface than 127.0.0.1: whatever can reach it sees the page by its address\n";

enum { RUNS_MOST = 64 };

struct report_options {
	const char *output, *directory, *address, *port, *servers;
	bool open, json, live, ranks, help;
	struct report_store store;
	struct chosen_runs chosen;
	struct run_prices prices;
};

/* The data of all runs.  name: of the first; output: as given. */
static int gather(struct buffer *out, struct buffer *name, const char *output, char *const *runs, size_t n,
		  const char *place, struct run_prices *prices, struct why *why)
{
	struct json j = json_to(out);

	report_data_head(&j, false);
	for (size_t i = 0; i < n; i++) {
		auto_free char *path = run_path(runs[i], place, why);
		int r = path ? replaced_file_check(output, path, why) : -ENOENT;

		if (r == 0)
			r = report_data_run(&j, i == 0 ? name : NULL, path, n, prices, why);
		if (r < 0)
			return r;
	}
	json_close(&j, ']');
	json_close(&j, '}');
	buffer_char(out, '\n');
	return out->failed ? why_set(why, -ENOMEM, "out of memory") : 0;
}

/* Characters of the run's name that are valid in a file name everywhere. */
static void default_path(struct buffer *out, const struct buffer *name, size_t n, const char *suffix)
{
	buffer_text(out, "resource-tracker-report-");
	for (size_t i = 0; i < size_min(name->len, 100); i++) {
		char c = name->at[i];
		bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
			     c == '.';

		buffer_char(out, plain ? c : '-');
	}
	if (n > 1)
		buffer_format(out, "-and-%zu-more", n - 1);
	buffer_text(out, suffix);
	buffer_char(out, '\0');
}

static int no_page(struct why *why)
{
	return why_set(why, -ENOSYS, "this build of resource-tracker has no page for reports: build it where node and "
		       "npm are installed (apt-get install nodejs npm), or take the data with --json");
}

static int write_report(const char *path, const struct buffer *data, bool json, struct why *why)
{
	struct word before = { "", 0 }, after = { "", 0 };
	struct replaced_file file;
	int r;

	if (!json && !report_page(&before, &after))
		return no_page(why);
	r = replaced_file_open(&file, path, why);
	if (r < 0)
		return r;

	const struct word parts[] = { before, { data->at, data->len }, after };

	for (size_t i = 0; r == 0 && i < countof(parts); i++)
		r = replaced_file_write(&file, parts[i].at, parts[i].len, why);
	if (r == 0)
		return replaced_file_finish(&file, why);
	replaced_file_abandon(&file);
	return r;
}

static int say(const char *line, struct why *why)
{
	return puts(line) == EOF || fflush(stdout) != 0 ? why_set(why, -EIO, "cannot write to stdout") : 0;
}

static int open_in_browser(const char *path, struct why *why)
{
	static char program[] = "xdg-open";
	/* posix_spawnp does not modify its arguments. */
	union { const char *given; char *at; } word = { path };
	char *words[] = { program, word.at, NULL };
	pid_t pid;
	int error = posix_spawnp(&pid, program, NULL, NULL, words, environ);

	if (error != 0)
		return why_set(why, -error, "cannot open %s: xdg-open: %s", show_path(path).text, strerror(error));
	return 0;
}

static int read_options(struct report_options *o, int *argc, char **argv, struct why *why)
{
	const struct flag flags[] = {
		{ "output", FLAG_TEXT, &o->output }, { "o", FLAG_TEXT, &o->output }, { "open", FLAG_SWITCH, &o->open },
		{ "json", FLAG_SWITCH, &o->json }, { "directory", FLAG_TEXT, &o->directory },
		{ "live", FLAG_SWITCH, &o->live }, { "address", FLAG_TEXT, &o->address }, { "port", FLAG_TEXT, &o->port },
		{ "ranks", FLAG_SWITCH, &o->ranks }, { "servers", FLAG_TEXT, &o->servers }, { "help", FLAG_SWITCH, &o->help }, CHOSEN_RUNS_FLAGS(&o->chosen),
		REPORT_STORE_FLAGS(&o->store),
	};
	int r = flags_read(flags, countof(flags), argc, argv, why);

	if (r < 0 || o->help)
		return r;
	if ((o->address || o->port) && !o->live)
		return why_set(why, -EINVAL, "--%s is for --live", o->address ? "address" : "port");
	if (o->live && (o->output || o->json || o->open))
		return why_set(why, -EINVAL, "--live serves a page and writes none: not with %s",
			       o->output ? "-o" : o->json ? "--json" : "--open");
	if (o->live && o->servers)
		return why_set(why, -EINVAL, "--servers is for a page in a file: not with --live");
	if (o->live && o->ranks)
		return why_set(why, -EINVAL, "--live shows one run, not all ranks of a job");
	if (o->live && o->store.address)
		return why_set(why, -EINVAL, "--live shows a run that goes on here, not one of a store");
	if (o->store.address && *argc != 2)
		return why_set(why, -EINVAL, "--from: which job? Give its id, and no run");
	if (o->live && *argc > 2)
		return why_set(why, -EINVAL, "--live shows one run, and these are %d", *argc - 1);
	if (o->live && *argc == 2 && strcmp(argv[1], "-") == 0)
		return why_set(why, -EINVAL, "--live reads its record again and again, so it cannot be stdin");
	if (*argc < 2 && !o->live && !chosen_any(&o->chosen))
		return why_set(why, -EINVAL, "which run? Give the beginning of its id, last, a file, or - for stdin");
	if (o->open && (o->json || (o->output && output_file_descriptor(o->output) >= 0)))
		return why_set(why, -EINVAL, "--open shows a page in a file: not with %s",
			       o->json ? "--json" : "-o -");
	return 0;
}

/* The data of the page: of all ranks of a job, or of the runs. */
static int gather_any(struct buffer *out, struct buffer *name, struct report_options *o, char ***runs, size_t *n,
		      struct why *why)
{
	struct ranks_question question = {
		.chosen = &o->chosen, .directory = o->directory, .words = *runs, .n_words = *n,
	};
	bool ranks = o->ranks || means_ranks(*runs, *n);
	char place[PATH_MAX];
	int r = ranks ? ranks_place(place, &question, why)
		      : chosen_runs_place(place, &o->chosen, o->directory, *runs, *n, why);

	if (r == 0 && o->servers && ranks)
		r = why_set(why, -EINVAL, "--servers is for runs, not for ranks");
	if (r == 0)
		r = run_prices_read(&o->prices, o->servers, why);
	/* A browser could not work under these restrictions. */
	if (r == 0 && !o->open)
		(void)confine(&(struct confinement){
			.inputs = *runs, .n_inputs = ranks ? 0 : *n, .place = place,
			.output = o->output ? o->output : o->json ? "-" : "report.html",
		});
	if (r == 0 && ranks)
		return report_ranks(out, name, o->output, &question, place, why);
	if (r == 0)
		r = chosen_runs_find(&o->chosen, place, runs, n, why);
	if (r == 0 && *n > RUNS_MOST)
		r = why_set(why, -EINVAL, "at most %d runs fit into a page, and these are %zu: --ranks shows all ranks of a job",
			    RUNS_MOST, *n);
	return r < 0 ? r : gather(out, name, o->output, *runs, *n, place, &o->prices, why);
}

static int report(struct report_options *o, char **runs, size_t n, struct why *why)
{
	struct buffer json = { 0 }, data = { 0 }, name = { 0 }, path = { 0 };
	bool to_stdout = o->output ? output_file_descriptor(o->output) == STDOUT_FILENO : o->json;
	int r = gather_any(&json, &name, o, &runs, &n, why);

	if (r == 0 && o->output)
		buffer_bytes(&path, o->output, strlen(o->output) + 1);
	else if (r == 0)
		default_path(&path, &name, n, ".html");
	if (r == 0 && !o->json)
		report_data_element(&data, &json);
	if (path.failed || data.failed)
		r = why_set(why, -ENOMEM, "out of memory");
	if (r == 0)
		r = write_report(to_stdout ? "-" : path.at, o->json ? &json : &data, o->json, why);
	if (r == 0 && !to_stdout)
		r = say(path.at, why);
	if (r == 0 && o->open)
		r = open_in_browser(path.at, why);
	buffer_release(&json);
	buffer_release(&data);
	buffer_release(&name);
	buffer_release(&path);
	chosen_runs_release(&o->chosen);
	run_prices_release(&o->prices);
	return r;
}

static int read_port(uint16_t *ret, const char *text, struct why *why)
{
	struct scan s = scan_of(text, strlen(text));
	uint64_t port;

	if (!scan_u64(&s, &port) || s.at != s.end || port == 0 || port > UINT16_MAX)
		return why_set(why, -EINVAL, "--port %.40s: a port is a number from 1 to 65535", text);
	*ret = (uint16_t)port;
	return 0;
}

static int serve(struct report_options *o, char **runs, size_t n, struct why *why)
{
	char place[PATH_MAX];
	struct word before, after;
	struct page_server *server = NULL;
	struct buffer address = { 0 };
	auto_free char *path = NULL;
	uint16_t port = 0;
	int r = report_page(&before, &after) ? 0 : no_page(why);

	if (r == 0 && o->port)
		r = read_port(&port, o->port, why);
	if (r == 0)
		r = n > 0 ? chosen_runs_place(place, &o->chosen, o->directory, runs, n, why)
			  : history_place(place, o->directory, NULL, 0, why);
	if (r == 0)
		r = page_server_open(&server, o->address ? o->address : "127.0.0.1", port, why);
	if (r < 0)
		return r;
	(void)confine(&(struct confinement){ .inputs = runs, .n_inputs = n, .place = place });
	if (n > 0)
		r = chosen_runs_find(&o->chosen, place, &runs, &n, why);
	if (r == 0)
		path = n > 0 ? run_path(runs[0], place, why) : chosen_runs_running(&o->chosen, place, "begin one, or give a RUN", why);
	if (r == 0)
		r = path ? report_live_check(path, why) : -ENOENT;
	if (r == 0) {
		page_server_address(&address, server);
		buffer_char(&address, '\0');
		r = address.failed ? why_set(why, -ENOMEM, "out of memory") : say(address.at, why);
	}
	if (r == 0)
		r = report_live(server, path, why);
	buffer_release(&address);
	chosen_runs_release(&o->chosen);
	page_server_close(server);
	return r;
}

static int report_folder(void *options, char *folder)
{
	struct report_options *o = options;
	struct why why = { "" };

	o->ranks = true;
	return report(o, &folder, 1, &why) < 0 ? complain(why.text) : 0;
}

int report_main(int argc, char **argv)
{
	struct report_options options = { 0 };
	struct buffer text = { 0 };
	struct why why = { "" };

	if (read_options(&options, &argc, argv, &why) < 0)
		return complain(why.text);
	if (options.help) {
		buffer_text(&text, USAGE);
		return print(&text);
	}
	if (options.store.address)
		return report_store_use(&options.store, argv[1], report_folder, &options);
	return (options.live ? serve : report)(&options, argv + 1, (size_t)argc - 1, &why) < 0 ? complain(why.text) : 0;
}
