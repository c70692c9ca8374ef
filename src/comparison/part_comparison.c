/* part_comparison.c - compares two sides of runs, part by part. */
#include "part_comparison.h"

#include <string.h>

enum quantity part_measure(enum parts_of what)
{
	return what == PARTS_PROGRAMS ? QUANTITY_cpu_time : QUANTITY_duration;
}

const char *part_word(enum parts_of what, bool many)
{
	return what == PARTS_PROGRAMS ? many ? "programs" : "program" : many ? "regions" : "region";
}

static struct compared_part *find(const struct part_comparison *c, const char *name)
{
	for (size_t i = 0; i < c->n; i++)
		if (strcmp(c->parts[i]->name, name) == 0)
			return c->parts[i];
	return NULL;
}

static int add_names(struct part_comparison *c, const struct parts_side *side)
{
	for (size_t i = 0; i < side->n; i++)
		for (size_t k = 0; k < side->runs[i].n; k++) {
			const char *name = side->runs[i].at[k].name;
			struct compared_part **parts;

			if (find(c, name))
				continue;
			parts = reallocarray(c->parts, c->n + 1, sizeof(void *));
			if (!parts)
				return -ENOMEM;
			c->parts = parts;
			parts[c->n] = calloc(1, sizeof *parts[c->n]);
			if (!parts[c->n])
				return -ENOMEM;
			parts[c->n++]->name = name;
		}
	return 0;
}

/* Collects the part's values in the runs that have it, and its counts. */
static size_t gather(struct side *to, double counts[RUNS_MOST], const struct parts_side *side, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < side->n; i++) {
		const struct part *part = parts_find(&side->runs[i], name);

		if (!part)
			continue;
		to->runs[to->n++] = part->values;
		if (!is_none(part->count))
			counts[n++] = part->count;
	}
	return n;
}

static double magnitude(const struct compared_part *part, enum quantity measure)
{
	const struct row *row = &part->c.rows[measure];

	return fmax(is_none(row->base) ? -1 : row->base, is_none(row->new) ? -1 : row->new);
}

static void sort(struct part_comparison *c)
{
	enum quantity measure = part_measure(c->what);

	for (size_t i = 1; i < c->n; i++) {
		struct compared_part *part = c->parts[i];
		size_t k = i;

		for (; k > 0 && magnitude(c->parts[k - 1], measure) < magnitude(part, measure); k--)
			c->parts[k] = c->parts[k - 1];
		c->parts[k] = part;
	}
}

int compare_parts(struct part_comparison *ret, enum parts_of what, const struct parts_side *base,
		  const struct parts_side *new, const struct condition *conditions, size_t n_conditions,
		  struct why *why)
{
	struct part_comparison c = { .what = what, .conditions = conditions, .n_conditions = n_conditions };
	bool judged[countof(((struct comparison *)0)->met)] = { false };
	int r = add_names(&c, base);

	if (r == 0)
		r = add_names(&c, new);
	for (size_t i = 0; i < c.n; i++) {
		struct compared_part *part = c.parts[i];
		double a[RUNS_MOST], b[RUNS_MOST];
		size_t n = gather(&part->base, a, base, part->name), m = gather(&part->new, b, new, part->name);

		part->count = compare_values(a, n, b, m, UNIT_COUNT);
		compare_sides(&part->c, &part->base, &part->new, conditions, n_conditions);
		for (size_t k = 0; k < n_conditions; k++)
			judged[k] = comparison_judge(&part->c, k) || judged[k];
		c.failed = c.failed || part->c.failed;
	}
	if (r < 0)
		(void)why_set(why, r, "out of memory");
	for (size_t k = 0; r == 0 && k < n_conditions; k++)
		if (!judged[k])
			r = why_set(why, -ENODATA, "--fail-on '%s' cannot be judged: %s is known of no %s%s",
				    conditions[k].text, quantities[conditions[k].quantity].name, part_word(what, false),
				    conditions[k].of_change ? " of both sides" : "");
	if (r < 0) {
		part_comparison_release(&c);
		return r;
	}
	sort(&c);
	*ret = c;
	return 0;
}

void part_comparison_release(struct part_comparison *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->parts[i]);
	free(c->parts);
	*c = (struct part_comparison){ .n = 0 };
}
