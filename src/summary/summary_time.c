/*
 * summary_time.c - how the tree's threads spent their time, as a line of the summary.
 *
 * Shares are of the time that threads were awake: running, ready but without a CPU, or waiting for a disk.
 * Each thread counts, so four threads on one CPU are awake for four seconds in each.  Throttling and stalls are not
 * measured in thread time, and are shown apart: how long CPUs were throttled, or some task waited, by the clock.
 */
#include "../text/human.h"
#include "summary_parts.h"

static const double AWAKE_LEAST_SECONDS = 0.1;  /* below this, shares are unreliable */
static const double WATCHED_LEAST = 0.5, WATCHED_WELL = 0.9;    /* of the CPU time */
static const double STALL_SHARE = 0.02;         /* of the run: the least that is worth a note */

static double sum(const struct summary *s, enum total_metric m)
{
	return summary_total(s->whole, m).sum;
}

static struct buffer *clause(struct phrase *w)
{
	if (w->text.len > 0)
		buffer_text(&w->text, "; ");
	return &w->text;
}

static void share(struct buffer *text, double part, double whole, const char *of_what)
{
	human_percent(text, 100 * part / whole);
	buffer_text(text, of_what);
}

/* Of the job's control group, if it has values of its own; else of the whole machine. */
static void stalls(struct phrase *w, const struct summary *s, enum total_metric group, enum total_metric machine,
		   const char *of_what)
{
	double of_group = sum(s, group);
	double seconds = is_none(of_group) ? sum(s, machine) : of_group;

	if (!(seconds >= STALL_SHARE * aggregate_seconds(s->whole)) || seconds <= 0)
		return;

	struct buffer *text = clause(w);

	buffer_format(text, "%s stalls ", of_what);
	share(text, seconds, aggregate_seconds(s->whole), is_none(of_group) ? " (machine)" : " (group)");
}

/* The waits of processes that end between two polls are lost; the others stand for all. */
static void awake(struct phrase *w, const struct summary *s)
{
	double ran = sum(s, METRIC_process_watched_cpu_seconds), waited = sum(s, METRIC_process_run_delay_seconds);
	double blocked = sum(s, METRIC_process_block_delay_seconds);
	double all = add_known(ran + waited, blocked), watched = ran / sum(s, METRIC_process_cpu_seconds);

	if (is_none(ran) || !(sum(s, METRIC_process_cpu_seconds) + waited >= AWAKE_LEAST_SECONDS))
		return;

	struct buffer *text = clause(w);

	if (watched < WATCHED_LEAST) {
		buffer_text(text, "waits unknown: ");
		human_percent(text, 100 * (1 - watched));
		buffer_text(text, " of the CPU time was of short-lived threads");
		stalls(w, s, METRIC_pressure_cgroup_cpu_some_seconds, METRIC_pressure_cpu_some_seconds, "CPU");
		return;
	}
	share(text, ran, all, " running, ");
	share(text, waited, all, " waiting for a CPU");
	if (!is_none(blocked)) {
		buffer_text(text, ", ");
		share(text, blocked, all, " for disks");
	}
	if (watched < WATCHED_WELL) {
		buffer_text(text, " (seen for ");
		share(text, watched, 1, " of the CPU time)");
	}
}

static void throttled(struct phrase *w, const struct summary *s)
{
	double seconds = sum(s, METRIC_cgroup_cpu_throttled_seconds);

	if (!(seconds >= STALL_SHARE * aggregate_seconds(s->whole)) || seconds <= 0)
		return;

	struct buffer *text = clause(w);

	buffer_text(text, "throttled ");
	human_seconds(text, seconds);
	buffer_text(text, " by the CPU quota");
}

void summary_time(struct page *p, struct phrase *w, const struct summary *s)
{
	if (!summary_tracks(s))
		return;
	(void)phrase_new(w);
	awake(w, s);
	throttled(w, s);
	stalls(w, s, METRIC_pressure_cgroup_io_some_seconds, METRIC_pressure_io_some_seconds, "disk");
	stalls(w, s, METRIC_pressure_cgroup_memory_some_seconds, METRIC_pressure_memory_some_seconds, "memory");
	if (w->text.len == 0)
		return;
	page_label(p, "Time", INK_PLAIN);
	page_words(p, phrase_text(w), INK_PLAIN);
	page_end(p);
}
