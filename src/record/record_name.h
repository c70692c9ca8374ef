/* record_name.h - the name and the path of a new record. */
#ifndef RT_RECORD_NAME_H
#define RT_RECORD_NAME_H

#include "../core/run.h"

/* Writes the file name, such as "20261121T134800Z-host-4711.jsonl", with our pid; of a run without a start, as now. */
void record_name(char *ret, size_t size, const struct run *run, const char *host);
/* Writes the path of a file in a folder, with one slash between; returns its length, as snprintf(3). */
int record_path(char *ret, size_t size, const char *folder, const char *name);

#endif
