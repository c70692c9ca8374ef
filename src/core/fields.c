/* fields.c - numbers by name, one a line. */
#include "fields.h"

#include <string.h>

#include "scan.h"

/* Four bytes are one comparison, and nearly always enough: the call is for what is very likely it. */
static bool is_here(const struct scan *s, const struct field *f)
{
	return (size_t)(s->end - s->at) > f->len && memcmp(s->at, f->name, FIELD_LEAST) == 0 &&
	       memcmp(s->at, f->name, f->len) == 0;
}

uint64_t fields_parse(uint64_t *ret, const struct field *fields, size_t n, const char *text, size_t len)
{
	struct scan s = scan_of(text, len);
	uint64_t found = 0, all = n < FIELDS_MAX ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
	uint64_t letters = 0;                   /* first letters that any field has, folded to 64 */

	n = size_min(n, FIELDS_MAX);
	for (size_t i = 0; i < n; i++)
		letters |= UINT64_C(1) << (*fields[i].name & 63);
	if (s.at >= s.end)
		return 0;
	do {
		if (!(letters >> (*s.at & 63) & 1))
			continue;
		for (size_t i = 0; i < n; i++) {
			if (fields_has(found, (unsigned)i) || !is_here(&s, &fields[i]))
				continue;
			s.at += fields[i].len;
			if (scan_u64(&s, &ret[i]))
				found |= UINT64_C(1) << i;
			break;
		}
	} while (found != all && scan_next_line(&s));
	return found;
}
