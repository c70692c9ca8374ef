/* report_store.c - records of a job out of a store, for as long as a report takes. */
#include "report_store.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../core/companion.h"
#include "../text/shown.h"
#include "answer.h"

extern char **environ;

static const char PROGRAM[] = "resource-tracker-fleet";
enum { WORDS_MOST = 16 };

static int make_folder(char *ret, struct why *why)
{
	const char *place = getenv("TMPDIR");
	int n = snprintf(ret, PATH_MAX, "%s/resource-tracker-ranks-XXXXXX", place && *place ? place : "/tmp");

	if (n >= PATH_MAX)
		return why_set(why, -ENAMETOOLONG, "TMPDIR: the path is too long");
	return mkdtemp(ret) ? 0 : why_set(why, -errno, "cannot make %s: %s", show_path(ret).text, strerror(errno));
}

/* posix_spawn does not modify its words. */
static char *word(const char *text)
{
	union { const char *given; char *at; } w = { text };

	return w.at;
}

/* The exit status; -errno with a sentence. */
static int run_fleet(const struct report_store *s, const char *job, const char *folder, struct why *why)
{
	const struct { const char *flag, *value; } flags[] = {
		{ "--store", s->address }, { "--header-file", s->header_file }, { "--ca-file", s->authorities },
		{ "--cert-file", s->certificate }, { "--key-file", s->key },
	};
	char path[PATH_MAX], *words[WORDS_MOST] = { word("fleet"), word("records") };
	posix_spawn_file_actions_t files;
	size_t n = 2;
	int status = 0, error;
	pid_t pid;

	if (!companion_path(path, sizeof path, ".", PROGRAM))
		return why_set(why, -ENOENT, "--from: %s is not installed", PROGRAM);
	for (size_t i = 0; i < countof(flags); i++) {
		if (!flags[i].value)
			continue;
		words[n++] = word(flags[i].flag);
		words[n++] = word(flags[i].value);
	}
	words[n++] = word("--");
	words[n++] = word(job);
	words[n++] = word(folder);
	if (posix_spawn_file_actions_init(&files) != 0)
		return why_set(why, -ENOMEM, "out of memory");
	error = posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	if (error == 0)
		error = posix_spawn(&pid, path, &files, NULL, words, environ);
	(void)posix_spawn_file_actions_destroy(&files);
	if (error != 0)
		return why_set(why, -error, "--from: %s cannot be started: %s", PROGRAM, strerror(error));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		return why_set(why, -EIO, "--from: %s was ended by signal %d", PROGRAM, WTERMSIG(status));
	return WEXITSTATUS(status);
}

static void remove_folder(const char *folder)
{
	DIR *all = opendir(folder);

	for (const struct dirent *e; all && (e = readdir(all)) != NULL;)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			(void)unlinkat(dirfd(all), e->d_name, 0);
	if (all)
		(void)closedir(all);
	(void)rmdir(folder);
}

static int in_a_process(int (*use)(void *context, char *folder), void *context, char *folder)
{
	int status = 0;
	pid_t pid = fork();

	if (pid == 0)
		exit(use(context, folder));
	if (pid < 0)
		return complain("out of processes or memory");
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : complain("the process that makes the report was ended by a signal");
}

int report_store_use(const struct report_store *s, const char *job, int (*use)(void *context, char *folder),
		     void *context)
{
	struct why why = { "" };
	char folder[PATH_MAX];
	int r = make_folder(folder, &why);

	if (r < 0)
		return complain(why.text);
	r = run_fleet(s, job, folder, &why);
	r = r < 0 ? complain(why.text) : r > 0 ? r : in_a_process(use, context, folder);
	remove_folder(folder);
	return r;
}
