/*
 * process.h - the state of the process collector: the sampler passes events to its tree, which the collector owns;
 * NULL: not started.
 */
#ifndef RT_COLLECT_PROCESS_H
#define RT_COLLECT_PROCESS_H

struct process { struct tree *tree; };

#endif
