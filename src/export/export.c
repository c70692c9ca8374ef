/* export.c - passes the output of all writers on. */
#include "export.h"

enum { FLUSH_BYTES = 64 << 10 };

int export_write(struct export *e)
{
	int r;

	if (e->out.failed)
		return export_no_memory(e);
	if (e->out.len == 0)
		return 0;
	r = e->write(e->to, e->out.at, e->out.len, e->why);
	buffer_clear(&e->out);
	return r;
}

int export_flush(struct export *e)
{
	return e->out.len < FLUSH_BYTES && !e->out.failed ? 0 : export_write(e);
}
