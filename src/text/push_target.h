/* push_target.h - FORM=URL, FORM=HOST:PORT or a service: a destination, as --push and `push --to` take it. */
#ifndef RT_PUSH_TARGET_H
#define RT_PUSH_TARGET_H

#include "../core/scan.h"
#include "../core/why.h"

struct push_target {
	struct word form;                       /* a word of push_forms.def */
	const char *url;                        /* behind the =; "" for a service alone */
	struct word authority, rest;            /* of the URL: host and port; path and query; "" if there is none */
};

/*
 * origin: the option, for messages.  -EINVAL with a sentence: an unknown form, not http or https (not HOST:PORT for a
 * form by UDP), or a password in the URL, which every user of the machine could read there.
 */
int push_target_read(struct push_target *ret, const char *text, const char *origin, struct why *why) must_use;

#endif
