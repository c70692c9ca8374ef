/* server_choice.c - the cheapest servers of a table that hold a job. */
#include "server_choice.h"

#include <string.h>
#include <strings.h>

double server_cost(const struct server *s, double seconds)
{
	return is_none(seconds) ? NONE : s->usd_per_hour * seconds / 3600;
}

/* An unknown GPU need is none: such an advice has no item for it. */
static bool holds(const struct server *s, const struct advice *a)
{
	return s->cpus >= a->of[ADVISED_CPU].amount && s->memory_bytes >= a->of[ADVISED_MEMORY].amount &&
	       !(s->gpus < a->of[ADVISED_GPU].amount) && !(s->gpu_memory_bytes < a->of[ADVISED_GPU_MEMORY].amount);
}

static bool is_of(const char *name, const char *wanted)
{
	return !wanted || strcasecmp(name, wanted) == 0;
}

/* Of two at one price the larger one. */
static bool precedes(const struct server *a, const struct server *b)
{
	if (a->usd_per_hour != b->usd_per_hour)
		return a->usd_per_hour < b->usd_per_hour;
	return a->cpus != b->cpus ? a->cpus > b->cpus : a->memory_bytes > b->memory_bytes;
}

static bool is_same_type(const struct server *a, const struct server *b)
{
	return strcmp(a->vendor, b->vendor) == 0 && strcmp(a->type, b->type) == 0;
}

/* Puts s into the order; behind it, one of the same type is left out. */
static void insert(struct server_choice *c, const struct server *s)
{
	size_t at = 0, end;

	while (at < c->n && !precedes(s, c->at[at]))
		if (is_same_type(c->at[at++], s))
			return;
	if (at == SERVERS_SHOWN)
		return;
	for (end = at; end < c->n && !is_same_type(c->at[end], s); end++)
		;
	if (end == c->n) {
		c->n += c->n < SERVERS_SHOWN;
		end = c->n - 1;
	}
	memmove(&c->at[at + 1], &c->at[at], (end - at) * sizeof c->at[0]);
	c->at[at] = s;
}

static bool was_here(const struct server *s, const struct cloud *c)
{
	return c && *c->vendor && *c->instance_type && is_of(s->vendor, c->vendor) &&
	       is_of(s->type, c->instance_type) && (!*s->region || is_of(s->region, c->region));
}

const struct server *server_of_cloud(const struct server_table *t, const struct cloud *c)
{
	const struct server *found = NULL;

	for (size_t i = 0; i < t->n; i++)
		if (was_here(&t->at[i], c) && (!found || !*found->region))
			found = &t->at[i];
	return found;
}

int servers_choose(struct server_choice *ret, const struct server_question *q, struct why *why)
{
	*ret = (struct server_choice){ .table = q->table, .seconds = q->seconds };
	for (enum advised i = ADVISED_CPU; i <= ADVISED_MEMORY; i++)
		if (is_none(q->advice->of[i].amount))
			return why_set(why, -EINVAL, "no server is chosen: how much %s the job needs is unknown",
				       advised[i].name);
	ret->here = server_of_cloud(q->table, q->cloud);
	for (size_t i = 0; i < q->table->n; i++) {
		const struct server *s = &q->table->at[i];

		if (!is_of(s->vendor, q->vendor) || !is_of(s->region, q->region) || !holds(s, q->advice))
			continue;
		ret->holding++;
		insert(ret, s);
	}
	return 0;
}
