/* request.h - what a run asked for: cores and memory, as its scheduler or its control group has it. */
#ifndef RT_REQUEST_H
#define RT_REQUEST_H

#include "../advice/run_use.h"

/*
 * Of a rank of several its own part, where the scheduler says it; else what the job has on this node; without a
 * scheduler the limits of the control group, and the cores if they are fewer than the machine's.  NONE: nothing was
 * asked for, or it is not known.
 */
struct request { double cores, memory_bytes; };

struct request request_of(const struct digest *d);

#endif
