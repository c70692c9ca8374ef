/* push_program.c - the words with which the companion is started. */
#include "push_program.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../core/companion.h"

static const char PROGRAM[] = "resource-tracker-push";

struct words { char **at; size_t n; };

/* execve() takes words that it does not change as char *. */
static void add(struct words *to, const char *word)
{
	if (to->n < FEED_WORDS_MAX)
		to->at[to->n++] = (char *)(uintptr_t)word;
}

static void add_flag(struct words *to, const char *flag, const char *value)
{
	if (!value)
		return;
	add(to, flag);
	add(to, value);
}

_Static_assert(2 * 2 * PUSH_MAX + 16 <= FEED_WORDS_MAX, "room for all words of a --push");

/* The words that both have.  After an error *p is as it was; else p->copy is to be freed. */
static int begin(struct feed_program *p, struct words *words, const char *option, const struct options *o,
		 const struct inherited_signals *signals, struct why *why)
{
	struct feed_program made = { .line = PROGRAM, .copy = malloc(PATH_MAX + 32), .signals = *signals };
	char *seconds;

	if (!made.copy)
		return why_set(why, -ENOMEM, "%s: out of memory", option);
	if (!companion_path(made.copy, PATH_MAX, RT_LIBEXEC, PROGRAM)) {
		int r = why_set(why, -errno, "%s: nothing is sent, because %s cannot be run (%s); it is built where libcurl is installed",
				option, made.copy, strerror(errno));

		free(made.copy);
		return r;
	}
	seconds = made.copy + strlen(made.copy) + 1;
	(void)snprintf(seconds, 32, "%.3fs", o->push_drain_seconds);
	memcpy(p, &made, sizeof made);
	*words = (struct words){ p->words, 0 };
	add(words, p->copy);
	if (o->quiet)
		add(words, "--quiet");
	add_flag(words, "--ca-file", o->push_ca_file);
	add_flag(words, "--cert-file", o->push_cert_file);
	add_flag(words, "--key-file", o->push_key_file);
	add_flag(words, "--drain", seconds);
	return 0;
}

int push_program_open(struct feed_program *p, const struct options *o, const struct inherited_signals *signals,
		      struct why *why)
{
	struct words words = { NULL, 0 };
	int r = begin(p, &words, "--push", o, signals, why);

	if (r < 0)
		return r;
	add(&words, "--feed");
	for (size_t i = 0; i < o->push.n; i++)
		add_flag(&words, "--to", o->push.at[i]);
	for (size_t i = 0; i < o->push_header_files.n; i++)
		add_flag(&words, "--header-file", o->push_header_files.at[i]);
	if (o->discover)
		add(&words, "--cloud");
	add_flag(&words, "--listen", o->listen);
	add_flag(&words, "--listen-token-file", o->listen_token_file);
	return 0;
}

int upload_program_open(struct feed_program *p, const struct options *o, const char *record,
			const struct inherited_signals *signals, struct why *why)
{
	struct words words = { NULL, 0 };
	int r = begin(p, &words, "--upload", o, signals, why);

	if (r < 0)
		return r;
	add_flag(&words, "--upload", record);
	add_flag(&words, "--to", o->upload);
	return 0;
}
