/*
 * discovery.h - asks for the cloud that the machine is in, beside the run (--discover): by resource-tracker-discover,
 * which a worker waits for, so that it is no process of the command's.
 */
#ifndef RT_DISCOVERY_H
#define RT_DISCOVERY_H

#include "../core/cloud.h"
#include "../core/worker.h"
#include "../core/why.h"

/* Zeroed: nothing is asked. */
struct discovery {
	struct worker *worker;
	struct discovery_job *job;              /* NULL: nothing is asked, or the answer was taken */
	double begun;                           /* as seconds_now */
};

/* Starts it.  root: where the firmware is read; it must outlive d; NULL: "/".  -errno with a sentence. */
int  discovery_open(struct discovery *d, const char *root, struct why *why) must_use;
/*
 * Whether its answer is here, once; waits for it if wait is set, not much longer than it takes: a second since it was
 * begun.  trouble: "", or why nothing could be asked; then ret->asked is false.
 */
bool discovery_answer(struct discovery *d, bool wait, struct cloud *ret, struct why *trouble);
void discovery_close(struct discovery *d);      /* d is zeroed; waits for nothing */

#endif
