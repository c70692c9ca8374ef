/* adviser.c - computes the recommended size of the next run, and the confidence in it. */
#include "adviser.h"

#include "../text/human.h"
#include "advice_parts.h"

enum { SAMPLES_LEAST = 10 };

static const double SECONDS_LEAST = 10;         /* a shorter run mostly shows the start-up */
static const double APART = 1.5;                /* highest peak divided by lowest: from here on runs are not alike */

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
		buffer_text(why, ", which shows little about longer ones");
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
