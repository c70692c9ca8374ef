/* still_running.h - whether a record without its last line is still being written. */
#ifndef RT_STILL_RUNNING_H
#define RT_STILL_RUNNING_H

#include <time.h>

#include "../core/base.h"

/*
 * id: of the record; it ends in the tracker's pid.  On this host the tracker lives if its pid does, and the process
 * that has it now is older than the run.  Elsewhere the record was written to in the last minutes: it is at least
 * once a minute.
 */
bool still_running(const char *id, const char *host, int64_t start_wall_ns, time_t modified);

#endif
