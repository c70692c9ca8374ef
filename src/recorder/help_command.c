/* help_command.c - `resource-tracker help`: on topics and subcommands, man pages, completions. */
#include "help_command.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "../options/options.h"
#include "../options/prose.h"
#include "../text/did_you_mean.h"
#include "../text/sentence.h"
#include "reply.h"

static bool is_subcommand(const char *word)
{
	const struct term *t = prose_subcommands;

	while (t->word && strcmp(t->word, word) != 0)
		t++;
	return t->word;
}

static int command_help(const char *name, help_runner *run)
{
	static char help[] = "--help";
	char word[32];
	char *argv[] = { word, help, NULL };

	(void)snprintf(word, sizeof word, "%s", name);
	return run(2, argv);
}

static const char takes[] = "[TOPIC | --man [SUBCOMMAND] | --completion bash|zsh|fish]";

static int no_topic(const char *topic, const struct guess *guess)
{
	struct buffer topics = { 0 };

	for (const struct prose *t = prose_topics; t->title; t++)
		buffer_format(&topics, "%s%s", t->title, t[1].title ? ", " : "");
	buffer_char(&topics, '\0');
	if (guess->best)
		sentence_print("help", "there is no topic '%s'; did you mean %s?", topic, guess->best);
	else
		sentence_print("help", "there is no topic '%s': the topics are %s, and the subcommands", topic,
			       topics.failed ? "" : topics.at);
	buffer_release(&topics);
	return OWN_FAILURE;
}

static int help_on(int argc, char **argv, help_runner *run)
{
	struct guess guess = { .word = argv[1] };
	struct buffer text = { 0 };

	if (options_help_topic(&text, argv[1], reply_columns()))
		return reply_print(&text);
	if (is_subcommand(argv[1]))
		return command_help(argv[1], run);
	if (argv[1][0] == '-')
		return reply_usage(argc, argv, takes, "");
	for (const struct prose *t = prose_topics; t->title; t++)
		guess_consider(&guess, t->title);
	for (const struct term *t = prose_subcommands; t->word; t++)
		guess_consider(&guess, t->word);
	return no_topic(argv[1], &guess);
}

/* Takes what the subcommand's --help prints, in a process of its own.  -errno. */
static int read_usage(struct buffer *ret, const char *name, help_runner *run)
{
	char chunk[4096];
	int ends[2], status = 0;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) < 0 || (pid = fork()) < 0)
		return -errno;
	if (pid == 0) {
		if (dup2(ends[1], STDOUT_FILENO) < 0)
			_exit(OWN_FAILURE);
		_exit(command_help(name, run));
	}
	close_p(&ends[1]);
	for (ssize_t n; (n = read(ends[0], chunk, sizeof chunk)) != 0;)
		if (n > 0)
			buffer_bytes(ret, chunk, (size_t)n);
		else if (errno != EINTR)
			break;
	close_p(&ends[0]);
	buffer_char(ret, '\0');
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status == 0 && !ret->failed ? 0 : -ECANCELED;
}

/* Its --help prints the sentence if it is not installed. */
static int print_command_man(const char *name, help_runner *run)
{
	struct buffer usage_text = { 0 }, text = { 0 };
	int result = OWN_FAILURE;

	if (!is_subcommand(name))
		sentence_print("help", "there is no subcommand '%s'", name);
	else if (read_usage(&usage_text, name, run) == 0 && options_man_command(&text, name, usage_text.at))
		result = reply_print(&text);
	buffer_release(&usage_text);
	buffer_release(&text);
	return result;
}

int help_command(int argc, char **argv, help_runner *run)
{
	struct buffer text = { 0 };

	if (argc == 1) {
		options_help(&text, reply_columns());
		return reply_print(&text);
	}
	if (argc == 2 && reply_help_is_asked(argc, argv)) {
		buffer_text(&text, "Usage: resource-tracker help [TOPIC]\n       resource-tracker help --man [SUBCOMMAND]\n"
			    "       resource-tracker help --completion bash|zsh|fish\n\nTOPIC is a subcommand, or one of:\n");
		for (const struct prose *t = prose_topics; t->title; t++)
			buffer_format(&text, "  %-10s %s\n", t->title, t->text);
		return reply_print(&text);
	}
	if (argc == 2 && strcmp(argv[1], "--man") == 0)
		options_man(&text);
	else if (argc == 3 && strcmp(argv[1], "--man") == 0)
		return print_command_man(argv[2], run);
	else if (argc == 3 && strcmp(argv[1], "--completion") == 0) {
		if (options_completion(&text, argv[2]) < 0)
			return reply_usage(argc, argv, "--completion bash|zsh|fish", "");
	} else if (argc == 2)
		return help_on(argc, argv, run);
	else
		return reply_usage(argc, argv, takes, "");
	return reply_print(&text);
}
