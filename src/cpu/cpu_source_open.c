/* cpu_source_open.c - chooses the source of a tree's total CPU time. */
#include "cpu_source_state.h"

#include <string.h>

static bool has_perf(const struct cpu_source *c)
{
	return perf_clock_has(&c->perf, PERF_CLOCK_NS) || c->threads.n > 0;
}

static const char *refusal(int r)
{
	_Static_assert(THREAD_CLOCKS_MAX == 512, "as the sentence says");
	return r == -E2BIG ? "more than 512 threads" : strerror(-r);
}

static void notice_refusal(struct cpu_source *c, bool asked)
{
	if (asked || (c->refused != -ENOSYS && c->refused != -ENOENT))
		notices_add(c->notices, &c->noticed, "CPU time without perf (%s): children that no parent waits for can be missing",
			    refusal(c->refused));
}

static int open_attached(struct cpu_source *c, const struct cpu_setup *setup)
{
	const struct attached what = {
		.src = setup->src, .list = setup->list, .roots = setup->roots, .n_roots = setup->n_roots,
		.self = setup->self,
	};
	bool all_found = true;
	/* perf uses our pids, as CPU clocks do. */
	int r = setup->attachable ? attached_open(&c->threads, &all_found, &what) : -ENOENT;

	c->blind = !all_found;
	return r;
}

int cpu_source_open(struct cpu_source **ret, const struct cpu_setup *setup)
{
	struct cpu_source *c = calloc(1, sizeof *c);
	bool command = setup->whole && setup->ours;

	if (!c)
		return -ENOMEM;
	*c = (struct cpu_source){
		.src = setup->src, .notices = setup->notices, .text = setup->text, .ours = setup->ours,
		.root = setup->roots[0], .choice = setup->choice,
		.perf = PERF_CLOCK_CLOSED, .online = -1,
		/* Even if the command was not started in it, it has the group above. */
		.own_cgroup = command ? setup->own_cgroup : NULL,
	};

	bool starts_in_own_cgroup = c->own_cgroup && c->own_cgroup->usage >= 0;

	c->wants_perf = setup->whole && !starts_in_own_cgroup && setup->choice != CPU_LEDGER &&
			setup->choice != CPU_VISIBLE;
	if (c->wants_perf)
		c->refused = setup->ours ? perf_clock_open(&c->perf, c->root) : open_attached(c, setup);
	if (!command && setup->choice == CPU_CGROUP)
		notices_add(c->notices, &c->noticed, "CPU time from cgroup needs a command that the recorder starts, with its children");
	if (!setup->whole && setup->choice == CPU_PERF)
		notices_add(c->notices, &c->noticed, "CPU time from perf needs the children of the processes as well");
	c->estimate.rung = setup->choice == CPU_VISIBLE ? RUNG_VISIBLE :
			   starts_in_own_cgroup ? RUNG_CGROUP : RUNG_LEDGER;
	*ret = c;
	return 0;
}

void cpu_source_begin(struct cpu_source *c, const struct sideband *events)
{
	c->events = events;
	if (c->wants_perf && c->ours && c->refused == 0)
		c->refused = perf_clock_begin(&c->perf, c->root, events);
	if (c->refused < 0)
		notice_refusal(c, c->choice == CPU_PERF);
	if (has_perf(c))
		c->estimate.rung = RUNG_PERF;
}

void cpu_source_close(struct cpu_source *c)
{
	if (!c)
		return;
	perf_clock_close(&c->perf);
	thread_clocks_close(&c->threads);
	close_p(&c->online);
	free(c);
}

size_t cpu_source_descriptors(const struct cpu_source *c)
{
	return c->threads.n;
}
