/* batch.h - the points of a batch, encoded for a destination and put into its box. */
#ifndef RT_BATCH_H
#define RT_BATCH_H

#include "destination.h"
#include "outbox.h"

/* Puts the batch, if it is not empty; it stays in `p`. */
void batch_put(struct outbox *box, const struct destination *to, const struct points *p);

#endif
