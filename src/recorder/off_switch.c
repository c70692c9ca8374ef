/* off_switch.c - RESOURCE_TRACKER=off: commands run without being recorded. */
#include "off_switch.h"

#include <stdlib.h>
#include <string.h>

#include "../text/sentence.h"
#include "../text/shown.h"
#include "../text/values.h"
#include "become.h"
#include "child.h"

bool off_switch(struct why *why)
{
	const char *value = getenv("RESOURCE_TRACKER");
	bool on = true;

	/* Other software can use this plain name, so an unknown value must not keep a job from running. */
	if (value && *value && !value_bool(value, &on))
		(void)why_set(why, 0, "the variable RESOURCE_TRACKER is '%s', neither off nor on: it means on",
			      show(value).text);
	return !on;
}

static bool is_quiet(const struct arguments *arguments)
{
	bool quiet = false;

	for (size_t i = 0; i < arguments->n; i++)
		if (strcmp(arguments->given[i].option->name, "quiet") == 0)
			quiet = !arguments->given[i].value || (value_bool(arguments->given[i].value, &quiet) && quiet);
	return quiet;
}

int run_without_us(const struct arguments *arguments, char *const *environment, struct why *why)
{
	char *const *argv = arguments->command;

	if (!argv) {
		if (!is_quiet(arguments))
			sentence_print(NULL, "RESOURCE_TRACKER=off: nothing is watched and nothing is recorded");
		return 0;
	}

	int error = become(argv, environment);

	(void)why_set(why, error, "cannot run '%s': %s", argv[0], strerror(-error));
	return child_exec_status(-error);
}
