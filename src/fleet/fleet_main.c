/* fleet_main.c - `resource-tracker fleet`: runs of many machines in one store, and questions to it. */
#include <string.h>

#include "../analysis/answer.h"
#include "../analysis/flags.h"
#include "../analysis/replaced_file.h"
#include "../text/shown.h"
#include "fleet_ends.h"
#include "fleet_push.h"
#include "fleet_recommend.h"
#include "fleet_report.h"
#include "store_kinds.h"

enum { LEFT_OUT = 1 };

static const char USAGE[] =
	"Usage: resource-tracker fleet init --store STORE [--cluster NAME]\n"
	"       resource-tracker fleet push --store STORE RECORD|DIR... [--record-folder URL] [--again]\n"
	"       resource-tracker fleet query --store STORE QUESTION [--since TIME] [--until TIME] [--name NAME]\n"
	"                                    [--share PERCENT] [--change PERCENT] [--limit N] [--json]\n"
	"       resource-tracker fleet report --store STORE [-o FILE.html | --json] [--since TIME] and the others of query\n"
	"       resource-tracker fleet recommend --store STORE --name NAME [--limit N] [--for FORM | --json]\n"
	"       resource-tracker fleet records --store STORE JOB DIR\n"
	"\n"
	"STORE is a file of SQLite, or clickhouse://HOST:PORT/DATABASE (clickhouses:// by https). User and password of ClickHouse\n"
	"are in CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, or in --header-file FILE as X-ClickHouse-User: ... and\n"
	"X-ClickHouse-Key: ...; --ca-file, --cert-file and --key-file FILE are for https.\n"
	"\n"
	"init makes the tables, and adds columns that an older version did not have; with --cluster on all servers of that cluster\n"
	"of ClickHouse, each run on one shard.\n"
	"push reads headers and ends of records and of all *.jsonl in folders; a run that is there already is left out, or\n"
	"replaced with --again, and a run that goes on is left out. --record-folder is where others find the records, if not by\n"
	"their path here. The exit status is 1 if a record could not be read.\n"
	"report answers all questions, of the last 30 days without --since: as text, as JSON, or as a page for the browser (-o).\n"
	"recommend is 'resource-tracker recommend' of the newest N (20) runs with this NAME, with its --for and --servers.\n"
	"records writes the first and last lines of the records of a scheduler's JOB into a folder: 'report', 'summary' and\n"
	"'export' of the folder are over all its ranks. 'resource-tracker report --from STORE JOB' does both.\n"
	"query answers a QUESTION about runs that started in [--since, --until), 2026-11-21, 2026-11-21T17:30 or 7d:\n";

struct fleet_options {
	struct store_place place;
	struct fleet_query query;
	struct recommended_options recommended;
	const char *record_folder, *output;
	bool again, help;
};

static int read_options(struct fleet_options *o, int *argc, char **argv, struct why *why)
{
	const struct flag flags[] = {
		{ "store", FLAG_TEXT, &o->place.address }, { "cluster", FLAG_TEXT, &o->place.cluster }, { "header-file", FLAG_TEXT, &o->place.header_file },
		{ "ca-file", FLAG_TEXT, &o->place.authorities }, { "cert-file", FLAG_TEXT, &o->place.certificate },
		{ "key-file", FLAG_TEXT, &o->place.key },
		{ "record-folder", FLAG_TEXT, &o->record_folder }, { "again", FLAG_SWITCH, &o->again },
		{ "since", FLAG_TEXT, &o->query.since }, { "until", FLAG_TEXT, &o->query.until },
		{ "name", FLAG_TEXT, &o->query.name }, { "share", FLAG_TEXT, &o->query.share },
		{ "change", FLAG_TEXT, &o->query.change }, { "limit", FLAG_TEXT, &o->query.limit },
		{ "json", FLAG_SWITCH, &o->query.json }, { "help", FLAG_SWITCH, &o->help },
		{ "o", FLAG_TEXT, &o->output }, { "output", FLAG_TEXT, &o->output }, RECOMMENDED_FLAGS(&o->recommended),
	};
	int r = flags_read(flags, countof(flags), argc, argv, why);

	if (r < 0 || o->help)
		return r;
	if (o->record_folder && !*o->record_folder)
		return why_set(why, -EINVAL, "--record-folder: it is empty");
	return 0;
}

/* Their arguments are the words after the action. */
struct action {
	const char *word, *name;
	enum store_purpose purpose;
	int (*run)(const struct fleet_options *o, const struct store_kind *kind, struct fleet_store *store, int argc,
		   char **argv, struct why *why);
};

static int init(const struct fleet_options *o, const struct store_kind *kind, struct fleet_store *store, int argc,
		char **argv, struct why *why)
{
	(void)o;
	if (argc > 0)
		return why_set(why, -EINVAL, "init takes flags only, not '%s'", show(argv[0]).text);
	return kind->init(store, why);
}

static int push(const struct fleet_options *o, const struct store_kind *kind, struct fleet_store *store, int argc,
		char **argv, struct why *why)
{
	struct fleet_push p = { .kind = kind, .store = store, .address = o->record_folder, .again = o->again };
	struct buffer text = { 0 };
	int r = argc > 0 ? 0 : why_set(why, -EINVAL, "which records? Give their paths, or a folder");

	for (int i = 0; r == 0 && i < argc; i++)
		r = fleet_push(&p, argv[i], why);
	if (r < 0)
		return r;
	buffer_format(&text, "%zu pushed, %zu already there, %zu still running, %zu left out\n", p.pushed, p.there, p.running,
		      p.failed);
	r = print(&text);
	return r ? r : p.failed > 0 ? LEFT_OUT : 0;
}

static int query(const struct fleet_options *o, const struct store_kind *kind, struct fleet_store *store, int argc,
		 char **argv, struct why *why)
{
	struct buffer text = { 0 };
	int r = argc == 1 ? 0 : why_set(why, -EINVAL, "which question? 'resource-tracker fleet --help' lists them");

	if (r == 0)
		r = fleet_query(&text, kind, store, argv[0], &o->query, why);
	if (r < 0) {
		buffer_release(&text);
		return r;
	}
	return print(&text);
}

static int write_page(const char *path, struct buffer *text, struct why *why)
{
	struct replaced_file file;
	int r = text->failed ? why_set(why, -ENOMEM, "out of memory") : replaced_file_open(&file, path, why);

	if (r < 0)
		return r;
	r = replaced_file_write(&file, text->at, text->len, why);
	if (r == 0)
		return replaced_file_finish(&file, why);
	replaced_file_abandon(&file);
	return r;
}

static int report(const struct fleet_options *o, const struct store_kind *kind, struct fleet_store *store, int argc,
		  char **argv, struct why *why)
{
	void (*form)(struct buffer *out, const struct fleet_report *r) =
		o->output ? fleet_report_page : o->query.json ? fleet_report_json : fleet_report_text;
	struct fleet_report answers = { .since = 0 };
	struct buffer text = { 0 };
	int r = argc == 0 ? 0 : why_set(why, -EINVAL, "report takes flags only, not '%s'", show(argv[0]).text);

	if (r == 0 && o->output && o->query.json)
		r = why_set(why, -EINVAL, "-o FILE is for the page: --json or -o, not both");
	if (r == 0)
		r = fleet_report_ask(&answers, kind, store, &o->query, why);
	if (r == 0)
		form(&text, &answers);
	fleet_report_release(&answers);
	if (r == 0 && !o->output)
		return print(&text);
	if (r == 0)
		r = write_page(o->output, &text, why);
	buffer_release(&text);
	return r;
}

static int recommend(const struct fleet_options *o, const struct store_kind *kind, struct fleet_store *store, int argc,
		     char **argv, struct why *why)
{
	struct recommended_options shown = o->recommended;
	struct recommended runs = { .n = 0 };
	int r = argc == 0 ? 0 : why_set(why, -EINVAL, "which runs? Give --name NAME, not '%s'", show(argv[0]).text);

	shown.json = o->query.json;
	if (r == 0)
		r = recommended_options_check(&shown, why);
	if (r == 0)
		r = recommended_servers_read(&runs, &shown, why);
	if (r == 0)
		r = fleet_recommend(&runs, kind, store, &o->query, why);
	if (r == 0)
		r = recommended_print(&runs, &shown);
	recommended_release(&runs);
	return r;
}

static int records(const struct fleet_options *o, const struct store_kind *kind, struct fleet_store *store, int argc,
		   char **argv, struct why *why)
{
	struct buffer text = { 0 };
	size_t n = 0;
	int r = argc == 2 ? 0 : why_set(why, -EINVAL, "which job, and into which folder? Give JOB DIR");

	(void)o;
	if (r == 0)
		r = fleet_ends_write(&n, kind, store, argv[0], argv[1], why);
	if (r < 0)
		return r;
	buffer_format(&text, "%zu record%s in %s\n", n, n == 1 ? "" : "s", show_path(argv[1]).text);
	return print(&text);
}

static const struct action actions[] = {
	{ "init", "fleet init", STORE_INIT, init }, { "push", "fleet push", STORE_PUSH, push },
	{ "query", "fleet query", STORE_ASK, query }, { "report", "fleet report", STORE_ASK, report },
	{ "recommend", "fleet recommend", STORE_ASK, recommend }, { "records", "fleet records", STORE_ASK, records },
};

static const struct action *action_of(const char *word)
{
	for (size_t i = 0; word && i < countof(actions); i++)
		if (strcmp(actions[i].word, word) == 0)
			return &actions[i];
	return NULL;
}

/* Returns the exit status, or -errno with a sentence. */
static int act(const struct action *action, const struct fleet_options *o, int argc, char **argv, struct why *why)
{
	const struct store_kind *kind;
	struct fleet_store *store;
	int r;

	if (!o->place.address)
		return why_set(why, -EINVAL, "which store? Give --store FILE");
	r = store_kind_find(&kind, &o->place, why);
	if (r == 0)
		r = kind->open(&store, &o->place, action->purpose, why);
	if (r < 0)
		return r;
	r = action->run(o, kind, store, argc, argv, why);
	kind->close(store);
	return r;
}

int main(int argc, char **argv)
{
	struct fleet_options o = { .again = false };
	struct buffer text = { 0 };
	struct why why = { "" };
	const struct action *action;
	int r;

	answer_as("fleet");
	if (read_options(&o, &argc, argv, &why) < 0)
		return complain(why.text);
	if (o.help) {
		buffer_text(&text, USAGE);
		fleet_question_list(&text);
		return print(&text);
	}
	action = action_of(argv[1]);
	if (!action)
		return complain("what to do? init, push, query, report, recommend or records: 'resource-tracker fleet --help'");
	answer_as(action->name);
	r = act(action, &o, argc - 2, argv + 2, &why);
	return r < 0 ? complain(why.text) : r;
}
