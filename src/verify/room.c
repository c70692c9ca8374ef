/* room.c - how much memory a load may take: to run out of it would harm others. */
#include "verify.h"

#include "../sampler/sampler.h"

double memory_room(void)
{
	struct sampler_options options = { .interval_seconds = 1, .only = "memory,cgroup" };
	struct sample *s = malloc(sizeof *s);
	struct sampler *sampler;
	double room = NONE;

	if (s && sampler_open(&sampler, &options, NULL) == 0) {
		const struct totals *t = &s->total;

		if (sampler_read(sampler, s) == 0)
			room = least_known(t->memory_available_bytes,
					 t->cgroup_memory_limit_bytes - t->cgroup_memory_current_bytes);
		sampler_close(sampler);
	}
	free(s);
	return room;
}
