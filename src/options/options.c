/* options.c - what the user asked for. */
#include "options.h"

/*
 * Outputs, and the file that may name outputs.  Not QUIET: who wants silence wants it from a tracker
 * inside a tracker too.
 */
const char *const options_private_variables[] = {
	"RESOURCE_TRACKER_OUTPUT", "TRACKER_OUTPUT", "RESOURCE_TRACKER_RECORD", "RESOURCE_TRACKER_CONFIG",
	NULL,
};

void options_release(struct options *o)
{
	arena_release(&o->memory);
	*o = (struct options){ 0 };
}
