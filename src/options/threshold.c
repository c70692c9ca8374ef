/* threshold.c - the conditions of --on-limit. */
#include "threshold.h"

#include <string.h>

#include "../core/sample.h"
#include "../text/did_you_mean.h"
#include "../text/shown.h"
#include "../text/values.h"

static const char BLANKS[] = " \t\n";

const struct threshold_info thresholds[] = {
#define SHARE(name, unit, tree, tree_else, machine, whole, whole_else, help) \
	{ name, help, UNIT_##unit, false, offsetof(struct totals, tree), offsetof(struct totals, tree_else), \
	  offsetof(struct totals, machine), offsetof(struct totals, whole), offsetof(struct totals, whole_else) },
#define EVENT(name, tree, help) \
	{ name, help, UNIT_COUNT, true, offsetof(struct totals, tree), offsetof(struct totals, tree), \
	  offsetof(struct totals, tree), 0, 0 },
#include "thresholds.def"
};
const size_t threshold_count = countof(thresholds);

static const struct threshold_info *info_of(const char *name, const char *origin, struct why *why)
{
	struct guess guess = { .word = name };
	char list[200] = "";

	for (size_t i = 0; i < threshold_count; i++) {
		if (strcmp(thresholds[i].name, name) == 0)
			return &thresholds[i];
		guess_consider(&guess, thresholds[i].name);
		alternatives_add(list, sizeof list, thresholds[i].name, i + 1 == threshold_count);
	}
	if (guess.best)
		(void)why_set(why, -EINVAL, "%s: '%s' is not a limit; did you mean %s?", origin, show(name).text, guess.best);
	else
		(void)why_set(why, -EINVAL, "%s: '%s' is not a limit: %s", origin, show(name).text, list);
	return NULL;
}

/* "90%", "8GiB", "2.5" */
static bool read_most(struct threshold *t, char *text)
{
	size_t n = strlen(text);
	uint64_t bytes;

	t->share = n > 0 && text[n - 1] == '%';
	if (t->share)
		text[n - 1] = '\0';
	if (!t->share && t->of->unit == UNIT_BYTES) {
		bool whole = value_size(text, &bytes) && bytes >= 1024;         /* "90" was meant as a share */

		t->most = whole ? (double)bytes : NONE;
	} else if (!value_decimal(text, &t->most))
		return false;
	if (t->share)
		t->most /= 100;
	return t->most >= 0;
}

int threshold_read(struct threshold *ret, const char *text, const char *origin, struct why *why)
{
	struct threshold t = { .most = 0 };
	char condition[64];
	const char *begin = text + strspn(text, BLANKS);
	struct word first = { begin, strcspn(begin, BLANKS) };

	if (!word_copy(first, condition, sizeof condition))
		return why_set(why, -EINVAL, "%s: '%s' is not a limit", origin, show(condition).text);

	char *sign = strchr(condition, '>');

	if (sign)
		*sign = '\0';
	t.of = info_of(condition, origin, why);
	if (!t.of)
		return -EINVAL;
	if (t.of->event && sign)
		return why_set(why, -EINVAL, "%s: %s happens or does not; leave out what follows the name", origin, t.of->name);
	if (!t.of->event && (!sign || !read_most(&t, sign + 1)))
		return why_set(why, -EINVAL, "%s: %s needs a limit, as %s>90%% or %s>%s", origin, t.of->name, t.of->name,
			       t.of->name, t.of->unit == UNIT_BYTES ? "8GiB" : "4");
	t.program = begin + first.len + strspn(begin + first.len, BLANKS);
	if (!*t.program)
		return why_set(why, -EINVAL, "%s: needs a program after the limit, as '%.40s notify.sh'", origin, show(begin).text);
	*ret = t;
	return 0;
}

static double total_at(const struct totals *now, size_t offset, size_t otherwise)
{
	double value, other;

	memcpy(&value, (const char *)now + offset, sizeof value);
	memcpy(&other, (const char *)now + otherwise, sizeof other);
	return is_none(value) ? other : value;
}

double threshold_value(const struct threshold *t, const struct totals *now, bool tracked)
{
	const struct threshold_info *of = t->of;
	double value = tracked ? total_at(now, of->tree, of->tree_else) : total_at(now, of->machine, of->machine);
	double whole = t->share ? total_at(now, of->whole, of->whole_else) : 1;

	return whole > 0 ? value / whole : NONE;
}

bool crossing_step(struct crossing *c, const struct threshold *t, double value)
{
	bool over = value > t->most, fires = over && !c->over;

	if (is_none(value))
		return false;
	c->rest = over ? 0 : c->rest + 1;
	c->over = over || (c->over && c->rest < REST_SAMPLES);
	return fires;
}
