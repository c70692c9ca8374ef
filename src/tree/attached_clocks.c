/* attached_clocks.c - the CPU time of processes that run already, and of all that they start from now on. */
#include "state.h"

#include <string.h>

static int add(struct attached_clocks *a, pid_t thread)
{
	if (a->n == ATTACHED_THREADS)
		return -E2BIG;

	int r = perf_clock_open(&a->clock[a->n], thread, PERF_FAULTS);

	if (r == 0)
		a->n++;
	return r == -ESRCH ? 0 : r;                     /* it has ended */
}

static int add_member(struct attached_clocks *a, const struct tree *t, const struct member *m)
{
	pid_t thread[ATTACHED_THREADS + 1];
	size_t n = list_threads(t, m->pid, thread, countof(thread));
	int r = 0;

	for (size_t i = 0; i < n && r == 0; i++)
		r = add(a, thread[i]);
	if (m->figures.rss > 0)
		a->mapped_bytes += (uint64_t)m->figures.rss;
	return r;
}

static bool is_refusal(int r)
{
	return r == -EACCES || r == -EPERM;
}

int attached_clocks_open(struct attached_clocks *ret, struct tree *t)
{
	struct attached_clocks a = { .clock = malloc(ATTACHED_THREADS * sizeof *a.clock) };
	int refused = 0, r = !a.clock ? -ENOMEM : t->fds_max < 4 * ATTACHED_THREADS ? -EMFILE : 0;

	for (size_t i = 0; i < t->members.n && r == 0; i++) {
		r = add_member(&a, t, t->members.order[i]);
		if (is_refusal(r)) {
			refused = r;
			r = 0;
		}
	}
	if (r < 0 || a.n == 0)
		attached_clocks_close(&a);
	*ret = a;
	return r < 0 ? r : refused < 0 ? refused : a.n == 0 ? -ESRCH : 0;
}

int attached_clocks_read(const struct attached_clocks *a, uint64_t ret[PERF_COUNTS])
{
	uint64_t sum[PERF_COUNTS] = { 0 }, one[PERF_COUNTS];

	for (size_t i = 0; i < a->n; i++) {
		int r = perf_clock_read(&a->clock[i], one);

		if (r < 0)
			return r;
		for (enum perf_count c = 0; c < PERF_COUNTS; c++)
			sum[c] += one[c];
	}
	memcpy(ret, sum, sizeof sum);
	return 0;
}

void attached_clocks_close(struct attached_clocks *a)
{
	for (size_t i = 0; i < a->n; i++)
		perf_clock_close(&a->clock[i]);
	free(a->clock);
	*a = (struct attached_clocks){ .n = 0 };
}
