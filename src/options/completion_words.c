/*
 * completion_words.c - the words of a subcommand, as a script for sh that all shells run: its flags are those that
 * --help shows, runs are those of the history.
 */
#include <string.h>

#include "completion.h"
#include "prose.h"

/*
 * Arguments: the program ($0), the subcommand, the words after it up to the one at the cursor.  Writes a word a line.
 * Without quotes and backslashes that mean something else within single quotes of bash, zsh or fish.
 */
static const char begin[] =
	"say() { printf \"%s\\n\" \"$@\"; }\n"
	"subcommand=$1 first=$2 previous= current=\n"
	"for word; do previous=$current current=$word; done\n"
	"case $previous in\n";
static const char lists[] =
	"-o|--output|--directory) exit ;;\n"
	"esac\n"
	"case $current in\n"
	"-*) \"$0\" \"$subcommand\" --help | grep -oE -e \"--[a-z][a-z-]+\" | sort -u; exit ;;\n"
	"esac\n";
static const char runs[] =
	") say last; \"$0\" runs --columns run | tail -n +2 ;;\n"
	"esac\n";

static void columns(struct buffer *out)
{
	static const char names[] =
#define COLUMN(NAME, name, title, right, usual, help) " " #name
#include "../core/run_columns.def"
#define QUANTITY(name, unit, statistic, tree, basis, tree_else, basis_else, machine, help) " " #name
#include "../core/quantities.def"
		;

	/* After a comma the next name; after a minus, the reverse. */
	buffer_text(out, "--sort|--columns) for name in");
	buffer_text(out, names);
	buffer_text(out, "; do\n\tcase $previous$current in --sort-*) say \"-$name\" ;; "
		    "*) say \"${current%\"${current##*,}\"}$name\" ;; esac\n\tdone; exit ;;\n");
}

static bool is_choice(const char *takes)
{
	return strchr(takes, '|') && !strchr(takes, '-') && !strstr(takes, "RUN");
}

/* "[show|rm|prune]" as " show rm prune"; words in capitals stand for something else. */
static void choices(struct buffer *out, const char *takes)
{
	for (const char *word = takes + strspn(takes, "[]|"); *word; word += strspn(word, "[]|")) {
		size_t n = strcspn(word, "[]|");

		if (*word >= 'a' && *word <= 'z') {
			buffer_char(out, ' ');
			buffer_bytes(out, word, n);
		}
		word += n;
	}
}

void completion_words(struct buffer *out)
{
	const char *between = "";

	buffer_text(out, begin);
#define FLAG_VALUES(flag, words) buffer_text(out, flag ") say" words "; exit ;;\n");
#include "../core/flag_values.def"
	columns(out);
	buffer_text(out, lists);
	buffer_text(out, "case $subcommand:$# in\n");
	for (const struct term *s = prose_subcommands; s->word; s++)
		if (is_choice(s->takes)) {
			buffer_format(out, "%s:2) say", s->word);
			choices(out, s->takes);
			buffer_text(out, "; exit ;;\n");
		}
	buffer_text(out, "help:2) say");
	for (const struct prose *t = prose_topics; t->title; t++)
		buffer_format(out, " %s", t->title);
	buffer_char(out, ' ');
	completion_subcommands(out);
	buffer_text(out, "; exit ;;\nesac\ncase $subcommand:$first in\n");
	for (const struct term *s = prose_subcommands; s->word; s++)
		if (strstr(s->takes, "RUN") || strstr(s->takes, "BASE")) {
			buffer_format(out, "%s%s:*", between, s->word);
			between = "|";
		}
	buffer_text(out, "|runs:show|runs:rm");
	buffer_text(out, runs);
}
