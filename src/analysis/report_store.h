/*
 * report_store.h - `report --from STORE JOB`: the ranks of a job by their records in a store.  The program `fleet` gets
 * them out, as this one opens no database.
 */
#ifndef RT_REPORT_STORE_H
#define RT_REPORT_STORE_H

#include "../core/base.h"

/* As the user gave them; NULL: not given. */
struct report_store { const char *address, *header_file, *authorities, *certificate, *key; };

#define REPORT_STORE_FLAGS(s) \
	{ "from", FLAG_TEXT, &(s)->address }, { "header-file", FLAG_TEXT, &(s)->header_file }, \
	{ "ca-file", FLAG_TEXT, &(s)->authorities }, { "cert-file", FLAG_TEXT, &(s)->certificate }, \
	{ "key-file", FLAG_TEXT, &(s)->key }

/*
 * Lets `use` read a folder of files with the first and last lines of the job's records, in a process of its own,
 * which may confine itself; the folder is removed then.  Returns the exit status: that of `use`, or that of a command
 * that has reported why it failed.
 */
int report_store_use(const struct report_store *s, const char *job, int (*use)(void *context, char *folder),
		     void *context) must_use;

#endif
