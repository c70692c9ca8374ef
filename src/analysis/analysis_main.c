/* analysis_main.c - the analysis companion: subcommands for finished runs. */
#include <stdio.h>
#include <string.h>

#include "answer.h"

static const struct { const char *word; int (*main)(int argc, char **argv); } commands[] = {
#define ANALYSIS(word, takes, what) { #word, word##_main },
#include "../core/commands.def"
};

int main(int argc, char **argv)
{
	/*
	 * resource-tracker passes the subcommand as argv[0]; if this program is run directly, it is the first
	 * argument.
	 */
	for (int first = 0; first < 2 && first < argc; first++)
		for (size_t i = 0; i < countof(commands); i++)
			if (strcmp(argv[first], commands[i].word) == 0) {
				answer_as(commands[i].word);
				return commands[i].main(argc - first, argv + first);
			}
	return complain("this program is called by resource-tracker: resource-tracker runs");
}
