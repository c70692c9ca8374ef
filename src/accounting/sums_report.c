/* sums_report.c - the sums of a tree, and of each of its roots, as a sample. */
#include "accounting_state.h"

#include <string.h>

#include "../core/buffer.h"
#include "../core/scan.h"

struct sums {
	uint64_t counter[COUNTERS];
	int64_t  level[LEVELS];
};

static void add_root(struct sums *s, const struct root *r)
{
	for (size_t k = 0; k < COUNTERS; k++)
		s->counter[k] += r->live[k] + r->ended[k] - r->held[k];
	for (size_t i = 0; i < LEVELS; i++)
		s->level[i] += r->level[i];
}

/*
 * What each counter gained since the last report.  A sum may step back by what the kernel rounds
 * down when a child's time moves to its parent; it then stands still until it has caught up.
 */
static void gains(double ret[COUNTERS], uint64_t reported[COUNTERS], const uint64_t now[COUNTERS])
{
	for (size_t k = 0; k < COUNTERS; k++) {
		int64_t gain = (int64_t)(now[k] - reported[k]);

		ret[k] = gain > 0 ? (double)gain : 0;
		reported[k] += gain > 0 ? (uint64_t)gain : 0;
	}
}

static double level_if(const struct sums *s, enum level has, enum level level)
{
	return s->level[has] > 0 ? (double)s->level[level] : NONE;
}

static void report_levels(struct totals *out, const struct sums *s)
{
	const int64_t *l = s->level;

	out->process_count = (double)l[ALIVE];
	out->process_children = l[ALIVE] > 0 ? (double)(l[ALIVE] - 1) : 0;
	out->process_threads = (double)l[THREADS];
	out->process_running = (double)l[RUNNING];
	out->process_sleeping = (double)l[SLEEPING];
	out->process_disk_sleep = (double)l[DISK_SLEEP];
	out->process_stopped = (double)l[STOPPED];
	out->process_zombie = (double)l[ZOMBIE];
	out->process_unreadable = (double)l[UNREADABLE];
	/* When all have ended or are about to, what they had in this interval is not known: it was not nothing. */
	out->process_rss_bytes = level_if(s, HAS_MEMORY, RSS);
	out->process_virtual_bytes = level_if(s, HAS_MEMORY, VIRTUAL);
	out->process_shared_bytes = level_if(s, HAS_MEMORY, SHARED);
	out->process_swap_bytes = level_if(s, HAS_SWAP, SWAP);
	out->process_fds = level_if(s, HAS_FDS, FDS);
}

static void report_amounts(const struct accounts *a, struct totals *out, const double gain[COUNTERS], double interval)
{
	double ticks = gain[USER_NS] + gain[SYSTEM_NS];
	/* CPU is known in nanoseconds, its split in ticks. */
	double user = ticks > 0 ? gain[USER_NS] / ticks : 1;

	out->process_cpu_seconds = gain[CPU_NS] / 1e9;
	out->process_cpu_user_seconds = gain[CPU_NS] * user / 1e9;
	out->process_cpu_system_seconds = gain[CPU_NS] * (1 - user) / 1e9;
	if (interval > 0)
		out->process_cpu_cores = gain[CPU_NS] / 1e9 / interval;
	out->process_minor_faults = gain[MINOR_FAULTS];
	out->process_major_faults = gain[MAJOR_FAULTS];
	if (a->ever[HAS_IO]) {
		out->process_disk_read_bytes = gain[READ_BYTES];
		out->process_disk_write_bytes = gain[WRITE_BYTES];
		out->process_read_chars = gain[READ_CHARS];
		out->process_write_chars = gain[WRITE_CHARS];
		out->process_read_calls = gain[READ_CALLS];
		out->process_write_calls = gain[WRITE_CALLS];
	}
	if (a->ever[HAS_DELAY]) {
		out->process_run_delay_seconds = gain[RUN_DELAY_NS] / 1e9;
		out->process_watched_cpu_seconds = gain[WATCHED_CPU_NS] / 1e9;
	}
	if (a->tracked->block_delay)
		out->process_block_delay_seconds = gain[BLOCK_DELAY_NS] / 1e9;
	if (a->ever[HAS_SWITCHES]) {
		out->process_voluntary_switches = gain[VOLUNTARY];
		out->process_involuntary_switches = gain[INVOLUNTARY];
	}
}

static void report_root(struct accounts *a, struct root *root, struct sample *out, bool baseline)
{
	struct sums s = { 0 };
	double gain[COUNTERS];
	char key[U64_TEXT];

	u64_text(key, (uint64_t)root->pid);

	struct root_row *row = sample_add_root(out, key);

	add_root(&s, root);
	if (baseline)
		memcpy(root->reported, s.counter, sizeof root->reported);
	gains(gain, root->reported, s.counter);
	if (!row)
		return;
	memcpy(row->command, root->comm, sizeof row->command);
	row->alive = root->alive;
	row->processes = (double)s.level[ALIVE];
	row->rss_bytes = level_if(&s, HAS_MEMORY, RSS);
	if (a->tracked->wants_pss)
		row->pss_bytes = level_if(&s, HAS_PSS, PSS);
	if (baseline)
		return;
	row->cpu_seconds = gain[CPU_NS] / 1e9;
	if (out->interval_seconds > 0)
		row->cpu_cores = row->cpu_seconds / out->interval_seconds;
	if (a->ever[HAS_IO]) {
		row->disk_read_bytes = gain[READ_BYTES];
		row->disk_write_bytes = gain[WRITE_BYTES];
	}
}

static void look_at_root(const struct accounts *a, struct root *r)
{
	const struct member *m = members_find(&a->tracked->members, r->pid);

	if (m && r->start_ticks == 0)
		r->start_ticks = m->start_ticks;        /* a command of ours was not looked at before it was a member */
	r->alive = m && m->start_ticks == r->start_ticks && m->figures.state != 'Z';
	if (r->alive)
		memcpy(r->comm, m->comm, sizeof m->comm);       /* exec gives it another name */
}

void accounts_report(struct accounts *a, struct sample *out, int64_t ret_level[LEVELS])
{
	bool baseline = !a->tracked->primed;
	double gain[COUNTERS];
	struct sums s = { 0 };

	for (size_t i = 0; i < a->n_roots; i++)
		add_root(&s, &a->root[i]);
	for (size_t i = 0; i < LEVELS; i++)
		a->ever[i] |= s.level[i] > 0;
	if (baseline)
		memcpy(a->reported, s.counter, sizeof a->reported);
	gains(gain, a->reported, s.counter);

	report_levels(&out->total, &s);
	if (!baseline)
		report_amounts(a, &out->total, gain, out->interval_seconds);
	a->programs.has_memory = s.level[HAS_MEMORY] > 0;
	for (size_t i = 0; i < a->n_roots; i++) {
		look_at_root(a, &a->root[i]);
		report_root(a, &a->root[i], out, baseline);
	}
	memcpy(ret_level, s.level, sizeof s.level);
}

/* A child's time moves from its own clock to its parent's ticks, so the difference may step back a little. */
void accounts_report_unaccounted(struct accounts *a, struct totals *out)
{
	if (is_none(out->process_cpu_seconds))
		return;
	a->unaccounted.sum_ns += (int64_t)(out->process_cpu_seconds * 1e9) - a->unaccounted.seen_ns;
	a->unaccounted.seen_ns = 0;

	int64_t gain = a->unaccounted.sum_ns - a->unaccounted.reported_ns;

	out->process_unaccounted_cpu_seconds = gain > 0 ? (double)gain / 1e9 : 0;
	a->unaccounted.reported_ns += gain > 0 ? gain : 0;
}
