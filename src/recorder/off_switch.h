/* off_switch.h - RESOURCE_TRACKER=off: commands run without being recorded. */
#ifndef RT_OFF_SWITCH_H
#define RT_OFF_SWITCH_H

#include "../core/why.h"
#include "../options/arguments.h"

/* Whether the variable is off.  An invalid value counts as on, and `why` gets a sentence about it, else it stays. */
bool off_switch(struct why *why);

/*
 * Instead of recording: execs the command in this process, with the environment unchanged; reads no other variables and
 * no files.  Without a command it only prints a sentence (not with --quiet).  Returns the exit status, with a sentence
 * in `why` if the command cannot be run.
 */
int  run_without_us(const struct arguments *arguments, char *const *environment, struct why *why);

#endif
