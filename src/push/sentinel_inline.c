/* sentinel_inline.c - a whole run as one request to the service Sentinel. */
#include "sentinel_inline.h"

#include <string.h>

#include "gzip.h"
#include "sentinel_body.h"

/* The header of the first parcel is that of all: their columns are the same. */
static int add_rows(struct buffer *to, const struct parcel *p, size_t most)
{
	size_t before = to->len;
	int r = gzip_read(to, p->body, p->n, most);
	const char *line = r == 0 && before > 0 ? memchr(to->at + before, '\n', to->len - before) : NULL;

	if (line) {
		size_t rest = (size_t)(to->at + to->len - line - 1);

		memmove(to->at + before, line + 1, rest);
		to->len = before + rest;
	}
	return r < 0 ? r : to->len > most ? -EFBIG : 0;
}

int sentinel_write_all(struct buffer *out, const struct parcels *all, size_t most)
{
	struct buffer rows = { 0 };
	struct parcel p;
	bool ended = false;
	int r = 0;

	while (r == 0 && !ended && all->next(all->context, &p)) {
		ended = p.kind == PARCEL_END;
		if (p.kind == PARCEL_DATA)
			r = add_rows(&rows, &p, most);
		else if (ended)
			sentinel_write_inline(out, p.body, p.n, &rows);
	}
	buffer_release(&rows);
	return r < 0 ? r : !ended ? -ENODATA : out->failed ? -ENOMEM : 0;
}
