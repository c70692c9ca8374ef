/* carrier.c - parcels to one destination. */
#include "carrier.h"

#include "sentinel.h"

struct carrier {
	const struct destination *to;
	struct http_request *request;           /* one of these */
	struct sentinel *service;
};

int carrier_open(struct carrier **ret, struct http *h, const struct destination *d, const struct spool *spool,
		 struct why *why)
{
	struct carrier *c = calloc(1, sizeof *c);
	int r = c ? 0 : why_set(why, -ENOMEM, "out of memory");

	if (r == 0)
		r = d->form->service ? sentinel_open(&c->service, h, d, spool, why) :
				       destination_request_open(&c->request, h, d, why);
	if (r < 0) {
		carrier_close(c);
		return r;
	}
	c->to = d;
	*ret = c;
	return 0;
}

void carrier_close(struct carrier *c)
{
	if (!c)
		return;
	http_request_close(c->request);
	sentinel_close(c->service);
	free(c);
}

int carrier_start(struct carrier *c, const struct parcel *p)
{
	return c->service ? sentinel_start(c->service, p) : http_request_start(c->request, p->body, p->n);
}

int carrier_start_all(struct carrier *c, const struct parcels *all)
{
	return c->service ? sentinel_start_all(c->service, all) : -ENOTSUP;
}

bool carrier_over(struct carrier *c, struct delivery *ret)
{
	struct http_answer answer;

	if (c->service)
		return sentinel_over(c->service, ret);
	if (!http_request_over(c->request, &answer))
		return false;
	*ret = (struct delivery){ .verdict = http_verdict(&answer), .answered = answer.status != 0,
				  .asked_seconds = answer.retry_after_seconds };
	if (ret->verdict != ACCEPTED)
		http_answer_describe(&ret->trouble, c->to->shown, &answer);
	return true;
}
