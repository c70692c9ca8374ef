/* record_identity.c - numbers the rows of a table in the record. */
#include "record_identity.h"

#include <string.h>

#include "../core/record_format.h"

struct slot { uint64_t window; bool reported; };        /* window: in which its row was last seen */

void identity_open(struct identity *d, enum table t)
{
	*d = (struct identity){ .table = t, .stride = sizeof(struct slot) + tables[t].stride };
}

void identity_release(struct identity *d)
{
	free(d->at);
	*d = (struct identity){ 0 };
}

static struct slot *slot_at(const struct identity *d, size_t i)
{
	return (void *)(d->at + i * d->stride);
}

struct rows identity_rows(const struct identity *d)
{
	return (struct rows){ d->at ? d->at + sizeof(struct slot) : NULL, d->n, d->stride };
}

ptrdiff_t identity_number(const struct identity *d, const char *key, size_t hint)
{
	return d->n == 0 ? -1 : row_find(identity_rows(d), key, hint);
}

/* A slot for a new row: a fresh one, or the one unused for the longest time; -1: all are in use, or no memory. */
static ptrdiff_t take_slot(struct identity *d, uint64_t window)
{
	if (d->n < record_numbers(d->table)) {
		if (d->n == d->room) {
			size_t room = d->room ? 2 * d->room : 4;
			char *at = realloc(d->at, room * d->stride);

			if (!at)
				return -1;
			d->at = at;
			d->room = room;
		}
		return (ptrdiff_t)d->n++;
	}

	size_t oldest = 0;

	for (size_t i = 1; i < d->n; i++)
		if (slot_at(d, i)->window < slot_at(d, oldest)->window)
			oldest = i;
	return slot_at(d, oldest)->window < window ? (ptrdiff_t)oldest : -1;
}

/* Whether no text or FIXED metric of the row has changed; a value that is missing now is not a change. */
static bool same(const struct table_info *info, struct rows seen, size_t i, struct rows now, size_t k)
{
	for (size_t l = 0; l < info->n_labels; l++) {
		const char *text = row_label(now, k, &info->labels[l]);

		if (*text && strcmp(text, row_label(seen, i, &info->labels[l])) != 0)
			return false;
	}
	for (size_t m = 0; m < info->n_metrics; m++) {
		double was = row_value(seen, i, &info->metrics[m]), is = row_value(now, k, &info->metrics[m]);

		if (info->metrics[m].kind == KIND_FIXED && !is_none(is) && !(fabs(is - was) <= 0))
			return false;
	}
	return true;
}

void identity_see(struct identity *d, const struct sample *s, uint64_t window)
{
	const struct table_info *info = &tables[d->table];
	struct rows rows = sample_rows(s, d->table);

	for (size_t i = 0; i < rows.n; i++) {
		ptrdiff_t number = identity_number(d, row_key(rows, i), i);
		bool fresh = number < 0;

		if (fresh)
			number = take_slot(d, window);
		if (number < 0)
			continue;

		struct slot *slot = slot_at(d, (size_t)number);

		slot->window = window;
		if (fresh || !same(info, identity_rows(d), (size_t)number, rows, i)) {
			memcpy(slot + 1, row_key(rows, i), info->stride);
			slot->reported = false;
		}
	}
}

ptrdiff_t identity_next_unwritten(struct identity *d, size_t from)
{
	for (; from < d->n; from++)
		if (!slot_at(d, from)->reported) {
			slot_at(d, from)->reported = true;
			return (ptrdiff_t)from;
		}
	return -1;
}

void identity_forget_written(struct identity *d)
{
	for (size_t i = 0; i < d->n; i++)
		slot_at(d, i)->reported = false;
}
