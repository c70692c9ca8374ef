/* quantile.c - the function quantile(x, share) for SQLite. */
#include "quantile.h"

#include "../core/base.h"

struct values { double *at; size_t n, room; double share; bool failed; };

static void step(sqlite3_context *context, int n, sqlite3_value **arguments)
{
	struct values *v = sqlite3_aggregate_context(context, sizeof *v);

	(void)n;
	if (!v || sqlite3_value_type(arguments[0]) == SQLITE_NULL)
		return;
	if (v->n == v->room) {
		size_t room = v->room ? 2 * v->room : 64;
		double *more = reallocarray(v->at, room, sizeof *more);

		if (!more) {
			v->failed = true;
			return;
		}
		v->at = more;
		v->room = room;
	}
	v->share = sqlite3_value_double(arguments[1]);
	v->at[v->n++] = sqlite3_value_double(arguments[0]);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void final(sqlite3_context *context)
{
	struct values *v = sqlite3_aggregate_context(context, 0);

	if (v && v->failed)
		sqlite3_result_error_nomem(context);
	else if (v && v->n > 0) {
		qsort(v->at, v->n, sizeof *v->at, ascending);
		sqlite3_result_double(context, v->at[size_min((size_t)(v->share * (double)v->n), v->n - 1)]);
	}
	if (v)
		free(v->at);
}

int quantile_register(sqlite3 *database)
{
	int r = sqlite3_create_function(database, "quantile", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, NULL, step, final);

	return r == SQLITE_OK ? 0 : -ENOMEM;
}
