/* fleet_recommend.c - `fleet recommend`. */
#include "fleet_recommend.h"

#include <stdio.h>
#include <string.h>

#include "../core/sample.h"
#include "../text/shown.h"

enum { RUNS = 20 };
static const double NS_PER_US = 1000;

/* The columns that fleet_rows writes of a struct run_use, in this order. */
enum {
	COLUMN_ID, COLUMN_START, COLUMN_STATE, COLUMN_TRACKED, COLUMN_PSS, COLUMN_MISSED, COLUMN_OUT_OF_MEMORY,
	COLUMN_USE,
};
static const char FIRST_COLUMNS[] = "id, start_us, state, use_tracked, use_pss, use_peak_missed, use_out_of_memory";
#define COLUMN(name) ", use_" #name
static const char USE_COLUMNS[] = RUN_USE(COLUMN);
#undef COLUMN

static const char *const runs_tables[DIALECTS] = { [DIALECT_SQLITE] = "runs", [DIALECT_CLICKHOUSE] = "runs FINAL" };

static enum run_state state_of(const char *word)
{
	enum run_state s = 0;

	while (s < STATE_COUNT && strcmp(run_states[s], word) != 0)
		s++;
	return s;
}

static void read_run(struct advised_run *run, const struct fleet_result *r, size_t row)
{
	struct run_use *use = &run->use;
	size_t column = COLUMN_USE;

	(void)snprintf(run->id, sizeof run->id, "%s", fleet_result_at(r, row, COLUMN_ID).text);
	run->start_wall_ns = (int64_t)(fleet_result_at(r, row, COLUMN_START).number * NS_PER_US);
	use->state = state_of(fleet_result_at(r, row, COLUMN_STATE).text);
	use->tracked = fleet_result_at(r, row, COLUMN_TRACKED).number > 0;
	use->pss = fleet_result_at(r, row, COLUMN_PSS).number > 0;
	use->peak_missed = fleet_result_at(r, row, COLUMN_MISSED).number > 0;
	use->out_of_memory = fleet_result_at(r, row, COLUMN_OUT_OF_MEMORY).number > 0;
#define READ(name) use->name = fleet_result_at(r, row, column++).number;
	RUN_USE(READ)
#undef READ
}

int fleet_recommend(struct recommended *to, const struct store_kind *kind, struct fleet_store *store,
		    const struct fleet_query *q, struct why *why)
{
	struct parameter parameters[FLEET_PARAMETERS];
	struct fleet_result result = { .n_rows = 0 };
	struct buffer sql = { 0 };
	int r;

	if (!q->name)
		return why_set(why, -EINVAL, "which job? Give --name NAME");
	r = fleet_parameters_read(parameters, q, RUNS, why);
	if (r < 0)
		return r;
	buffer_format(&sql, "SELECT %s%s FROM %s WHERE name = :name AND start_us >= :since AND start_us < :until "
		      "ORDER BY start_us DESC, id LIMIT :limit", FIRST_COLUMNS, USE_COLUMNS, runs_tables[kind->dialect]);
	buffer_char(&sql, '\0');
	buffer_text(&to->title, q->name);
	buffer_char(&to->title, '\0');
	r = sql.failed || to->title.failed ? why_set(why, -ENOMEM, "out of memory")
					   : kind->ask(store, sql.at, parameters, countof(parameters), &result, why);
	if (r == 0 && result.n_rows == 0)
		r = why_set(why, -ENOENT, "no run with the name '%s' is there: 'fleet query memory' lists the names",
			    show(q->name).text);
	for (size_t i = 0; r == 0 && i < result.n_rows; i++) {
		struct advised_run *run = recommended_run(to);

		if (run)
			read_run(run, &result, i);
		else
			r = why_set(why, -ENOMEM, "out of memory");
	}
	buffer_release(&sql);
	fleet_result_release(&result);
	return r;
}
