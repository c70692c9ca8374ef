/* fleet_main.c - `resource-tracker fleet`: runs of many machines in one store, and questions to it. */
#include <string.h>

#include "../analysis/answer.h"
#include "../analysis/flags.h"
#include "../text/shown.h"
#include "fleet_push.h"
#include "fleet_query.h"

enum { LEFT_OUT = 1 };

static const char USAGE[] =
	"Usage: resource-tracker fleet init --store STORE\n"
	"       resource-tracker fleet push --store STORE RECORD|DIR... [--record-folder URL] [--again]\n"
	"       resource-tracker fleet query --store STORE QUESTION [--since TIME] [--until TIME] [--name NAME]\n"
	"                                    [--share PERCENT] [--change PERCENT] [--limit N] [--json]\n"
	"\n"
	"STORE is a file of SQLite.\n"
	"\n"
	"init makes the tables, and adds columns that an older version did not have.\n"
	"push reads headers and ends of records and of all *.jsonl in folders; a run that is there already is left out, or\n"
	"replaced with --again, and a run that goes on is left out. --record-folder is where others find the records, if not by\n"
	"their path here. The exit status is 1 if a record could not be read.\n"
	"query answers a QUESTION about runs that started in [--since, --until), 2026-11-21, 2026-11-21T17:30 or 7d:\n";

struct fleet_options {
	const char *store;
	struct fleet_query query;
	const char *record_folder;
	bool again, help;
};

static int read_options(struct fleet_options *o, int *argc, char **argv, struct why *why)
{
	const struct flag flags[] = {
		{ "store", FLAG_TEXT, &o->store },
		{ "record-folder", FLAG_TEXT, &o->record_folder }, { "again", FLAG_SWITCH, &o->again },
		{ "since", FLAG_TEXT, &o->query.since }, { "until", FLAG_TEXT, &o->query.until },
		{ "name", FLAG_TEXT, &o->query.name }, { "share", FLAG_TEXT, &o->query.share },
		{ "change", FLAG_TEXT, &o->query.change }, { "limit", FLAG_TEXT, &o->query.limit },
		{ "json", FLAG_SWITCH, &o->query.json }, { "help", FLAG_SWITCH, &o->help },
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

static const struct action actions[] = {
	{ "init", "fleet init", STORE_INIT, init }, { "push", "fleet push", STORE_PUSH, push },
	{ "query", "fleet query", STORE_ASK, query },
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
	const struct store_kind *kind = &store_sqlite;
	struct fleet_store *store;
	int r;

	if (!o->store)
		return why_set(why, -EINVAL, "which store? Give --store FILE");
	r = kind->open(&store, o->store, action->purpose, why);
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
		return complain("what to do? init, push or query: 'resource-tracker fleet --help'");
	answer_as(action->name);
	r = act(action, &o, argc - 2, argv + 2, &why);
	return r < 0 ? complain(why.text) : r;
}
