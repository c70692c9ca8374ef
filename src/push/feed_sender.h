/* feed_sender.h - sends a run while it goes on, from its feed on stdin. */
#ifndef RT_FEED_SENDER_H
#define RT_FEED_SENDER_H

#include "sender.h"

/* Takes the destinations over.  0, or -errno with a sentence. */
int feed_send(struct sender_options *o, struct why *why) must_use;

#endif
