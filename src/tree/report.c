/* report.c - the tree's sums as a sample. */
#include "state.h"

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
 * What each counter gained since it was told last.  A sum may step back by what the kernel rounds
 * down when a child's time moves to its parent; it then stands still until it has caught up.
 */
static void gains(double ret[COUNTERS], uint64_t told[COUNTERS], const uint64_t now[COUNTERS])
{
	for (size_t k = 0; k < COUNTERS; k++) {
		int64_t gain = (int64_t)(now[k] - told[k]);

		ret[k] = gain > 0 ? (double)gain : 0;
		told[k] += gain > 0 ? (uint64_t)gain : 0;
	}
}

static double level_if(const struct sums *s, enum level has, enum level level)
{
	return s->level[has] > 0 ? (double)s->level[level] : NONE;
}

static void report_levels(const struct tree *t, struct totals *out, const struct sums *s)
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
	if (t->memory.policy != PSS_NEVER) {
		out->process_pss_bytes = level_if(s, HAS_PSS, PSS);
		out->process_uss_bytes = level_if(s, HAS_PSS, USS);
		if (l[HAS_PSS] > 0)
			out->process_pss_age_seconds = (double)(t->now_ns - t->memory.oldest_ns) / 1e9;
	}
	out->process_swap_bytes = level_if(s, HAS_SWAP, SWAP);
	out->process_fds = level_if(s, HAS_FDS, FDS);
}

static void report_pss_bounds(struct tree *t, struct totals *out, const int64_t level[LEVELS])
{
	double *pss = &out->process_pss_bytes;

	if (level[HAS_MEMORY] == 0)
		return;

	struct pss_bounds b = tree_pss_bounds(t, level);

	out->process_pss_lower_bytes = b.lower;
	out->process_pss_upper_bytes = b.upper;
	if (level[UNREADABLE] == 0 && !is_none(*pss))
		*pss = *pss < b.lower ? b.lower : *pss > b.upper ? b.upper : *pss;
	/* It may be anywhere between: no value is told that would be a guess. */
	if (b.upper - b.lower > b.upper / 4 && b.upper - b.lower > 16 << 20)
		*pss = NONE;
}

static void report_amounts(const struct tree *t, struct totals *out, const double gain[COUNTERS], double interval)
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
	if (t->ever[HAS_IO]) {
		out->process_disk_read_bytes = gain[READ_BYTES];
		out->process_disk_write_bytes = gain[WRITE_BYTES];
		out->process_read_chars = gain[READ_CHARS];
		out->process_write_chars = gain[WRITE_CHARS];
		out->process_read_calls = gain[READ_CALLS];
		out->process_write_calls = gain[WRITE_CALLS];
	}
	if (t->ever[HAS_DELAY]) {
		out->process_run_delay_seconds = gain[RUN_DELAY_NS] / 1e9;
		out->process_watched_cpu_seconds = gain[WATCHED_CPU_NS] / 1e9;
	}
	if (t->block_delay)
		out->process_block_delay_seconds = gain[BLOCK_DELAY_NS] / 1e9;
	if (t->ever[HAS_SWITCHES]) {
		out->process_voluntary_switches = gain[VOLUNTARY];
		out->process_involuntary_switches = gain[INVOLUNTARY];
	}
}

static void report_root(struct tree *t, struct root *root, struct sample *out, bool baseline)
{
	struct sums s = { 0 };
	double gain[COUNTERS];
	char key[U64_TEXT];

	u64_text(key, (uint64_t)root->pid);

	struct root_row *row = sample_add_root(out, key);

	add_root(&s, root);
	if (baseline)
		memcpy(root->told, s.counter, sizeof root->told);
	gains(gain, root->told, s.counter);
	if (!row)
		return;
	memcpy(row->command, root->comm, sizeof row->command);
	row->alive = root->alive;
	row->processes = (double)s.level[ALIVE];
	row->rss_bytes = level_if(&s, HAS_MEMORY, RSS);
	if (t->memory.policy != PSS_NEVER)
		row->pss_bytes = level_if(&s, HAS_PSS, PSS);
	if (baseline)
		return;
	row->cpu_seconds = gain[CPU_NS] / 1e9;
	if (out->interval_seconds > 0)
		row->cpu_cores = row->cpu_seconds / out->interval_seconds;
	if (t->ever[HAS_IO]) {
		row->disk_read_bytes = gain[READ_BYTES];
		row->disk_write_bytes = gain[WRITE_BYTES];
	}
}

static void look_at_root(const struct tree *t, struct root *r)
{
	const struct member *m = members_find(&t->members, r->pid);

	if (m && r->start_ticks == 0)
		r->start_ticks = m->start_ticks;        /* a command of ours was not looked at before it was a member */
	r->alive = m && m->start_ticks == r->start_ticks && m->figures.state != 'Z';
	if (r->alive)
		memcpy(r->comm, m->comm, sizeof m->comm);       /* exec gives it another name */
}

void tree_report(struct tree *t, struct sample *out)
{
	bool baseline = !t->primed;
	double gain[COUNTERS];
	struct sums s = { 0 };

	for (size_t i = 0; i < t->n_roots; i++)
		add_root(&s, &t->root[i]);
	for (size_t i = 0; i < LEVELS; i++)
		t->ever[i] |= s.level[i] > 0;
	if (baseline)
		memcpy(t->told, s.counter, sizeof t->told);
	gains(gain, t->told, s.counter);

	report_levels(t, &out->total, &s);
	report_pss_bounds(t, &out->total, s.level);
	if (!baseline)
		report_amounts(t, &out->total, gain, out->interval_seconds);
	t->programs.has_memory = s.level[HAS_MEMORY] > 0;
	for (size_t i = 0; i < t->n_roots; i++) {
		look_at_root(t, &t->root[i]);
		report_root(t, &t->root[i], out, baseline);
	}
}

void tree_report_peak(const struct tree *t, struct totals *out)
{
	static const char *const sources[] = {
		[PEAK_SEEN] = "VmHWM", [PEAK_REAPED] = "ru_maxrss",
	};

	if (t->peak.rss <= 0)
		return;
	out->process_peak_rss_bytes = (double)t->peak.rss;
	out->process_peak_rss_incomplete = t->peak.missed || (t->primed && !t->ours && !t->no_children);
	(void)word_copy(word_of(sources[t->peak.source]), out->process_peak_rss_source,
			sizeof out->process_peak_rss_source);
}
