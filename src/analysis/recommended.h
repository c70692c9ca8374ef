/* recommended.h - what `recommend` prints of runs, wherever they were read: from records or from a store of a fleet. */
#ifndef RT_RECOMMENDED_H
#define RT_RECOMMENDED_H

#include "../advice/advice_words.h"
#include "flags.h"

struct recommended_options {                    /* zeroed initially; texts as the user gave them, NULL: not given */
	const char *form, *servers, *vendor, *region;
	bool json;
	advice_form *write;                     /* of `form`, after the check; NULL: text or JSON */
};

/* Rows for the table of flags.h; --json is the caller's. */
#define RECOMMENDED_FLAGS(o) \
	{ "for", FLAG_TEXT, &(o)->form }, { "servers", FLAG_TEXT, &(o)->servers }, \
	{ "vendor", FLAG_TEXT, &(o)->vendor }, { "region", FLAG_TEXT, &(o)->region }

/* -EINVAL with a sentence: they do not fit together. */
int recommended_options_check(struct recommended_options *o, struct why *why) must_use;

struct recommended {                            /* zeroed initially; released after an error too */
	struct advised_run *runs;               /* in any order */
	size_t n;
	struct buffer title;                    /* the job's name or command, terminated */
	struct advised_ranks ranks;             /* size 0: they are not ranks of one job */
	struct server_table servers;            /* n 0: not asked for */
	int64_t newest_wall_ns;
	struct cloud cloud;                     /* where the newest run was */
};

/* A run to be filled in.  NULL: out of memory. */
struct advised_run *recommended_run(struct recommended *to) must_use;
/* The table of --servers, if it was given. */
int  recommended_servers_read(struct recommended *to, const struct recommended_options *o, struct why *why) must_use;
/* Prints the advice of these runs, at least one, and sorts them.  Returns the exit status. */
int  recommended_print(struct recommended *runs, const struct recommended_options *o);
void recommended_release(struct recommended *r);

#endif
