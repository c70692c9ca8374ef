/*
 * condition.h - conditions under which a comparison fails: the syntax of --fail-on.
 *
 *     peak_memory>+5%      more than base by more than 5 %
 *     duration>+10s        more than base by more than this
 *     peak_memory>2GiB     more than this, for any base
 *     mean_cpu<-10%        less than base by more than 10 %
 */
#ifndef RT_CONDITION_H
#define RT_CONDITION_H

#include "../core/why.h"
#include "../history/quantity.h"

struct condition {
	const char *text;                       /* as given by the user */
	enum quantity quantity;
	bool below;                             /* <; else > */
	bool of_change, in_percent;
	double bound;                           /* signed; in base units or percent */
};

/* -EINVAL with a sentence that lists the valid names.  text must outlive the condition. */
int condition_read(struct condition *ret, const char *text, struct why *why) must_use;
/* In base units; with NONE it is not met. */
bool condition_met(const struct condition *c, double base, double new);

#endif
