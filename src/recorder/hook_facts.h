/*
 * hook_facts.h - the facts of a run for the programs of --on-end and --on-limit: one object of JSON, with the keys of
 * `resource-tracker runs --json`.
 */
#ifndef RT_HOOK_FACTS_H
#define RT_HOOK_FACTS_H

#include "../core/aggregate.h"
#include "../core/buffer.h"
#include "../core/run.h"
#include "../options/options.h"

struct hook_facts {
	const char *limit;                      /* as the user wrote it, "memory>90%"; NULL: the run has ended */
	double value;                           /* that exceeds it */

	const char *host, *record;              /* record: NULL: none is written */
	const struct run *run;
	enum record_command record_command;
	const struct run_status *status;
	const struct aggregate *whole;
	double seconds;                         /* since the start */
};

void hook_facts_write(struct buffer *out, const struct hook_facts *f);

#endif
