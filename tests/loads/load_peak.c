/*
 * load_peak.c - runs a command and writes the peak of its resident memory, in KiB, into a file.
 *
 *   load_peak FILE COMMAND ARGUMENTS...
 *
 * ru_maxrss counts from the fork on, so it has the pages of the process that forked (getrusage(2)): a command which a
 * large program starts is as large.
 */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../src/verify/load.h"

int main(int argc, char **argv)
{
	struct rusage usage;
	int status;

	if (argc < 3)
		load_fail("FILE COMMAND ARGUMENTS...");

	pid_t pid = fork();

	if (pid == 0) {
		(void)execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0)
		load_fail("the command cannot be started");

	FILE *file = fopen(argv[1], "we");

	if (!file || fprintf(file, "%ld\n", usage.ru_maxrss) < 0 || fclose(file) != 0)
		load_fail("%s cannot be written", argv[1]);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 125;
}
