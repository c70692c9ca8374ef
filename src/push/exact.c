/* exact.c - totals from the last line of a record. */
#include "exact.h"

#include <fcntl.h>

#include "../core/source.h"
#include "../history/record_ends.h"
#include "../readers/record_reader.h"

void exact_open(struct exact *e, const char *path)
{
	auto_close int fd = source_open_file(AT_FDCWD, path);

	*e = (struct exact){ .reader = NULL };
	if (fd < 0 || record_ends(&e->ends, fd) != 1 ||
	    record_reader_of(&e->reader, path, e->ends.at, e->ends.len, NULL) < 0)
		return;
	while (record_reader_next(e->reader) != RECORD_OVER)
		;
}

const struct aggregate *exact_totals(const struct exact *e)
{
	return e->reader ? record_reader_totals(e->reader) : NULL;
}

void exact_close(struct exact *e)
{
	record_reader_close(e->reader);
	buffer_release(&e->ends);
}
