/* binding.h - the functions that R calls: each takes and returns objects of R, and fails by an error of R. */
#ifndef BINDING_H
#define BINDING_H

#define R_NO_REMAP
#include <R.h>
#include <Rinternals.h>

/* records.c.  list(info = list(...), frames = list(NAME = list(texts, numbers, units, kinds))); frames: as rt_record_keep. */
SEXP read_record(SEXP path, SEXP frames);

/* snapshots.c.  list(timestamp, total = c(NAME = number), tables = list(NAME = list(texts, numbers))). */
SEXP take_snapshot(SEXP pids, SEXP seconds);

/* json.c.  The text as lists, vectors and NULL. */
SEXP parse_json(SEXP text);

/* processes.c.  A process that was started beside R: a handle for it; whether it runs; TERM to it, and whether it ended. */
SEXP open_process(SEXP pid);
SEXP process_runs(SEXP handle);
SEXP stop_process(SEXP handle, SEXP seconds);

/* regions.c.  Appends a line of a region to a recorder's file; FALSE: it is not there. */
SEXP write_region(SEXP path, SEXP words);

/* values.c: what the files above share.  NaN is NA; texts are UTF-8; a handle is closed by `close` at the latest. */
double known(double value);
SEXP text_of(const char *text);
SEXP texts_of(const char *const *texts, size_t n);
SEXP handle_of(void *content, R_CFinalizer_t close);
/* List i becomes (name, value), of a list with names. */
void put(SEXP list, R_xlen_t i, const char *name, SEXP value);
SEXP named_list(size_t n);

#endif
