/* export_sqlite_missing.c - replaces export_sqlite.c if the build found no SQLite. */
#include "export.h"

static int begin(struct export *e)
{
	return why_set(e->why, -ENOSYS, "this resource-tracker was built without SQLite: install libsqlite3-dev and "
		       "build it again");
}

const struct export_form export_sqlite = {
	.name = "sqlite", .help = "(this build has no SQLite)", .several = true, .own_file = true, .begin = begin,
};
