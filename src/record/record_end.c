/* record_end.c - the last line of a run record: the end of the run and its totals. */
#include "record_lines.h"

enum { END_ROWS_MAX = 64, OUTLINE_BYTES_MAX = 8 << 10, OUTLINE_SECONDS_DECIMALS = 6 };

static void statistic_array(struct json *j, const struct metric *m, struct statistic s)
{
	/* Extra decimals: a mean rounded here and again for people could become a different text. */
	int decimals = m->decimals + 3 > 9 ? 9 : m->decimals + 3;

	json_open(j, '[');
	json_number(j, m->kind == KIND_FIXED ? s.last : s.mean, m->kind == KIND_FIXED ? m->decimals : decimals);
	json_number(j, s.maximum, m->kind == KIND_AMOUNT ? decimals : m->decimals);
	json_number(j, m->kind == KIND_AMOUNT ? s.sum : NONE, m->decimals);
	json_close(j, ']');
}

static void total_statistics(struct json *j, const struct aggregate *whole)
{
	json_member_open(j, "statistics", '{');
	for (size_t i = 0; i < tables[TABLE_TOTAL].n_metrics; i++) {
		const struct metric *m = &tables[TABLE_TOTAL].metrics[i];
		struct statistic s = aggregate_total(whole, m);
		char name[RECORD_NAME_SIZE];

		if (m->kind == KIND_COUNTER || is_none(s.last))
			continue;
		record_metric_name(name, m);
		json_key(j, name);
		statistic_array(j, m, s);
	}
	json_close(j, '}');
}

static void table_statistics(struct json *j, const struct aggregate *whole, enum table t)
{
	size_t n = size_min(aggregate_rows(whole, t), END_ROWS_MAX);

	if (n == 0)
		return;
	json_member_open(j, tables[t].name, '[');
	for (size_t row = 0; row < n; row++) {
		json_open(j, '{');
		json_member_text(j, "key", aggregate_key(whole, t, row));
		for (size_t i = 0; i < tables[t].n_metrics; i++) {
			const struct metric *m = &tables[t].metrics[i];
			struct statistic s = aggregate_row(whole, t, row, m);

			if (!record_column(m) || is_none(s.last))
				continue;
			json_key(j, m->name);
			statistic_array(j, m, s);
		}
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void outline_object(struct json *j, const struct outline *o)
{
	char name[RECORD_NAME_SIZE];

	json_open(j, '{');
	json_member_open(j, "columns", '[');
	json_word(j, "t");
	for (size_t i = 0; i < OUTLINE_QUANTITIES; i++)
		if (outline_knows(o, i)) {
			record_metric_name(name, outline_metric(i));
			json_word(j, name);
		}
	json_close(j, ']');
	json_member_open(j, "points", '[');
	for (size_t k = 0; k < o->n; k++) {
		json_open(j, '[');
		json_number(j, o->at[k].end_seconds, OUTLINE_SECONDS_DECIMALS);
		for (size_t i = 0; i < OUTLINE_QUANTITIES; i++)
			if (outline_knows(o, i))
				json_number(j, o->at[k].value[i], outline_metric(i)->decimals);
		json_close(j, ']');
	}
	json_close(j, ']');
	json_close(j, '}');
}

/* Writes the outline with as many points as fit into OUTLINE_BYTES_MAX. */
static void outline_member(struct json *j, struct outline o)
{
	struct json before;
	size_t begin;

	json_key(j, "outline");
	begin = j->out->len;
	before = *j;
	outline_object(j, &o);
	while (j->out->len - begin > OUTLINE_BYTES_MAX && o.n > 1) {
		j->out->len = begin;
		*j = before;
		outline_halve(&o);
		outline_object(j, &o);
	}
}

void record_reason(struct json *j, const struct run_status *status)
{
	if (!status->reason.cause[0])
		return;
	json_member_open(j, "reason", '{');
	json_member_text(j, "cause", status->reason.cause);
	json_member_text(j, "certainty", status->reason.certainty);
	json_member_text(j, "text", status->reason.text);
	json_close(j, '}');
}

static void status_keys(struct json *j, const struct run_status *status)
{
	static const char *const names[] = {
		[RUN_RUNNING] = "running", [RUN_EXITED] = "exited", [RUN_SIGNALED] = "signaled",
		[RUN_ROOTS_ENDED] = "roots_ended", [RUN_STOPPED] = "stopped",
	};

	json_member_text(j, "status", names[status->end]);
	if (status->end == RUN_EXITED)
		json_member_i64(j, "exit_code", status->value);
	if (status->end == RUN_SIGNALED) {
		json_member_i64(j, "signal", status->value);
		json_member_bool(j, "core_dumped", status->core_dumped);
	}
	record_reason(j, status);
}

void record_end_line(struct buffer *out, const struct run *run, const struct run_status *status,
		     const struct aggregate *whole, const struct record_end *end)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_open(&j, "end", '{');
	status_keys(&j, status);
	record_time(&j, "time", "time_utc", status->end_wall_ns);
	json_member_number(&j, "seconds", (double)(status->end_monotonic_ns - run->start_monotonic_ns) / 1e9,
			   RECORD_SECONDS_DECIMALS);
	json_member_number(&j, "sampled_seconds", aggregate_seconds(whole), RECORD_SECONDS_DECIMALS);
	json_member_u64(&j, "samples", aggregate_samples(whole));
	json_member_u64(&j, "record_rows", end->counts->rows);
	json_member_u64(&j, "exits", end->counts->exits);
	json_member_u64(&j, "exits_written", end->counts->exits_written);
	json_member_u64(&j, "left_behind", status->left_behind);
	json_member_u64(&j, "dropped_lines", status->dropped_lines);
	if (end->regions)
		record_region_totals(&j, end->regions);
	total_statistics(&j, whole);
	json_member_open(&j, "tables", '{');
	for (enum table t = TABLE_TOTAL + 1; t < TABLE_COUNT; t++)
		table_statistics(&j, whole, t);
	json_close(&j, '}');
	if (end->programs)
		record_program_tree(&j, end->programs);
	if (end->outline && end->outline->n > 0)
		outline_member(&j, *end->outline);
	json_close(&j, '}');
	json_close(&j, '}');
	buffer_char(out, '\n');
}
