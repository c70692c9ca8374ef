/* recommend_store.c - `recommend --from STORE`. */
#include "recommend_store.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../core/companion.h"
#include "answer.h"

static const char PROGRAM[] = "resource-tracker-fleet";
static const char FROM[] = "--from";

/* "--from" or "--from=STORE". */
static bool is_from(const char *word)
{
	size_t n = sizeof FROM - 1;

	return strncmp(word, FROM, n) == 0 && (word[n] == '\0' || word[n] == '=');
}

bool recommend_asks_store(int argc, char *const *argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (is_from(argv[i]))
			return true;
	return false;
}

int recommend_from_store(int argc, char *const *argv)
{
	static char name[] = "fleet", action[] = "recommend";
	char **words = calloc((size_t)argc + 2, sizeof *words);
	char path[PATH_MAX];
	struct why why = { "" };
	bool flags = true;
	int n = 0;

	if (!words)
		return complain("out of memory");
	words[n++] = name;
	words[n++] = action;
	for (int i = 1; i < argc; i++) {
		flags = flags && strcmp(argv[i], "--") != 0;
		if (!flags || !is_from(argv[i]))
			words[n++] = argv[i];
		else if (asprintf(&words[n++], "--store%s", argv[i] + sizeof FROM - 1) < 0)
			return complain("out of memory");
	}
	if (!companion_path(path, sizeof path, ".", PROGRAM))
		(void)why_set(&why, -ENOENT, "--from: %s is not installed", PROGRAM);
	else if (execv(path, words) < 0)
		(void)why_set(&why, -errno, "--from: %s cannot be started: %s", PROGRAM, strerror(errno));
	free(words);
	return complain(why.text);
}
