/* still_running.h - whether a record without its last line is still being written. */
#ifndef RT_STILL_RUNNING_H
#define RT_STILL_RUNNING_H

#include <time.h>

#include "../core/base.h"

/*
 * id: of the record; it ends in the tracker's pid.  On this host the tracker is alive if a process has that pid and
 * is older than the run.  On other hosts, or if the id has no pid, it is assumed alive if the record was modified in
 * the last minutes: it is written to at least once a minute.
 */
bool still_running(const char *id, const char *host, int64_t start_wall_ns, time_t modified);

#endif
