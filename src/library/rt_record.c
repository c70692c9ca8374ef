/* rt_record.c - a run record, row by row, and the facts of its run. */
#include "rt_record_frames.h"

#include <limits.h>

void rt_record_close(struct rt_record *record)
{
	if (!record)
		return;
	for (size_t i = 0; i < countof(record->frames); i++)
		frame_close(record->frames[i]);
	rt_close(record->row);
	record_reader_close(record->reader);
	free(record);
}

/* A tracker without a sampler. */
static struct rt_tracker *row_of(struct record_reader *reader)
{
	struct rt_tracker *row = calloc(1, sizeof *row);

	if (!row)
		return NULL;
	row->run = record_reader_facts(reader)->run;
	row->sample = &row->own;
	sample_clear(&row->own);
	return row;
}

static void write_job_numbers(struct rt_record *record, const struct job *job)
{
	for (enum job_key key = 0; job && key < JOB_KEYS; key++)
		if (job_keys[key].number && job_number(job, key) >= 0)
			u64_text(record->job_numbers[key], (uint64_t)job_number(job, key));
}

/* Takes ownership of the reader, if there is one. */
static int record_of(struct rt_record **ret, struct record_reader *reader, int opened, struct why *why, char *reason,
		     size_t reason_size)
{
	if (opened < 0)
		return reason_give(reason, reason_size, why, opened);

	struct rt_record *record = calloc(1, sizeof *record);

	if (!record) {
		record_reader_close(reader);
		return reason_give(reason, reason_size, why, why_set(why, -ENOMEM, "out of memory"));
	}
	record->reader = reader;
	record->row = row_of(reader);
	if (!record->row) {
		rt_record_close(record);
		return reason_give(reason, reason_size, why, why_set(why, -ENOMEM, "out of memory"));
	}
	write_job_numbers(record, record->row->run.job);
	*ret = record;
	return 0;
}

int rt_record_open(struct rt_record **ret, const char *path, char *reason, size_t reason_size)
{
	struct record_reader *reader = NULL;
	struct why why = { "" };
	int opened = record_reader_open(&reader, path, &why);

	return record_of(ret, reader, opened, &why, reason, reason_size);
}

int rt_record_follow(struct rt_record **ret, const char *path, char *reason, size_t reason_size)
{
	struct record_reader *reader = NULL;
	struct why why = { "" };
	int opened = record_reader_follow(&reader, path, &why);

	return record_of(ret, reader, opened, &why, reason, reason_size);
}

int rt_record_open_memory(struct rt_record **ret, const void *bytes, size_t size, char *reason, size_t reason_size)
{
	struct record_reader *reader = NULL;
	struct why why = { "" };
	int opened = record_reader_of(&reader, "record", bytes, size, &why);

	return record_of(ret, reader, opened, &why, reason, reason_size);
}

int rt_record_next(struct rt_record *record)
{
	static const int items[] = {
		[RECORD_OVER] = RT_RECORD_OVER, [RECORD_ROW] = RT_RECORD_ROW, [RECORD_EXIT] = RT_RECORD_EXIT,
		[RECORD_REGION] = RT_RECORD_REGION, [RECORD_LATER] = RT_RECORD_LATER,
	};

	record->item = record_reader_next(record->reader);
	if (record->item == RECORD_ROW) {
		record->has_row = true;
		record->row->sample = record_reader_sample(record->reader);
		record->row->sampled = true;
	}
	if (record->failed == 0)
		record->failed = record_frames_add(record);
	return record->failed < 0 ? record->failed : items[record->item];
}

void rt_record_wait(struct rt_record *record, double timeout_seconds)
{
	bool endless = !(timeout_seconds >= 0) || timeout_seconds > INT_MAX / 1000;

	record_reader_wait(record->reader, endless ? -1 : (int)(timeout_seconds * 1000));
}

/* Whether a frame is kept that needs more of a row than its totals. */
static bool needs_whole_rows(const struct rt_record *record)
{
	bool needs = record->frames[FRAME_MAXIMUM] != NULL;

	for (size_t i = FRAME_TABLES; i < countof(record->frames); i++)
		needs |= record->frames[i] != NULL;
	return needs;
}

int rt_record_read(struct rt_record *record)
{
	int r;

	record_reader_totals_alone(record->reader, !needs_whole_rows(record));
	while ((r = rt_record_next(record)) > 0)
		if (r == RT_RECORD_LATER)
			rt_record_wait(record, -1);
	record_reader_totals_alone(record->reader, false);
	return r;
}

struct rt_tracker *rt_record_tracker(struct rt_record *record)
{
	return record->row;
}

/* ---- facts of the run --------------------------------------------------------------------------- */

static size_t count_of(char *const *list)
{
	size_t n = 0;

	while (list && list[n])
		n++;
	return n;
}

int rt_record_info(struct rt_record *record, struct rt_record_info *ret)
{
	static const enum rt_record_status states[] = {
		[RUN_RUNNING] = RT_RECORD_RUNNING, [RUN_EXITED] = RT_RECORD_EXITED, [RUN_SIGNALED] = RT_RECORD_SIGNALED,
		[RUN_ROOTS_ENDED] = RT_RECORD_ROOTS_ENDED, [RUN_STOPPED] = RT_RECORD_STOPPED,
	};
	const struct record_facts *f = record_reader_facts(record->reader);
	const struct run *run = &f->run;
	const struct run_status *s = &f->status;
	struct rt_record_info found = {
		.size = ret->size, .id = f->id, .tracker_version = f->tracker_version,
		.host_name = f->host.name, .kernel = f->host.kernel, .architecture = f->host.architecture,
		.cpu_model = f->host.cpu_model, .cpus = f->host.cpus, .memory_bytes = f->host.memory_bytes,
		.start_seconds = (double)run->start_wall_ns / (double)NS_PER_SECOND,
		.interval_seconds = run->interval_seconds > 0 ? run->interval_seconds : NONE,
		.command = (const char *const *)run->command, .n_command = count_of(run->command),
		.tags = run->tags, .n_tags = run->n_tags, .pids = run->pids, .n_pids = run->n_pids,
		.end_seconds = (double)s->end_wall_ns / (double)NS_PER_SECOND,
		.status = states[s->end], .value = s->value, .core_dumped = s->core_dumped,
		.limit_reached = f->limit_reached, .cause = s->reason.cause, .certainty = s->reason.certainty,
		.reason = s->reason.text,
		.rows = (double)f->rows, .exits = (double)f->exits, .exits_written = (double)f->exits_written,
		.dropped_lines = (double)s->dropped_lines, .left_behind = (double)s->left_behind,
		.notices = f->notices, .n_notices = f->n_notices, .problems = f->problems, .n_problems = f->n_problems,
	};

	return result_give(ret, found.size, &found, sizeof found);
}

enum {
#define RUN_METADATA_NUMBER(name, variable) DETAIL_##name,
	RUN_METADATA(RUN_METADATA_NUMBER)
#undef RUN_METADATA_NUMBER
	DETAILS_OF_JOB, DETAILS = DETAILS_OF_JOB + JOB_KEYS
};

static const char *detail_of(const struct rt_record *record, size_t detail)
{
	const struct run *run = &record->row->run;
	const char *const metadata[] = {
#define RUN_METADATA_VALUE(name, variable) run->name,
		RUN_METADATA(RUN_METADATA_VALUE)
#undef RUN_METADATA_VALUE
	};
	enum job_key key = (enum job_key)(detail - DETAILS_OF_JOB);

	if (detail < DETAILS_OF_JOB)
		return metadata[detail];
	return !run->job ? NULL : job_keys[key].number ? record->job_numbers[key] : job_text(run->job, key);
}

int rt_record_detail(const struct rt_record *record, size_t i, const char **ret_name, const char **ret_value)
{
	static const char *const names[DETAILS] = {
#define RUN_METADATA_NAME(name, variable) "metadata." #name,
		RUN_METADATA(RUN_METADATA_NAME)
#undef RUN_METADATA_NAME
#define JOB_TEXT(key, help) "job." #key,
#define JOB_NUMBER(key, help) "job." #key,
#define JOB_AMOUNT(key, help) "job." #key,
#include "../core/job.def"
	};

	for (size_t detail = 0; detail < DETAILS; detail++) {
		const char *value = detail_of(record, detail);

		if (!value || !*value || i-- > 0)
			continue;
		*ret_name = names[detail];
		*ret_value = value;
		return 0;
	}
	return -ENOENT;
}
