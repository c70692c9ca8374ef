/* runs_order.c - the order of a list of runs. */
#include "runs_order.h"

#include <string.h>
#include <strings.h>

#include "runs_columns.h"

int runs_order_read(struct runs_order *ret, const char *name, struct why *why)
{
	struct runs_order order = { .reversed = *name == '-' };
	int r = runs_column_find(&order.column, word_of(name + order.reversed), "sort", why);

	if (r == 0)
		*ret = order;
	return r;
}

struct sort_key { const struct past_run *run; double number; struct buffer text; };

static bool is_unknown(const struct sort_key *k)
{
	return is_none(k->number) && k->text.len == 0;
}

/* Whether b comes before a. */
static bool is_wrong(const struct sort_key *a, const struct sort_key *b, bool reversed)
{
	int order = 0;

	if (is_unknown(a) || is_unknown(b))
		return is_unknown(a) && !is_unknown(b);
	if (!is_none(a->number))
		order = (a->number < b->number) - (a->number > b->number);
	else
		order = strcasecmp(a->text.at, b->text.at);
	return reversed ? order < 0 : order > 0;
}

static void merge(struct sort_key *at, struct sort_key *room, size_t n, bool reversed)
{
	size_t half = n / 2, left = 0, right = half;

	if (n < 2)
		return;
	merge(at, room, half, reversed);
	merge(at + half, room, n - half, reversed);
	for (size_t i = 0; i < n; i++)
		if (left == half || (right < n && is_wrong(&at[left], &at[right], reversed)))
			room[i] = at[right++];
		else
			room[i] = at[left++];
	memcpy(at, room, n * sizeof *at);
}

void runs_sort(const struct past_run **runs, size_t n, const struct runs_order *order)
{
	struct sort_key *keys = calloc(2 * n + 1, sizeof *keys);

	for (size_t i = 0; keys && i < n; i++) {
		keys[i] = (struct sort_key){ .run = runs[i], .number = runs_column_number(runs[i], order->column) };
		if (runs_column_is_number(order->column))
			continue;
		runs_cell(&keys[i].text, runs[i], order->column, BASIS_COUNT, true);
		if (keys[i].text.len > 0)
			buffer_char(&keys[i].text, '\0');
	}
	if (keys)
		merge(keys, keys + n, n, order->reversed);
	for (size_t i = 0; keys && i < n; i++) {
		runs[i] = keys[i].run;
		buffer_release(&keys[i].text);
	}
	free(keys);
}
