/* flags.c - the flags of a subcommand, from a table. */
#include "flags.h"

#include <string.h>

#include "../text/did_you_mean.h"
#include "../text/shown.h"

static const struct flag *find(const struct flag *flags, size_t n, const char *name, size_t length)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(flags[i].name) == length && strncmp(flags[i].name, name, length) == 0)
			return &flags[i];
	return NULL;
}

static int unknown(const struct flag *flags, size_t n, const char *word, struct why *why)
{
	struct guess guess = { .word = word + strspn(word, "-") };

	for (size_t i = 0; i < n; i++)
		guess_consider(&guess, flags[i].name);
	return guess.best ? why_set(why, -EINVAL, "there is no option %s; did you mean --%s?", show(word).text, guess.best)
			  : why_set(why, -EINVAL, "there is no option %s; --help lists the options", show(word).text);
}

static int take(const struct flag *flag, const char *value, struct why *why)
{
	struct flag_texts *texts = flag->to;

	switch (flag->kind) {
	case FLAG_SWITCH:
		*(bool *)flag->to = true;
		break;
	case FLAG_TEXT:
		*(const char **)flag->to = value;
		break;
	case FLAG_TEXTS:
		if (texts->n == countof(texts->at))
			return why_set(why, -EINVAL, "--%s is given too often", flag->name);
		texts->at[texts->n++] = value;
		break;
	}
	return 0;
}

int flags_read(const struct flag *flags, size_t n, int *argc, char **argv, struct why *why)
{
	int words = 1;
	bool ended = false;

	for (int i = 1; i < *argc; i++) {
		char *word = argv[i];

		if (ended || word[0] != '-' || !word[1]) {
			argv[words++] = word;
			continue;
		}
		if (strcmp(word, "--") == 0) {
			ended = true;
			continue;
		}

		/* "--name", "--name=value"; a name of one letter: "-o", "-ovalue". */
		bool is_long = word[1] == '-';
		size_t length = is_long ? strcspn(word + 2, "=") : 1;
		const struct flag *flag = is_long == (length > 1) ? find(flags, n, word + 1 + is_long, length) : NULL;
		const char *end = word + 1 + is_long + length;
		const char *value = !*end ? NULL : is_long ? end + 1 : end;

		if (!flag)
			return unknown(flags, n, word, why);
		if (flag->kind == FLAG_SWITCH && value)
			return why_set(why, -EINVAL, "--%s takes no value", flag->name);
		if (flag->kind != FLAG_SWITCH && !value && ++i == *argc)
			return why_set(why, -EINVAL, "%s%s takes a value", is_long ? "--" : "-", flag->name);

		int r = take(flag, value ? value : argv[i], why);

		if (r < 0)
			return r;
	}
	argv[words] = NULL;
	*argc = words;
	return 0;
}
