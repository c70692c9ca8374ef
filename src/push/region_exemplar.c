/* region_exemplar.c - an entry of a region as an exemplar. */
#include "region_exemplar.h"

#include <stdio.h>
#include <string.h>

#include "../core/json_write.h"
#include "../core/sample.h"

/* OpenMetrics: 128 characters for the names and values of all its labels. */
enum { LABELS_LONGEST = 128, PATH_LONGEST = LABELS_LONGEST - (int)(sizeof "region" - 1) };

/* Of a longer path its end, which is the innermost region. */
static void put_path(char ret[REGION_PATH_SIZE], const char *path)
{
	struct buffer clean = { 0 };
	size_t from = 0;

	utf8_write(&clean, path, strlen(path));
	if (clean.len > PATH_LONGEST)
		from = clean.len - PATH_LONGEST;
	while (from < clean.len && ((unsigned char)clean.at[from] & 0xc0) == 0x80)
		from++;
	if (!clean.failed && clean.len > from)
		memcpy(ret, clean.at + from, clean.len - from);
	ret[clean.failed ? 0 : clean.len - from] = '\0';
	buffer_release(&clean);
}

/* "train" is around "train/epoch". */
static bool is_around(const char *outer, const char *inner)
{
	size_t n = strlen(outer);

	return strncmp(outer, inner, n) == 0 && inner[n] == '/';
}

/* An entry has the time of those in it, too: an inner one with half of it says more. */
static bool says_more(const struct region_event *e, const struct region_exemplar *than)
{
	if (than->whole[0] && is_around(e->path, than->whole))
		return e->cpu_seconds > 2 * than->cpu_seconds;
	if (than->whole[0] && is_around(than->whole, e->path))
		return 2 * e->cpu_seconds > than->cpu_seconds;
	return e->cpu_seconds > than->cpu_seconds;
}

void region_exemplar_consider(struct region_exemplar *ret, const struct region_event *e, int64_t start_wall_ns)
{
	if (e->kind != REGION_ENTRY || e->unfinished || !e->path[0] || !isfinite(e->seconds) ||
	    !isfinite(e->cpu_seconds) || !says_more(e, ret))
		return;
	(void)snprintf(ret->whole, sizeof ret->whole, "%s", e->path);
	put_path(ret->path, e->path);
	ret->cpu_seconds = e->cpu_seconds;
	ret->end_wall_ns = start_wall_ns + e->monotonic_ns + (int64_t)(e->seconds * NS_PER_SECOND);
}
