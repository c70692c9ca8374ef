/* name_lookup.h - a socket for datagrams to HOST:PORT, by a thread: a name server that hangs holds nothing up. */
#ifndef RT_NAME_LOOKUP_H
#define RT_NAME_LOOKUP_H

#include "../core/why.h"

struct name_lookup;

/* Starts it; place: as push_target_read accepts it.  -errno with a sentence. */
int  name_lookup_open(struct name_lookup **ret, const char *place, struct why *why) must_use;
/*
 * A socket that is connected to it, for the caller to close; -1: there is none yet, and `why` gets the reason: it is
 * still looked up, or what went wrong last.  After a failure it is looked up again, some seconds later.  Does not wait.
 */
int  name_lookup_socket(struct name_lookup *l, struct why *why) must_use;
/* Whether the answer can still come: false after a failure, until it is looked up again. */
bool name_lookup_goes_on(const struct name_lookup *l);
void name_lookup_close(struct name_lookup *l);  /* NULL is fine */

#endif
