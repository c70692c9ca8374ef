/* process.c - the process tree as a collector; src/tree/ does the work. */
#include "process.h"

#include "../core/collector.h"
#include "../tree/tree.h"

static int process_start(void *state, const struct setup *setup, struct why *why)
{
	struct process *p = state;

	return tree_open(&p->tree, setup->src, setup->tree, why);
}

static int process_read(void *state, struct tick *tick)
{
	struct process *p = state;

	return tree_read(p->tree, tick);
}

static void process_stop(void *state)
{
	struct process *p = state;

	tree_close(p->tree);
}

const struct collector collector_process = {
	.state_size = sizeof(struct process),
	.start = process_start,
	.read = process_read,
	.stop = process_stop,
};
