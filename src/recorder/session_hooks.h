/* session_hooks.h - when the programs of --on-end and --on-limit are started. */
#ifndef RT_SESSION_HOOKS_H
#define RT_SESSION_HOOKS_H

#include "hook_facts.h"
#include "hooks.h"

struct session_hooks {
	struct hooks calls;
	const struct options *options;
	struct limit_hook { struct threshold threshold; struct crossing crossing; char text[64]; } limit[HOOKS_MAX];
	size_t n_limits;
	struct why trouble;                     /* of a program that could not be started; "": none */
};

/* `o` and `signals` must outlive h. */
void session_hooks_open(struct session_hooks *h, const struct options *o, const struct inherited_signals *signals);
/* Starts the program of each limit that the sample exceeds.  facts: of the run so far, without a limit. */
void session_hooks_sample(struct session_hooks *h, const struct totals *now, const struct hook_facts *facts);
/* Starts those of --on-end. */
void session_hooks_end(struct session_hooks *h, const struct hook_facts *facts);
/* What went wrong with one, each returned once; false: nothing. */
bool session_hooks_trouble(struct session_hooks *h, struct why *ret);

#endif
