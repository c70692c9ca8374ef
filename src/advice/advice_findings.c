/* advice_findings.c - problems of a run, and resources of which it had too many. */
#include "advice_parts.h"

#include "../text/human.h"

static const double NEAR_LIMIT_SHARE = 0.9, THROTTLED_SHARE = 0.01, GPU_IDLE_SHARE = 0.1;
static const double OVER = 2, CORES_LEAST = 2;  /* what the run had, relative to the advised, and in excess of it */

static void find(struct advice *a, enum finding which, struct buffer *text)
{
	advice_settle(a->findings[which], sizeof a->findings[which], text);
}

static void find_memory(struct advice *a, const struct run_use *runs, size_t n, struct buffer *text)
{
	double killed = 0, near = NONE, swapped = HIGHEST(runs, n, memory_swapped_bytes);
	double around = HIGHEST(runs, n, machine_swapped_bytes), due = a->of[ADVISED_MEMORY].amount;

	for (size_t i = 0; i < n; i++) {
		const struct run_use *u = &runs[i];

		killed += u->out_of_memory;
		if (!u->out_of_memory &&
		    (u->memory_limit_hits > 0 || advice_memory(u) >= NEAR_LIMIT_SHARE * u->memory_limit_bytes))
			near = advice_larger(near, u->memory_limit_bytes);
	}
	if (killed > 0) {
		buffer_format(text, "memory ran out in %.0f of %zu run%s", killed, n, n > 1 ? "s" : "");
		find(a, FINDING_OUT_OF_MEMORY, text);
	}
	if (!is_none(near)) {
		buffer_text(text, "memory came to its limit of ");
		human_bytes(text, near);
		find(a, FINDING_MEMORY_LIMIT, text);
	}
	if (runs[0].memory_limit_bytes >= OVER * due && !(killed > 0)) {
		buffer_text(text, "the memory limit was ");
		human_bytes(text, runs[0].memory_limit_bytes);
		buffer_text(text, ", the peak ");
		human_percent(text, 100 * advice_memory(&runs[0]) / runs[0].memory_limit_bytes);
		buffer_text(text, " of it");
		find(a, FINDING_MEMORY_OVER, text);
	}
	if (swapped >= ADVICE_MIB || around >= ADVICE_MIB) {
		buffer_text(text, swapped >= ADVICE_MIB ? "the job had " : "the machine swapped ");
		human_bytes(text, swapped >= ADVICE_MIB ? swapped : around);
		buffer_text(text, swapped >= ADVICE_MIB ? " swapped out, which its memory must hold" : " in and out meanwhile");
		find(a, FINDING_SWAPPED, text);
	}
}

static void find_cpu(struct advice *a, const struct run_use *runs, size_t n, struct buffer *text)
{
	const struct run_use *last = &runs[0];
	double share = HIGHEST(runs, n, cpu_throttled_share), due = a->of[ADVISED_CPU].amount;

	if (share >= THROTTLED_SHARE) {
		buffer_text(text, "the CPU quota of ");
		advice_cores(text, HIGHEST(runs, n, cpu_quota_cores));
		buffer_text(text, " cores held the job back in ");
		human_percent(text, 100 * share);
		buffer_text(text, n > 1 ? " of its periods in one run" : " of its periods");
		find(a, FINDING_THROTTLED, text);
	}
	if (!last->tracked || is_none(last->cpu_had_cores))
		return;
	if (advice_wants_cpu(last)) {
		buffer_text(text, "it had ");
		advice_cores(text, last->cpu_had_cores);
		buffer_text(text, " cores");
		if (!is_none(last->cpu_wanted_cores)) {
			buffer_text(text, ", and its threads wanted ");
			human_cores(text, last->cpu_wanted_cores);
		}
		find(a, FINDING_CPU_SHORT, text);
	} else if (!advice_waits_unknown(last) && last->cpu_had_cores >= OVER * due &&
		   last->cpu_had_cores >= due + CORES_LEAST) {
		buffer_text(text, last->cpu_had_cores < last->cpu_machine_cores ? "it was given " : "it could use all ");
		advice_cores(text, last->cpu_had_cores);
		buffer_text(text, last->cpu_had_cores < last->cpu_machine_cores ? " cores" : " cores of the machine");
		buffer_text(text, " and kept ");
		human_cores(text, last->cpu_mean_cores);
		buffer_text(text, " busy on average");
		find(a, FINDING_CPU_OVER, text);
	}
}

static void find_gpu(struct advice *a, const struct run_use *last, struct buffer *text)
{
	double share = last->gpus_mean / advice_larger(last->gpus_had, last->gpus_used);

	if (!(share < GPU_IDLE_SHARE))
		return;
	buffer_text(text, "its GPUs were busy in ");
	human_percent(text, 100 * share);
	buffer_text(text, " of the time");
	find(a, FINDING_GPU_IDLE, text);
}

void advice_find(struct advice *a, const struct run_use *runs, size_t n, struct buffer *text)
{
	find_memory(a, runs, n, text);
	find_cpu(a, runs, n, text);
	find_gpu(a, &runs[0], text);
}
