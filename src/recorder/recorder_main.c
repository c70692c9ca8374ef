/* recorder_main.c - main: options, the recorder's own subcommands, companion programs, and recording. */
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>

#include "../core/companion.h"
#include "../options/options_reader.h"
#include "../text/did_you_mean.h"
#include "../text/metrics_text.h"
#include "../text/sentence.h"
#include "adopted_child.h"
#include "help_command.h"
#include "live_view.h"
#include "off_switch.h"
#include "own_cost.h"
#include "recorder.h"
#include "region_command.h"
#include "reply.h"

enum { NOT_FOUND = 127 };

static int complain(const char *sentence)
{
	sentence_print(NULL, "%s", sentence);
	return OWN_FAILURE;
}

/* Warnings are kept until all options are read, since --quiet can follow. */
static struct buffer warnings;

static void warn(const char *sentence)
{
	buffer_bytes(&warnings, sentence, strlen(sentence) + 1);
}

static void print_warnings(void)
{
	for (size_t i = 0; !warnings.failed && i < warnings.len; i += strlen(warnings.at + i) + 1)
		sentence_print(NULL, "%s", warnings.at + i);
}

static int print_help(void)
{
	struct buffer text = { 0 };

	options_help(&text, reply_columns());
	return reply_print(&text);
}

/* ---- subcommands: argv[0] is the word itself --------------------------------------------- */

static int metrics_main(int argc, char **argv)
{
	struct buffer text = { 0 };

	if (argc == 1)
		metrics_text(&text, METRICS_PLAIN);
	else if (argc == 2 && strcmp(argv[1], "--markdown") == 0)
		metrics_text(&text, METRICS_MARKDOWN);
	else if (argc == 2 && strcmp(argv[1], "--json") == 0)
		metrics_text(&text, METRICS_JSON);
	else
		return reply_usage(argc, argv, "[--markdown | --json]",
				   "Lists all metrics, with their units and meanings, as text, Markdown or JSON.\n");
	return reply_print(&text);
}

static int region_main(int argc, char **argv)
{
	return region_command(argc, argv) == 0 ? 0 :
	       reply_usage(argc, argv, "begin NAME | end [NAME] | mark TEXT | value NAME NUMBER",
			   "Names the parts of a shell script, so that summary and report show what each of them used. In a script that\n"
			   "is not run by resource-tracker it does nothing.\n\n"
			   "  begin NAME         a part begins; it can be within another one\n"
			   "  end [NAME]         it ends; without NAME, the one that began last\n"
			   "  mark TEXT          something happened now\n"
			   "  value NAME NUMBER  a number of your own, such as a loss, for the report\n");
}

static int help_main(int argc, char **argv);

/* A command has a function here, or a companion program, or neither yet. */
static const struct command { const char *word, *program; int (*main)(int argc, char **argv); } commands[] = {
#define OWN(word, takes, what) { #word, NULL, word##_main },
#define COMMAND(word, program, takes, what) { #word, program, NULL },
#define RESERVED(word) { #word, NULL, NULL },
#include "../core/commands.def"
};

static int run_companion(const char *program, char **argv)
{
	char name[64], path[PATH_MAX];

	if (!program) {
		sentence_print(NULL, "'%s' is a reserved word, and its program does not exist yet; to run a command of that "
			       "name, write: resource-tracker -- %s", argv[0], argv[0]);
		return OWN_FAILURE;
	}
	(void)snprintf(name, sizeof name, "resource-tracker-%s", program);
	if (companion_path(path, sizeof path, RT_LIBEXEC, name))
		execv(path, argv);
	sentence_print(NULL, "'%s' is not installed (%s: %s); to run a command of that name, write: resource-tracker -- %s",
		       argv[0], path, strerror(errno), argv[0]);
	return OWN_FAILURE;
}

static int run_command(const struct command *c, int argc, char **argv)
{
	return c->main ? c->main(argc, argv) : run_companion(c->program, argv);
}

/* -ENOENT: there is no such subcommand. */
static int run_named(int argc, char **argv)
{
	for (const struct command *c = commands; c < commands + countof(commands); c++)
		if ((c->main || c->program) && strcmp(argv[0], c->word) == 0)
			return run_command(c, argc, argv);
	return -ENOENT;
}

static int help_main(int argc, char **argv)
{
	return help_command(argc, argv, run_named);
}

static int print_version(void)
{
	struct buffer text = { 0 };

	buffer_text(&text, "resource-tracker " RT_VERSION "\n");
	return reply_print(&text);
}

/* The command was not found: a subcommand with a similar name, or NULL. */
static const char *subcommand_like(const char *word)
{
	struct guess g = { .word = word };

	for (size_t i = 0; i < countof(commands); i++)
		if (commands[i].main || commands[i].program)
			guess_consider(&g, commands[i].word);
	return g.best;
}

/* Prints the sentence that a run ended with.  word: the first argument if it is the command's name; else NULL. */
static void complain_of_run(int status, const struct why *why, const char *word)
{
	const char *meant = status == NOT_FOUND && word ? subcommand_like(word) : NULL;

	if (meant)
		sentence_print(NULL, "%s; did you mean %s?", why->text, meant);
	else
		(void)complain(why->text);
}

/* RESOURCE_TRACKER=off */
static int off_main(int argc, char **argv, char **environment)
{
	struct arguments arguments;
	struct why why = { "" };
	int status = OWN_FAILURE;

	switch (arguments_read(&arguments, argc, argv, &why)) {
	case OPTIONS_HELP:
		status = print_help();
		break;
	case OPTIONS_VERSION:
		status = print_version();
		break;
	case OPTIONS_RUN:
		status = run_without_us(&arguments, environment, &why);
		break;
	case OPTIONS_ERROR:
		break;
	}
	if (why.text[0])
		complain_of_run(status, &why, arguments.command == argv + 1 ? argv[1] : NULL);
	free(arguments.given);
	return status;
}

/* adopted: NULL, or the child that the recorder is around. */
static int record_main(int argc, char **argv, char **environment, struct adopted_child *adopted)
{
	struct options options;
	struct why why = { "" };
	const char *word = NULL;
	int status = OWN_FAILURE;

	if (off_switch(&why))
		return adopted ? 0 : off_main(argc, argv, environment);
	if (why.text[0])
		warn(why.text);
	why.text[0] = '\0';

	enum options_outcome outcome = options_read(&options, argc, argv, environment, warn, &why);

	if (outcome == OPTIONS_ERROR || (outcome == OPTIONS_RUN && !options.quiet))
		print_warnings();
	buffer_release(&warnings);
	switch (outcome) {
	case OPTIONS_HELP:
		return print_help();
	case OPTIONS_VERSION:
		return print_version();
	case OPTIONS_RUN:
		why.text[0] = '\0';
		if (live_view_wanted(&options))
			live_view_begin(&options);
		options.adopted = adopted;
		status = recorder_run(&options, &why);
		word = options.run.command == argv + 1 ? argv[1] : NULL;
		options_release(&options);
		break;
	case OPTIONS_ERROR:
		options_release(&options);
		break;
	}
	if (why.text[0])
		complain_of_run(status, &why, word);
	return status;
}

int main(int argc, char **argv, char **environment)
{
	own_cost_begin();
#ifdef M_MMAP_THRESHOLD         /* glibc; musl does this by default */
	/* Large tables then get fresh pages of zeros, not reused heap memory, so their unused pages cost nothing. */
	(void)mallopt(M_MMAP_THRESHOLD, 32 * 1024);
	(void)mallopt(M_TOP_PAD, 32 * 1024);
#endif
	struct adopted_child adopted;

	if (adopted_child_read(&adopted, &argc, argv))
		return adopted_child_finish(&adopted, record_main(argc, argv, environment, &adopted));
	for (const struct command *c = commands; argc > 1 && c < commands + countof(commands); c++)
		if (strcmp(argv[1], c->word) == 0)
			return run_command(c, argc - 1, argv + 1);
	return record_main(argc, argv, environment, NULL);
}
