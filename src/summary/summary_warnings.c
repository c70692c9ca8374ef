/* summary_warnings.c - conditions of a run that need the user's action. */
#include <string.h>

#include "../text/human.h"
#include "summary_parts.h"

enum { NOTICES_SHOWN = 5 };

/* The least that is worth a line. */
static const double THROTTLED_SHARE = 0.01, NEAR_LIMIT_SHARE = 0.9, STEAL_SHARE = 0.05;
static const double SWAPPED_BYTES = 1 << 20;

static void warn(struct page *p, struct buffer *text)
{
	summary_say(p, text, "Warning", INK_WARN);
}

static double sum(const struct summary *s, enum total_metric m)
{
	return summary_total(s->whole, m).sum;
}

static void about_cpu(struct page *p, struct buffer *text, const struct summary *s)
{
	double share = sum(s, METRIC_cgroup_cpu_throttled_periods) / sum(s, METRIC_cgroup_cpu_periods);
	double steal = sum(s, METRIC_cpu_steal_seconds) /
		       (summary_total(s->whole, METRIC_cpu_count).last * aggregate_seconds(s->whole));

	if (share >= THROTTLED_SHARE) {
		buffer_text(text, "the CPU quota of ");
		human_cores(text, summary_total(s->whole, METRIC_cgroup_cpu_quota_cores).last);
		buffer_text(text, " cores held the job back in ");
		human_percent(text, 100 * share);
		buffer_text(text, " of its periods");
		warn(p, text);
	}
	if (steal >= STEAL_SHARE) {
		buffer_text(text, "the hypervisor gave ");
		human_percent(text, 100 * steal);
		buffer_text(text, " of this machine's CPU time to others");
		warn(p, text);
	}
}

static void about_memory(struct page *p, struct buffer *text, const struct summary *s)
{
	struct statistic pss = summary_total(s->whole, METRIC_process_pss_bytes);
	double peak = is_none(pss.mean) ? summary_total(s->whole, METRIC_process_rss_bytes).maximum : pss.maximum;
	double limit = summary_total(s->whole, METRIC_cgroup_memory_limit_bytes).minimum;
	double killed = sum(s, METRIC_cgroup_oom_kills), elsewhere = sum(s, METRIC_memory_oom_kills);
	double runs_into = sum(s, METRIC_cgroup_memory_max_events);
	double swap_in = sum(s, METRIC_memory_swap_in_bytes), swap_out = sum(s, METRIC_memory_swap_out_bytes);

	/* The cause of the end is already shown. */
	if (strcmp(s->status.reason.cause, "out_of_memory") == 0)
		killed = elsewhere = 0;
	if (killed > 0) {
		buffer_text(text, "memory ran out: the kernel killed ");
		human_count(text, killed, "process", "processes");
		buffer_text(text, " of this control group");
		warn(p, text);
	} else if (elsewhere > 0) {
		buffer_text(text, "memory ran out: the kernel killed ");
		human_count(text, elsewhere, "process", "processes");
		buffer_text(text, " somewhere on this machine");
		warn(p, text);
	}
	if (runs_into > 0 || peak >= NEAR_LIMIT_SHARE * limit) {
		buffer_text(text, "memory came to its limit of ");
		human_bytes(text, limit);
		if (peak <= limit) {
			buffer_text(text, ": the peak was ");
			human_percent(text, 100 * peak / limit);
			buffer_text(text, " of it");
		}
		warn(p, text);
	}
	if (add_known(swap_in, swap_out) >= SWAPPED_BYTES) {
		buffer_text(text, "the machine swapped: ");
		human_bytes(text, swap_in);
		buffer_text(text, " in, ");
		human_bytes(text, swap_out);
		buffer_text(text, " out");
		warn(p, text);
	}
}

static void about_the_end(struct page *p, struct buffer *text, const struct summary *s)
{
	if (s->status.left_behind > 0) {
		human_count(text, (double)s->status.left_behind, "process of the tree was", "processes of the tree were");
		buffer_text(text, " still running when recording ended");
		warn(p, text);
	}
	if (s->status.dropped_lines > 0) {
		human_count(text, (double)s->status.dropped_lines, "output line", "output lines");
		buffer_text(text, " dropped: a reader or disk was too slow or full");
		warn(p, text);
	}
}

static void about_us(struct page *p, struct buffer *text, const struct summary *s)
{
	double slowest = summary_total(s->whole, METRIC_tracker_slowdown).maximum;

	if (!(slowest > 1))
		return;
	buffer_format(text, "the recorder's own cost passed its limit (--max-overhead): PSS, peaks, descriptors and the like were "
		      "read in one of up to %.0f samples", slowest);
	summary_say(p, text, "Note", INK_FAINT);
}

static void notices(struct page *p, struct buffer *text, const struct summary *s)
{
	for (size_t i = 0; i < s->n_notices; i++) {
		if (i == NOTICES_SHOWN && s->n_notices > NOTICES_SHOWN + 1) {
			buffer_format(text, "and %zu more", s->n_notices - i);
			summary_say(p, text, "Note", INK_FAINT);
			break;
		}
		buffer_text(text, s->notices[i]);
		summary_say(p, text, "Note", INK_FAINT);
	}
}

void summary_warnings(struct page *p, const struct summary *s)
{
	struct buffer text = { 0 };

	about_the_end(p, &text, s);
	about_memory(p, &text, s);
	about_cpu(p, &text, s);
	summary_gpu_warnings(p, &text, s);
	about_us(p, &text, s);
	notices(p, &text, s);
	buffer_release(&text);
}
