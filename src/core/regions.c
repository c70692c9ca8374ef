/* regions.c - the use of the named parts of a program. */
#include "regions.h"

const char *const region_use_names[REGION_USES] = {
#define REGION_USE_NAME(NAME, name) #name,
	REGION_USES(REGION_USE_NAME)
#undef REGION_USE_NAME
};

bool region_use_is_exact(const struct region_use *u)
{
	return u->upper - u->lower <= 0.02 * double_max(fabs(u->lower), fabs(u->upper));
}

/* If the bounds are further apart than this factor, the value can be 0: a reading is up to 0.2 ms away from an end. */
static const double APART = 10;

static void settle(struct region_use *u)
{
	if (!region_use_is_exact(u) && !(u->lower > 0 && u->upper <= APART * u->lower) &&
	    !(u->upper < 0 && u->lower >= APART * u->upper))
		u->value = NONE;
}

void region_total_settle(struct region_total *t)
{
	for (size_t k = 0; k < REGION_USES; k++)
		settle(&t->use[k]);
}

static double weight(const struct region_total *r)
{
	return is_none(r->seconds) ? 0 : r->seconds;
}

bool region_among_longest(const struct region_totals *t, size_t i, size_t most)
{
	double ours = weight(&t->at[i]);
	size_t longer = 0;

	for (size_t k = 0; k < t->n; k++)
		longer += weight(&t->at[k]) > ours || (k < i && !(weight(&t->at[k]) < ours));
	return longer < most;
}
