/* batch.c - from points to a box. */
#include "batch.h"

void batch_put(struct outbox *box, const struct destination *to, const struct points *p)
{
	struct buffer body = { 0 };

	if (p->n == 0)
		return;
	to->form->encode(&body, p);
	outbox_put(box, &body, p->n, p->last_ms);
	buffer_release(&body);
}
