/*
 * emulated.c - stands where a program for another machine is expected, and has an emulator run that one, as
 * binfmt_misc of the kernel would: it is this program's path with ".emulated".  EMULATOR is a path.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static const char ending[] = ".emulated";
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof ending);
	char **words = calloc((size_t)argc + 4, sizeof *words);

	if (length < 0 || !words)
		return 125;
	memcpy(path + length, ending, sizeof ending);
	words[0] = EMULATOR;
	words[1] = "-0";
	words[2] = argv[0];
	words[3] = path;
	memcpy(words + 4, argv + 1, (size_t)argc * sizeof *words);      /* with the NULL at the end */
	execv(EMULATOR, words);
	return 125;
}
