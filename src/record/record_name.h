/* record_name.h - what a new record is called. */
#ifndef RT_RECORD_NAME_H
#define RT_RECORD_NAME_H

#include "../core/run.h"

/* A new record's name below the directory, as "20261121T134800Z-host-4711.jsonl". */
void record_name(char *ret, size_t size, const struct run *run, const char *host);

#endif
