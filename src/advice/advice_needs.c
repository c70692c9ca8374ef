/* advice_needs.c - the CPU, memory, GPU and time recommended for the next run, and the reasons. */
#include "advice_parts.h"

#include <string.h>

#include "../text/human.h"

static const double CORES_LET_GO = 0.1;         /* the kernel's work for the job beside it */
static const double SERIAL_CORES = 1.1, IDLE_CORES = 0.1, THROUGHOUT_SHARE = 0.7;
static const double MEMORY_HEADROOM = 1.2;
static const double FEW_RUNS_MARGIN = 1.5, MANY_RUNS_MARGIN = 1.25;

static void whole_memory(struct buffer *text, double bytes)
{
	if (bytes < ADVICE_GIB)
		buffer_format(text, "%.0f MiB", bytes / ADVICE_MIB);
	else
		buffer_format(text, "%.0f GiB", bytes / ADVICE_GIB);
}

static void whole_time(struct buffer *text, double seconds)
{
	double hours = floor(seconds / 3600), minutes = round(fmod(seconds, 3600) / 60);

	if (hours > 0)
		buffer_format(text, "%.0f h%s", hours, minutes > 0 ? " " : "");
	if (minutes > 0)
		buffer_format(text, "%.0f min", minutes);
}

static void give(struct advice_item *item, double amount, enum advised what, struct buffer *why)
{
	struct buffer text = { 0 };

	item->amount = amount;
	advice_settle(item->why, sizeof item->why, why);
	if (is_none(amount))
		buffer_text(&text, "unknown");
	else if (what == ADVISED_MEMORY || what == ADVISED_GPU_MEMORY)
		whole_memory(&text, amount);
	else if (what == ADVISED_TIME)
		whole_time(&text, amount);
	else
		advice_plural(&text, amount, what == ADVISED_CPU ? "core" : "GPU");
	advice_settle(item->value, sizeof item->value, &text);
	buffer_release(&text);
}

static double limit_of(const struct run_use *u)
{
	return least_known(u->memory_limit_bytes, u->memory_machine_bytes);
}

/* ---- CPU ----------------------------------------------------------------------------------- */

static double cores_of(const struct run_use *u)
{
	return is_none(u->cpu_wanted_cores) ? u->cpu_p95_cores
	       : advice_larger(u->cpu_p95_cores, least_known(floor(u->cpu_had_cores), u->cpu_wanted_cores));
}

/* waits_unknown: the use is only a lower bound of the need, so no upper bound is given. */
static const char *how_parallel(double mean, double most, bool waits_unknown)
{
	if (waits_unknown)
		return most > SERIAL_CORES && mean >= THROUGHOUT_SHARE * most ? "parallel throughout" : "used";
	return most < IDLE_CORES ? "hardly any CPU" : most <= SERIAL_CORES ? "serial"
	     : mean >= THROUGHOUT_SHARE * most ? "parallel throughout" : "parallel at times";
}

static void advise_cpu(struct advice *a, const struct run_use *runs, size_t n, struct buffer *why)
{
	double mean = MEAN(runs, n, cpu_mean_cores), p95 = HIGHEST(runs, n, cpu_p95_cores);
	double wanted = HIGHEST(runs, n, cpu_wanted_cores), had = HIGHEST(runs, n, cpu_had_cores);
	double most = NONE, tries = NONE;
	bool unknown = false;

	for (size_t i = 0; i < n; i++) {
		unknown |= advice_waits_unknown(&runs[i]);
		most = advice_larger(most, cores_of(&runs[i]));
		if (advice_wants_cpu(&runs[i]))
			tries = advice_larger(tries, fmax(floor(runs[i].cpu_had_cores) + 1,
							 fmin(ceil(runs[i].cpu_wanted_cores - CORES_LET_GO),
							      2 * ceil(runs[i].cpu_had_cores))));
	}
	if (is_none(most)) {
		buffer_text(why, "the recording does not contain the CPU used");
		give(&a->of[ADVISED_CPU], NONE, ADVISED_CPU, why);
		return;
	}

	double cores = fmax(1, ceil(most - CORES_LET_GO));

	buffer_format(why, "%s: mean ", tries > cores ? "held back" : how_parallel(mean, most, unknown));
	human_cores(why, mean);
	buffer_text(why, ", p95 ");
	human_cores(why, p95);
	buffer_text(why, ", peak ");
	human_cores(why, HIGHEST(runs, n, cpu_peak_cores));
	if (!is_none(had)) {
		buffer_text(why, " of ");
		advice_cores(why, had);
	}
	buffer_text(why, " cores");
	if (wanted > mean + CORES_LET_GO + 0.1 * mean) {
		buffer_text(why, "; counting the time in which its threads waited for a CPU, ");
		human_cores(why, wanted);
		buffer_text(why, " on average");
	}
	if (unknown) {
		a->of[ADVISED_CPU].confidence = CONFIDENCE_LOW;
		buffer_text(why, "; how long its threads waited for a CPU is not known, so it may need more");
	}
	if (tries > cores) {
		cores = tries;
		a->of[ADVISED_CPU].confidence = CONFIDENCE_LOW;
		buffer_text(why, ", so its true need is unknown: this is the next try");
	}
	a->cpu_request_cores = cores > 1 || most > 1 - CORES_LET_GO ? cores : fmax(0.1, ceil(most * 10) / 10);
	give(&a->of[ADVISED_CPU], cores, ADVISED_CPU, why);
}

/* ---- memory -------------------------------------------------------------------------------- */

/* The kind of the highest peak. */
static void peak_source(struct buffer *why, const struct run_use *u)
{
	if (!u->tracked) {
		buffer_text(why, "of the whole machine");
	} else if (!(u->memory_process_peak_bytes > u->memory_peak_bytes) && !is_none(u->memory_peak_bytes)) {
		buffer_text(why, u->pss ? "PSS of the tree in a sample" : "RSS of the tree in a sample");
		if (!is_none(u->memory_process_peak_bytes)) {
			buffer_text(why, "; largest process ");
			human_bytes(why, u->memory_process_peak_bytes);
		}
	} else {
		buffer_text(why, "of one process, kept by the kernel");
		buffer_text(why, u->peak_missed ? "" : ": no sample can miss it");
	}
	if (u->peak_missed)
		buffer_text(why, "; the peak of another process that ended is unknown");
	if (u->memory_swapped_bytes >= ADVICE_MIB) {
		buffer_text(why, "; ");
		human_bytes(why, u->memory_swapped_bytes);
		buffer_text(why, " swapped out");
	}
}

static void measured_memory(struct advice *a, const struct run_use *u, const struct run_use *runs, size_t n,
			    struct buffer *why)
{
	double peak = advice_memory(u), low = peak;

	for (size_t i = 0; i < n; i++)
		low = least_known(low, advice_memory(&runs[i]));
	buffer_text(why, n > 1 ? "highest peak " : "peak ");
	human_bytes(why, peak);
	buffer_text(why, " (");
	peak_source(why, u);
	buffer_text(why, ") and 20 %");
	if (n > 1) {
		buffer_text(why, "; lowest peak ");
		human_bytes(why, low);
	}
	if (u->memory_upper_bytes > MEMORY_HEADROOM * peak) {
		buffer_text(why, "; shared memory may have made it up to ");
		human_bytes(why, u->memory_upper_bytes);
		a->of[ADVISED_MEMORY].confidence = CONFIDENCE_LOW;
	}
	if (u->memory_group_peak_bytes > MEMORY_HEADROOM * peak) {
		buffer_text(why, "; its control group had up to ");
		human_bytes(why, u->memory_group_peak_bytes);
		buffer_text(why, ", page cache and others included");
	}
	give(&a->of[ADVISED_MEMORY], advice_round_memory(peak * MEMORY_HEADROOM), ADVISED_MEMORY, why);
}

static void advise_memory(struct advice *a, const struct run_use *runs, size_t n, struct buffer *why)
{
	const struct run_use *most = NULL;
	double hit = NONE, peak;

	for (size_t i = 0; i < n; i++) {
		if (runs[i].out_of_memory)
			hit = advice_larger(hit, advice_larger(limit_of(&runs[i]), advice_memory(&runs[i])));
		if (!is_none(advice_memory(&runs[i])) && (!most || advice_memory(&runs[i]) > advice_memory(most)))
			most = &runs[i];
	}
	if (!most && is_none(hit)) {
		buffer_text(why, "the recording does not contain the memory used");
		give(&a->of[ADVISED_MEMORY], NONE, ADVISED_MEMORY, why);
		return;
	}
	peak = most ? advice_memory(most) : 0;
	/* If another run had more memory than the one that ran out of it, that run counts. */
	if (most && !most->out_of_memory && !(peak * MEMORY_HEADROOM <= hit)) {
		measured_memory(a, most, runs, n, why);
		return;
	}

	double factor = hit < 4 * ADVICE_GIB ? 2 : 1.5;

	a->of[ADVISED_MEMORY].confidence = CONFIDENCE_LOW;
	buffer_text(why, "memory ran out at ");
	human_bytes(why, hit);
	buffer_format(why, ", so its true need is unknown: the next try is %s that", factor < 2 ? "1.5 times" : "twice");
	give(&a->of[ADVISED_MEMORY], advice_round_memory(factor * hit), ADVISED_MEMORY, why);
}

/* ---- GPU, time ----------------------------------------------------------------------------- */

static void advise_gpu(struct advice *a, const struct run_use *runs, size_t n, struct buffer *why)
{
	double used = HIGHEST(runs, n, gpus_used), had = HIGHEST(runs, n, gpus_had);
	double memory = HIGHEST(runs, n, gpu_memory_peak_bytes);
	double mean = MEAN(runs, n, gpus_mean);

	/* A machine without GPUs and a record without GPU values look the same. */
	if (is_none(used) || (!(used > 0) && !(had > 0)))
		return;
	buffer_text(why, "busy on average ");
	human_cores(why, mean);
	buffer_format(why, ", in use at once %.0f", used);
	if (!is_none(had))
		buffer_format(why, " of %.0f", had);
	give(&a->of[ADVISED_GPU], used, ADVISED_GPU, why);
	if (!(used > 0) || !(memory > 0))
		return;
	buffer_text(why, "peak ");
	human_bytes(why, memory);
	buffer_text(why, " of all GPUs together and 20 %");
	give(&a->of[ADVISED_GPU_MEMORY], advice_round_memory(memory * MEMORY_HEADROOM), ADVISED_GPU_MEMORY, why);
}

static void advise_time(struct advice *a, const struct run_use *runs, size_t n, struct buffer *why)
{
	double longest = NONE, margin = a->succeeded < RUNS_FOR_HIGH ? FEW_RUNS_MARGIN : MANY_RUNS_MARGIN;

	for (size_t i = 0; i < n; i++)
		if (advice_succeeded(&runs[i]))
			longest = advice_larger(longest, runs[i].seconds);
	if (is_none(longest)) {
		buffer_text(why, "no run is known to have come to a good end; the longest took ");
		human_seconds(why, HIGHEST(runs, n, seconds));
		give(&a->of[ADVISED_TIME], NONE, ADVISED_TIME, why);
		return;
	}
	buffer_text(why, n > 1 ? "longest run " : "the run took ");
	human_seconds(why, longest);
	buffer_format(why, "; %.0f %% margin", 100 * (margin - 1));
	give(&a->of[ADVISED_TIME], advice_round_time(longest * margin), ADVISED_TIME, why);
}

void advice_needs(struct advice *a, const struct run_use *runs, size_t n, struct buffer *text)
{
	advise_cpu(a, runs, n, text);
	advise_memory(a, runs, n, text);
	advise_gpu(a, runs, n, text);
	advise_time(a, runs, n, text);
}
