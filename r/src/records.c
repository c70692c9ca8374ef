/* records.c - a record, read to its end, as vectors. */
#include "binding.h"

#include <string.h>

#include "resource_tracker_records.h"

static void close_record(SEXP handle)
{
	rt_record_close(R_ExternalPtrAddr(handle));
	R_ClearExternalPtr(handle);
}

static SEXP text(const char *value)
{
	return Rf_ScalarString(text_of(value));
}

static SEXP number(double value)
{
	return Rf_ScalarReal(known(value));
}

static SEXP pids_of(const pid_t *pids, size_t n)
{
	SEXP vector = Rf_allocVector(INTSXP, (R_xlen_t)n);

	for (size_t i = 0; i < n; i++)
		INTEGER(vector)[i] = pids[i];
	return vector;
}

/* What the header says besides, by names such as "metadata.job_name". */
static SEXP details_of(const struct rt_record *record)
{
	const char *name, *value;
	size_t n = 0;

	while (rt_record_detail(record, n, &name, &value) == 0)
		n++;

	SEXP list = PROTECT(named_list(n));

	for (size_t i = 0; i < n && rt_record_detail(record, i, &name, &value) == 0; i++)
		put(list, (R_xlen_t)i, name, text(value));
	UNPROTECT(1);
	return list;
}

static SEXP info_of(struct rt_record *record)
{
	static const char *const status[] = {
		[RT_RECORD_RUNNING] = "running", [RT_RECORD_EXITED] = "exited", [RT_RECORD_SIGNALED] = "signaled",
		[RT_RECORD_ROOTS_ENDED] = "roots_ended", [RT_RECORD_STOPPED] = "stopped",
	};
	struct rt_record_info info = { .size = sizeof info };
	int r = rt_record_info(record, &info);

	if (r < 0)
		Rf_error("%s", strerror(-r));

	SEXP list = PROTECT(named_list(17));
	R_xlen_t i = 0;

	put(list, i++, "id", text(info.id));
	put(list, i++, "host_name", text(info.host_name));
	put(list, i++, "cpus", number(info.cpus));
	put(list, i++, "memory_bytes", number(info.memory_bytes));
	put(list, i++, "start_seconds", number(info.start_seconds));
	put(list, i++, "interval_seconds", number(info.interval_seconds));
	put(list, i++, "command", texts_of(info.command, info.n_command));
	put(list, i++, "tags", texts_of(info.tags, info.n_tags));
	put(list, i++, "pids", pids_of(info.pids, info.n_pids));
	put(list, i++, "end_seconds", number(info.end_seconds));
	put(list, i++, "status", text(status[info.status]));
	put(list, i++, "value", number(info.value));
	put(list, i++, "cause", text(info.cause));
	put(list, i++, "reason", text(info.reason));
	put(list, i++, "notices", texts_of(info.notices, info.n_notices));
	put(list, i++, "problems", texts_of(info.problems, info.n_problems));
	put(list, i++, "details", details_of(record));
	UNPROTECT(1);
	return list;
}

static SEXP texts_of_frame(const struct rt_frame *frame)
{
	size_t n = rt_frame_texts(frame), rows = rt_frame_rows(frame);
	SEXP list = PROTECT(named_list(n));

	for (size_t t = 0; t < n; t++) {
		SEXP vector = Rf_allocVector(STRSXP, (R_xlen_t)rows);

		put(list, (R_xlen_t)t, rt_frame_text_name(frame, t), vector);
		for (size_t i = 0; i < rows; i++)
			SET_STRING_ELT(vector, (R_xlen_t)i, text_of(rt_frame_text(frame, i, t)));
	}
	UNPROTECT(1);
	return list;
}

static SEXP column_of(const struct rt_frame *frame, size_t column)
{
	const double *values = rt_frame_column(frame, (ssize_t)column);
	size_t rows = values ? rt_frame_rows(frame) : 0;
	SEXP vector = Rf_allocVector(REALSXP, (R_xlen_t)rows);

	for (size_t i = 0; i < rows; i++)
		REAL(vector)[i] = known(values[i]);
	return vector;
}

static SEXP frame_of(const struct rt_frame *frame)
{
	size_t n = rt_frame_columns(frame);
	SEXP list = PROTECT(named_list(4)), numbers, units, kinds;

	put(list, 0, "texts", texts_of_frame(frame));
	put(list, 1, "numbers", numbers = named_list(n));
	put(list, 2, "units", units = Rf_allocVector(STRSXP, (R_xlen_t)n));
	put(list, 3, "kinds", kinds = Rf_allocVector(STRSXP, (R_xlen_t)n));
	for (size_t c = 0; c < n; c++) {
		struct rt_column_info info = { .size = sizeof info };

		if (rt_frame_column_info(frame, c, &info) < 0)
			Rf_error("the record's column %d cannot be described", (int)c);
		put(numbers, (R_xlen_t)c, info.name, column_of(frame, c));
		SET_STRING_ELT(units, (R_xlen_t)c, text_of(info.unit));
		SET_STRING_ELT(kinds, (R_xlen_t)c, text_of(info.kind));
	}
	UNPROTECT(1);
	return list;
}

/* The record belongs to the handle before anything can fail. */
static struct rt_record *read_whole(SEXP handle, const char *path, const char *frames)
{
	struct rt_record *record = NULL;
	char reason[512] = "";
	int r = rt_record_open(&record, path, reason, sizeof reason);

	if (r == 0) {
		R_SetExternalPtrAddr(handle, record);
		r = rt_record_keep(record, frames);
	}
	if (r == 0)
		r = rt_record_read(record);
	if (r < 0)
		Rf_error("%s", *reason ? reason : strerror(-r));
	return record;
}

SEXP read_record(SEXP path, SEXP frames)
{
	SEXP handle = PROTECT(handle_of(NULL, close_record)), list = PROTECT(named_list(2)), found;
	struct rt_record *record = NULL;
	R_xlen_t n = Rf_xlength(frames);
	char names[256] = "";

	for (R_xlen_t i = 0; i < n; i++) {
		size_t used = strlen(names);

		snprintf(names + used, sizeof names - used, "%s%s", i ? "," : "", CHAR(STRING_ELT(frames, i)));
	}
	record = read_whole(handle, R_ExpandFileName(Rf_translateChar(STRING_ELT(path, 0))), names);
	put(list, 0, "info", info_of(record));
	put(list, 1, "frames", found = named_list((size_t)n));
	for (R_xlen_t i = 0; i < n; i++)
		put(found, i, CHAR(STRING_ELT(frames, i)), frame_of(rt_record_frame(record, CHAR(STRING_ELT(frames, i)))));
	close_record(handle);
	UNPROTECT(2);
	return list;
}
