/* process.h - the state of the process collector: the sampler hands out its tree for events. */
#ifndef RT_COLLECT_PROCESS_H
#define RT_COLLECT_PROCESS_H

struct process { struct tree *tree; };

#endif
