/*
 * region_command.c - `resource-tracker region`: a shell script reports its regions as lines.
 *
 * docs/reference/regions.md has the protocol.
 */
#include "region_command.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../core/buffer.h"

/* Verbs, and the least number of words after them. */
static const struct { const char *verb; int least; } verbs[] = {
	{ "begin", 1 }, { "end", 0 }, { "mark", 1 }, { "value", 2 },
};

static void one_word(struct buffer *out, const char *word)
{
	buffer_char(out, ' ');
	for (; *word; word++)
		buffer_char(out, *word == '\n' ? ' ' : *word);
}

int region_command(int argc, char **argv)
{
	const char *path = getenv("RESOURCE_TRACKER_REGIONS");
	struct buffer line = { 0 };
	struct timespec now;
	size_t i = 0;

	while (argc > 1 && i < countof(verbs) && strcmp(argv[1], verbs[i].verb) != 0)
		i++;
	if (argc < 2 || i == countof(verbs) || argc - 2 < verbs[i].least)
		return -EINVAL;

	int fd = path && *path ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK) : -1;

	if (fd < 0)                             /* no recorder runs */
		return 0;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	buffer_format(&line, "t=%lld.%09ld", (long long)now.tv_sec, now.tv_nsec);
	for (int k = 1; k < argc; k++)
		one_word(&line, argv[k]);
	buffer_char(&line, '\n');
	if (!line.failed)
		(void)!write(fd, line.at, line.len);
	buffer_release(&line);
	(void)close(fd);
	return 0;
}
