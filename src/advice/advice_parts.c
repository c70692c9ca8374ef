/* advice_parts.c - combines several runs, and formats words, for the files of the advice. */
#include "advice_parts.h"

#include <string.h>

#include "../text/human.h"

static const double HELD_BACK_SHARE = 0.05;     /* of the periods of a quota */

/* Moves the text to `to`, cut to its size, and empties it. */
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

/* The run succeeded, or its format has no exit status. */
bool advice_succeeded(const struct run_use *u)
{
	return u->state == STATE_OK || u->state == STATE_ENDED || u->state == STATE_COUNT;
}

/* All memory in use at once, by a peak that no sample can miss; swapped memory included. */
double advice_memory(const struct run_use *u)
{
	double peak = advice_larger(u->memory_peak_bytes, u->memory_process_peak_bytes);

	return u->memory_swapped_bytes > 0 ? peak + u->memory_swapped_bytes : peak;
}

bool advice_waits_unknown(const struct run_use *u)
{
	return u->tracked && !is_none(u->cpu_mean_cores) && is_none(u->cpu_wanted_cores);
}

/* Its quota throttled it, or all its cores were busy and its threads waited for more. */
bool advice_wants_cpu(const struct run_use *u)
{
	return u->tracked &&
	       (u->cpu_throttled_share >= HELD_BACK_SHARE ||
		(u->cpu_p95_cores >= 0.95 * u->cpu_had_cores && u->cpu_wanted_cores >= 1.25 * u->cpu_had_cores));
}
