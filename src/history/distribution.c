/* distribution.c - percentiles of a quantity over a run of any length, weighted by time, in bounded memory. */
#include "distribution.h"

#include <string.h>

#include "../core/sample.h"

enum { CLASS_BITS = 8, CLASSES = 1 << CLASS_BITS, MANTISSA_BITS = 52 };

struct share { double weight, sum; };           /* sum: of values times weights */
struct distribution_page { unsigned exponent; struct share *classes; };

/* The page of this exponent, inserted in order if missing. */
static struct share *page_of(struct distribution *d, unsigned exponent)
{
	size_t i = 0;

	while (i < d->n && d->pages[i].exponent < exponent)
		i++;
	if (i < d->n && d->pages[i].exponent == exponent)
		return d->pages[i].classes;

	struct distribution_page *pages = reallocarray(d->pages, d->n + 1, sizeof *pages);

	if (!pages)
		return NULL;
	d->pages = pages;

	struct share *classes = calloc(CLASSES, sizeof *classes);

	if (!classes)
		return NULL;
	memmove(pages + i + 1, pages + i, (d->n - i) * sizeof *pages);
	pages[i] = (struct distribution_page){ exponent, classes };
	d->n++;
	return classes;
}

void distribution_add(struct distribution *d, double value, double weight)
{
	uint64_t bits;
	struct share *classes;

	if (!isfinite(value) || !(weight > 0))
		return;
	d->weight += weight;
	memcpy(&bits, &value, sizeof bits);
	if (value < 1e-300) {
		d->zero_weight += weight;
		return;
	}
	classes = page_of(d, (unsigned)(bits >> MANTISSA_BITS));
	if (!classes) {
		d->failed = true;
		return;
	}
	classes += (bits >> (MANTISSA_BITS - CLASS_BITS)) & (CLASSES - 1);
	classes->weight += weight;
	classes->sum += value * weight;
}

double distribution_at(const struct distribution *d, double share)
{
	double before = d->zero_weight, due = share * d->weight, last = d->zero_weight > 0 ? 0 : NONE;

	if (d->failed || before >= due)
		return d->failed ? NONE : last;
	for (size_t i = 0; i < d->n; i++)
		for (size_t c = 0; c < CLASSES; c++) {
			const struct share *s = &d->pages[i].classes[c];

			if (s->weight <= 0)
				continue;
			last = s->sum / s->weight;
			before += s->weight;
			/* Sums of weights are rounded: the last bit must not decide. */
			if (before >= due * (1 - 1e-12))
				return last;
		}
	return last;
}

void distribution_release(struct distribution *d)
{
	for (size_t i = 0; i < d->n; i++)
		free(d->pages[i].classes);
	free(d->pages);
	*d = (struct distribution){ 0 };
}
