/* snapshots.c - a sample of the machine, or of a tree of processes, as vectors. */
#include "binding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "resource_tracker.h"

static void close_tracker(SEXP handle)
{
	rt_close(R_ExternalPtrAddr(handle));
	R_ClearExternalPtr(handle);
}

/* The tracker belongs to the handle before anything can fail. */
static struct rt_tracker *open_tracker(SEXP handle, SEXP pids)
{
	struct rt_tracker *tracker = NULL;
	struct rt_options options;
	char reason[512] = "";

	rt_options_init(&options, sizeof options);
	options.n_pids = (size_t)Rf_xlength(pids);
	options.pids = options.n_pids ? INTEGER(pids) : NULL;

	int r = rt_open(&tracker, &options, reason, sizeof reason);

	if (r < 0)
		Rf_error("%s", *reason ? reason : strerror(-r));
	R_SetExternalPtrAddr(handle, tracker);
	return tracker;
}

static void sample(struct rt_tracker *tracker)
{
	int r = rt_sample(tracker);

	if (r < 0)
		Rf_error("%s", strerror(-r));
}

/* In pieces, between which R sees that it is interrupted. */
static void wait_seconds(double seconds)
{
	const double piece = 0.1;

	for (; seconds > 0; seconds -= piece) {
		double now = seconds < piece ? seconds : piece;
		struct timespec t = { 0, (long)(now * 1e9) };

		R_CheckUserInterrupt();
		(void)nanosleep(&t, NULL);
	}
}

static int is_total(size_t table)
{
	return strcmp(rt_table_name(table), "total") == 0;
}

/* Known values alone, by names such as "memory.total_bytes". */
static SEXP total_of(const struct rt_tracker *tracker, size_t table)
{
	size_t n = rt_metric_count(table), known_values = 0;

	for (size_t m = 0; m < n; m++)
		known_values += !isnan(rt_value(tracker, table, 0, m));

	SEXP values = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)known_values));
	SEXP names = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)known_values));
	R_xlen_t at = 0;

	for (size_t m = 0; m < n; m++) {
		struct rt_metric_info info = { .size = sizeof info };
		double value = rt_value(tracker, table, 0, m);
		char name[160];

		if (isnan(value) || rt_metric_info(table, m, &info) < 0)
			continue;
		(void)snprintf(name, sizeof name, "%s.%s", info.group, info.name);
		REAL(values)[at] = value;
		SET_STRING_ELT(names, at++, text_of(name));
	}
	Rf_setAttrib(values, R_NamesSymbol, names);
	UNPROTECT(2);
	return values;
}

static SEXP labels_of(const struct rt_tracker *tracker, size_t table)
{
	size_t rows = rt_row_count(tracker, table), n = rt_label_count(table);
	SEXP list = PROTECT(named_list(n + 1)), vector = Rf_allocVector(STRSXP, (R_xlen_t)rows);

	put(list, 0, "key", vector);
	for (size_t i = 0; i < rows; i++)
		SET_STRING_ELT(vector, (R_xlen_t)i, text_of(rt_row_key(tracker, table, i)));
	for (size_t l = 0; l < n; l++) {
		put(list, (R_xlen_t)l + 1, rt_label_name(table, l), vector = Rf_allocVector(STRSXP, (R_xlen_t)rows));
		for (size_t i = 0; i < rows; i++)
			SET_STRING_ELT(vector, (R_xlen_t)i, text_of(rt_label(tracker, table, i, l)));
	}
	UNPROTECT(1);
	return list;
}

static SEXP metrics_of(const struct rt_tracker *tracker, size_t table)
{
	size_t rows = rt_row_count(tracker, table), n = rt_metric_count(table);
	SEXP list = PROTECT(named_list(n));

	for (size_t m = 0; m < n; m++) {
		struct rt_metric_info info = { .size = sizeof info };
		SEXP vector = Rf_allocVector(REALSXP, (R_xlen_t)rows);

		put(list, (R_xlen_t)m, rt_metric_info(table, m, &info) < 0 ? "" : info.name, vector);
		for (size_t i = 0; i < rows; i++)
			REAL(vector)[i] = known(rt_value(tracker, table, i, m));
	}
	UNPROTECT(1);
	return list;
}

static SEXP tables_of(const struct rt_tracker *tracker)
{
	size_t n = rt_table_count(), total = 0;

	for (size_t t = 0; t < n; t++)
		total += (size_t)is_total(t);

	SEXP tables = PROTECT(named_list(n - total));
	R_xlen_t at = 0;

	for (size_t t = 0; t < n; t++) {
		SEXP table;

		if (is_total(t))
			continue;
		put(tables, at++, rt_table_name(t), table = named_list(2));
		put(table, 0, "texts", labels_of(tracker, t));
		put(table, 1, "numbers", metrics_of(tracker, t));
	}
	UNPROTECT(1);
	return tables;
}

SEXP take_snapshot(SEXP pids, SEXP seconds)
{
	SEXP handle = PROTECT(handle_of(NULL, close_tracker)), list = PROTECT(named_list(3));
	struct rt_tracker *tracker = open_tracker(handle, pids);

	sample(tracker);
	if (Rf_asReal(seconds) > 0) {
		wait_seconds(Rf_asReal(seconds));
		sample(tracker);
	}
	put(list, 0, "timestamp", Rf_ScalarReal(rt_timestamp_seconds(tracker)));
	for (size_t t = 0; t < rt_table_count(); t++)
		if (is_total(t))
			put(list, 1, "total", total_of(tracker, t));
	put(list, 2, "tables", tables_of(tracker));
	close_tracker(handle);
	UNPROTECT(2);
	return list;
}
