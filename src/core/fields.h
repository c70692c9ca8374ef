/*
 * fields.h - numbers by name, one on each line, as in meminfo, vmstat, cpu.stat and memory.events.
 *
 * A field's name includes the characters between it and its number: "MemFree:", "pgfault ".
 */
#ifndef RT_FIELDS_H
#define RT_FIELDS_H

#include "base.h"

enum { FIELDS_MAX = 64 };

enum { FIELD_LEAST = 4 };                       /* bytes that a name must have: they are compared at once */
struct field { const char *name; size_t len; };
#define FIELD(name) { name, sizeof(name) - 1 }

/*
 * Fills ret[i] with the number of fields[i], unscaled, and returns a set with bit i for each one found; without its
 * bit, ret[i] means nothing.  n <= FIELDS_MAX.  Fastest if the fields are in the order of the lines; stops when all are
 * found.  Of two lines with one name the first counts.
 */
uint64_t fields_parse(uint64_t *ret, const struct field *fields, size_t n, const char *text, size_t len);

/*
 * The same for a text that is read repeatedly.  Its lines stay, and their numbers gain or lose few digits, so each
 * field is searched around its place in the text before.  Fields that were missing there count as missing.  The whole
 * text is parsed only if a field is not near its place, or if `places` is NULL.
 */
struct places { uint64_t found; uint16_t at[FIELDS_MAX]; };     /* zeroed: there was no text */
uint64_t fields_parse_again(uint64_t *ret, const struct field *fields, size_t n, const char *text, size_t len,
			    struct places *places);

static inline bool fields_has(uint64_t found, unsigned i) { return found >> i & 1; }

#endif
