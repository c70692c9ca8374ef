/* process.h - the state of the process collector: the sampler passes events to its tree. */
#ifndef RT_COLLECT_PROCESS_H
#define RT_COLLECT_PROCESS_H

struct process { struct tree *tree; };

#endif
