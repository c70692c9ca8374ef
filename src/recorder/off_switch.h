/* off_switch.h - RESOURCE_TRACKER=off: nothing is recorded, wherever it is asked for. */
#ifndef RT_OFF_SWITCH_H
#define RT_OFF_SWITCH_H

#include "../core/why.h"
#include "../options/arguments.h"

/* Whether the variable says so.  `why` gets a sentence if it says neither off nor on; it means on then. */
bool off_switch(struct why *why);

/*
 * In the place of recording: this process becomes the command, with the environment as it is; nothing of ours is read,
 * neither variables nor files.  Without a command there is nothing to do but to say so.  Returns the exit status, with
 * a sentence if the command cannot be run.
 */
int  run_without_us(const struct arguments *arguments, char *const *environment, struct why *why);

#endif
