/* run_prices.c - what a run cost, by the table of --servers. */
#include "run_prices.h"

#include <stdio.h>

#include "../advice/server_choice.h"

int run_prices_read(struct run_prices *ret, const char *file, struct why *why)
{
	return file ? server_table_read(&ret->table, file, why) : 0;
}

void run_prices_apply(struct run_prices *p, struct digest *d)
{
	const struct server *s = server_of_cloud(&p->table, &d->facts->cloud);
	struct run_cost *c = &p->cost;

	if (!s || is_none(d->seconds))
		return;
	c->usd = server_cost(s, d->seconds);
	c->usd_per_hour = s->usd_per_hour;
	(void)snprintf(c->vendor, sizeof c->vendor, "%s", s->vendor);
	(void)snprintf(c->region, sizeof c->region, "%s", s->region);
	(void)snprintf(c->type, sizeof c->type, "%s", s->type);
	(void)snprintf(c->date, sizeof c->date, "%s", p->table.date);
	(void)snprintf(c->source, sizeof c->source, "%s", p->table.source);
	d->cost = c;
}

void run_prices_release(struct run_prices *p)
{
	server_table_release(&p->table);
}
