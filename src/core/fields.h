/*
 * fields.h - numbers by name, one a line, as in meminfo, vmstat, cpu.stat and memory.events.
 *
 * A field's name includes what stands between it and its number: "MemFree:", "pgfault ".
 */
#ifndef RT_FIELDS_H
#define RT_FIELDS_H

#include "base.h"

enum { FIELDS_MAX = 64 };

enum { FIELD_LEAST = 4 };                       /* bytes of the shortest name: "max " */
struct field { const char *name; size_t len; };
#define FIELD(name) { name, sizeof(name) - 1 }

/*
 * Fills ret[i] with the number of fields[i] and returns a set with bit i for each one found.
 * Fastest when the fields stand in the order of the lines; stops reading when all are found.
 * Of two lines with one name the first counts.
 */
uint64_t fields_parse(uint64_t *ret, const struct field *fields, size_t n, const char *text, size_t len);

static inline bool fields_has(uint64_t found, unsigned i) { return found >> i & 1; }

#endif
