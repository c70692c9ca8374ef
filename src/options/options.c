/* options.c - the values that the user set. */
#include "options.h"

#include <string.h>

#include "../core/scan.h"

/*
 * Outputs, and the file that can name outputs.  Not QUIET: a user who wants silence wants it from nested trackers
 * too.
 */
const char *const options_private_variables[] = {
	"RESOURCE_TRACKER_OUTPUT", "TRACKER_OUTPUT", "RESOURCE_TRACKER_RECORD", "RESOURCE_TRACKER_CONFIG",
	"RESOURCE_TRACKER_SUMMARY_FILE", "RESOURCE_TRACKER_PUSH", "RESOURCE_TRACKER_LISTEN",
	"RESOURCE_TRACKER_UPLOAD", NULL,
};

int feed_descriptor(const char *feed)
{
	struct scan s = scan_of(feed, strlen(feed));
	uint64_t fd;

	if (!scan_literal(&s, "fd:") && !scan_literal(&s, "/dev/fd/") && !scan_literal(&s, "/proc/self/fd/"))
		return -1;
	return s.at < s.end && *s.at >= '0' && *s.at <= '9' && scan_u64(&s, &fd) && s.at == s.end && fd <= INT32_MAX
		? (int)fd : -1;
}

void options_release(struct options *o)
{
	arena_release(&o->memory);
	*o = (struct options){ 0 };
}
