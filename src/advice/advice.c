/* advice.c - how large the next run of a job should be made: several runs as one, and how sure that is. */
#include "advice_parts.h"

#include <string.h>

#include "../text/human.h"

enum { SAMPLES_LEAST = 10 };

static const double SECONDS_LEAST = 10;         /* a shorter run tells more about starting than about working */
static const double APART = 1.5;                /* highest peak by lowest: from where on runs are not alike */
static const double HELD_BACK_SHARE = 0.05;     /* of the periods of a quota */

const struct advised_info advised[ADVISED_COUNT] = {
	[ADVISED_CPU] = { "CPU", "cpu", "cores" }, [ADVISED_MEMORY] = { "memory", "memory", "bytes" },
	[ADVISED_GPU] = { "GPU", "gpu", "gpus" }, [ADVISED_GPU_MEMORY] = { "GPU memory", "gpu_memory", "bytes" },
	[ADVISED_TIME] = { "time", "time", "seconds" },
};

const struct finding_info findings[FINDING_COUNT] = {
	[FINDING_OUT_OF_MEMORY] = { "out_of_memory", "out of memory" },
	[FINDING_MEMORY_LIMIT] = { "memory_limit", "under-provisioned" },
	[FINDING_MEMORY_OVER] = { "memory_over", "over-provisioned" },
	[FINDING_SWAPPED] = { "swapped", "swapped" },
	[FINDING_THROTTLED] = { "throttled", "throttled" },
	[FINDING_CPU_SHORT] = { "cpu_short", "under-provisioned" },
	[FINDING_CPU_OVER] = { "cpu_over", "over-provisioned" },
	[FINDING_GPU_IDLE] = { "gpu_idle", "GPU idle" },
};

const char *const confidences[CONFIDENCE_COUNT] = { "low", "medium", "high" };

double advice_round_memory(double bytes)
{
	for (unsigned mib = 128; mib <= 2048; mib *= 2)
		if (bytes <= mib * ADVICE_MIB)
			return mib * ADVICE_MIB;
	return ceil(bytes / ADVICE_GIB) * ADVICE_GIB;
}

double advice_round_time(double seconds)
{
	double step = seconds <= 3600 ? 60 : seconds <= 86400 ? 900 : 3600;

	return fmax(60, ceil(seconds / step) * step);
}

/* The text so far, cut to the room, which begins a new one. */
void advice_settle(char *to, size_t size, struct buffer *text)
{
	size_t n = text->failed ? 0 : size_min(text->len, size - 1);

	if (n > 0)
		memcpy(to, text->at, n);
	to[n] = '\0';
	buffer_clear(text);
}

void advice_cores(struct buffer *text, double cores)
{
	if (fabs(cores - round(cores)) < 0.005)
		buffer_fixed(text, cores, 0);
	else
		human_cores(text, cores);
}

void advice_plural(struct buffer *text, double n, const char *one)
{
	buffer_format(text, "%.0f %s%s", n, one, n > 1 || n < 1 ? "s" : "");
}

/* ---- several runs as one ------------------------------------------------------------------- */

static double value_at(const struct run_use *u, size_t offset)
{
	double value;

	memcpy(&value, (const char *)u + offset, sizeof value);
	return value;
}

double advice_larger(double a, double b)
{
	return is_none(a) || b > a ? b : a;
}

double advice_highest(const struct run_use *runs, size_t n, size_t offset)
{
	double most = NONE;

	for (size_t i = 0; i < n; i++)
		most = advice_larger(most, value_at(&runs[i], offset));
	return most;
}

double advice_mean(const struct run_use *runs, size_t n, size_t offset)
{
	double sum = 0, seconds = 0;

	for (size_t i = 0; i < n; i++)
		if (!is_none(value_at(&runs[i], offset)) && runs[i].seconds > 0) {
			sum += value_at(&runs[i], offset) * runs[i].seconds;
			seconds += runs[i].seconds;
		}
	return seconds > 0 ? sum / seconds : NONE;
}

/* It came to its end, or its format tells of no other. */
bool advice_succeeded(const struct run_use *u)
{
	return u->state == STATE_OK || u->state == STATE_ENDED || u->state == STATE_COUNT;
}

/* All that has to fit at once, by what no sample can miss; what was swapped out would have been there, too. */
double advice_memory(const struct run_use *u)
{
	double peak = advice_larger(u->memory_peak_bytes, u->memory_process_peak_bytes);

	return u->memory_swapped_bytes > 0 ? peak + u->memory_swapped_bytes : peak;
}

bool advice_waits_unknown(const struct run_use *u)
{
	return u->tracked && !is_none(u->cpu_mean_cores) && is_none(u->cpu_wanted_cores);
}

/* Its quota held it back, or it kept all that it had busy and its threads waited for more. */
bool advice_wants_cpu(const struct run_use *u)
{
	return u->tracked &&
	       (u->cpu_throttled_share >= HELD_BACK_SHARE ||
		(u->cpu_p95_cores >= 0.95 * u->cpu_had_cores && u->cpu_wanted_cores >= 1.25 * u->cpu_had_cores));
}

/* ---- how sure ------------------------------------------------------------------------------ */

static void judge(struct advice *a, const struct run_use *runs, size_t n, struct buffer *why)
{
	double longest = HIGHEST(runs, n, seconds), samples = HIGHEST(runs, n, samples);
	double low = NONE, high = NONE;
	bool tracked = true;

	for (size_t i = 0; i < n; i++) {
		tracked = tracked && runs[i].tracked;
		low = least_known(low, advice_memory(&runs[i]));
		high = advice_larger(high, advice_memory(&runs[i]));
	}
	a->confidence = CONFIDENCE_LOW;
	if (!tracked) {
		buffer_text(why, "only the machine was watched: whatever else ran on it is in these figures");
	} else if (a->succeeded == 0) {
		buffer_text(why, n == 1 ? "the run did not succeed, or its end is not known"
					: "none of the runs succeeded, as far as is known");
	} else if (!(longest >= SECONDS_LEAST)) {
		buffer_text(why, n == 1 ? "the run took only " : "the longest run took only ");
		human_seconds(why, longest);
		buffer_text(why, ", which tells little of longer ones");
	} else if (samples < SAMPLES_LEAST) {
		buffer_text(why, "no run has more than ");
		advice_plural(why, samples, "sample");
	} else if (high > APART * low) {
		a->confidence = CONFIDENCE_MEDIUM;
		buffer_text(why, "the runs differ: their memory peaks are from ");
		human_bytes(why, low);
		buffer_text(why, " to ");
		human_bytes(why, high);
	} else if (a->succeeded < RUNS_FOR_HIGH) {
		a->confidence = CONFIDENCE_MEDIUM;
		advice_plural(why, (double)a->succeeded, "run");
		buffer_format(why, "%s; from %d alike on it is high", a->succeeded < n ? " that succeeded" : "",
			      RUNS_FOR_HIGH);
	} else {
		a->confidence = CONFIDENCE_HIGH;
		buffer_format(why, "%zu runs that are alike", a->succeeded);
	}
	advice_settle(a->confidence_why, sizeof a->confidence_why, why);
	for (enum advised i = 0; i < ADVISED_COUNT; i++)
		a->of[i].confidence = a->confidence;
}

void advise(struct advice *ret, const struct run_use *runs, size_t n)
{
	struct advice a = { .runs = n, .cpu_request_cores = NONE };
	struct buffer text = { 0 };

	for (enum advised i = 0; i < ADVISED_COUNT; i++)
		a.of[i].amount = NONE;
	for (size_t i = 0; i < n; i++)
		a.succeeded += advice_succeeded(&runs[i]);
	judge(&a, runs, n, &text);
	advice_needs(&a, runs, n, &text);
	advice_find(&a, runs, n, &text);
	buffer_release(&text);
	*ret = a;
}
