/* pss_budget.c - when smaps_rollup may be read. */
#include "pss_budget.h"

enum {
	EARN_DIVISOR = 100,                     /* 1 % of the time */
	FIRST_NS = 10 * 1000 * 1000,            /* saved at the beginning */
	PASS_NS = 10 * 1000 * 1000,             /* many short readings do not make one long pause of ours */
	/* As measured on a machine of 2024: 33 to 45 ns a page; an empty table costs its 512 looks. */
	BASE_NS = 30 * 1000, NS_PER_PAGE = 45, NS_PER_TABLE = 400,
};

static const int64_t SAVED_MAX_NS = 2 * (int64_t)PSS_SLEEP_NS;
static const double FACTOR_MIN = 0.25, FACTOR_MAX = 4;

struct pss_budget pss_budget_open(int64_t now_ns)
{
	return (struct pss_budget){ .saved_ns = FIRST_NS, .filled_ns = now_ns };
}

void pss_budget_fill(struct pss_budget *b, int64_t now_ns, unsigned slowdown)
{
	int64_t earned = (now_ns - b->filled_ns) / EARN_DIVISOR / (int64_t)slowdown;

	b->saved_ns += earned;
	if (b->saved_ns > SAVED_MAX_NS)
		b->saved_ns = SAVED_MAX_NS;
	b->filled_ns = now_ns;
	b->pass_ns = earned > PASS_NS ? earned : PASS_NS;
	b->spent = false;
}

bool pss_budget_allows(const struct pss_budget *b, int64_t expected_ns, bool asleep)
{
	if (expected_ns > b->saved_ns || expected_ns > (asleep ? PSS_SLEEP_NS : PSS_READ_NS))
		return false;
	return expected_ns <= b->pass_ns || !b->spent;
}

void pss_budget_spend(struct pss_budget *b, int64_t ns)
{
	b->saved_ns -= ns;
	b->pass_ns -= ns;
	b->spent = true;
}

static double modelled_ns(const struct pss_size *s)
{
	return BASE_NS + (double)s->pages * NS_PER_PAGE + (double)s->tables * NS_PER_TABLE;
}

int64_t pss_expected_ns(const struct pss_size *s)
{
	return (int64_t)(modelled_ns(s) * (s->factor > 0 ? s->factor : 1));
}

double pss_factor(const struct pss_size *s, int64_t took_ns)
{
	double factor = (double)took_ns / modelled_ns(s);

	if (s->factor > 0 && factor > s->factor)
		factor = (factor + s->factor) / 2;
	return factor < FACTOR_MIN ? FACTOR_MIN : factor < FACTOR_MAX ? factor : FACTOR_MAX;
}
