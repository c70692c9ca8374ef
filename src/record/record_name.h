/* record_name.h - the name of a new record. */
#ifndef RT_RECORD_NAME_H
#define RT_RECORD_NAME_H

#include "../core/run.h"

/* Writes the file name, such as "20261121T134800Z-host-4711.jsonl". */
void record_name(char *ret, size_t size, const struct run *run, const char *host);

#endif
