/* record_sender.h - sends a run that is over, from its record or feed in a file. */
#ifndef RT_RECORD_SENDER_H
#define RT_RECORD_SENDER_H

#include "sender.h"

/* Takes the destinations over.  0, or -errno with a sentence; *ret_left: whether something was not delivered. */
int record_send(struct sender_options *o, const char *path, bool *ret_left, struct why *why) must_use;

#endif
