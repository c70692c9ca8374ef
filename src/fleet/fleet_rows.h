/*
 * fleet_rows.h - a run as rows of the tables of a store (docs/reference/fleet.md).
 *
 * A table is described by its columns, a row has a value for each of them.  Quantities, metrics, metadata and keys of a
 * scheduler's job come from the lists that name them everywhere else.
 */
#ifndef RT_FLEET_ROWS_H
#define RT_FLEET_ROWS_H

#include "../history/digest.h"
#include "fleet_columns.h"

/* In the order in which they are written: a run that is listed has all its rows. */
enum fleet_table { FLEET_PROGRAMS, FLEET_REGIONS, FLEET_POINTS, FLEET_ENDS, FLEET_RUNS, FLEET_TABLES };

/* The first n_key columns are the key of a row: the run's first.  The next one is pushed_us, the time of writing. */
struct fleet_table_info { const char *name; size_t n_key; };

extern const struct fleet_table_info fleet_tables[FLEET_TABLES];

/* The columns of a table. */
void fleet_columns_of(struct fleet_columns *ret, enum fleet_table t);
struct fleet_row { enum fleet_table table; const union value *values; };

/* id and start_us (microseconds since 1970) are the key of the run. */
struct fleet_run {
	const char *id;
	int64_t start_us;
	const struct fleet_row *rows;           /* by table, in their order */
	size_t n_rows;
};

/*
 * The rows of a run, all in the arena, which the caller releases, after an error too.  record: the address of its
 * record; ends: the record's first and last lines, NULL: they are not kept; pushed_us: the time of writing,
 * microseconds since 1970.  -ENOMEM.
 */
int fleet_run_read(struct fleet_run *ret, struct arena *arena, const struct digest *d, const char *record,
		   const char *ends, int64_t pushed_us) must_use;

#endif
