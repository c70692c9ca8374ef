/* fields.c - numbers by name, one on each line. */
#include "fields.h"

#include <string.h>

#include "scan.h"

enum { NEAR = 64 };                            /* bytes by which a line can move as numbers change */

/* The first four bytes are one comparison and nearly always decide.  memcmp is called for likely matches. */
static bool is_here(const struct scan *s, const struct field *f)
{
	return (size_t)(s->end - s->at) > f->len && memcmp(s->at, f->name, FIELD_LEAST) == 0 &&
	       memcmp(s->at, f->name, f->len) == 0;
}

static uint64_t parse(uint64_t *ret, const struct field *fields, size_t n, const char *text, size_t len,
		      struct places *places)
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
			if (places)
				places->at[i] = (uint16_t)(s.at - text);
			s.at += fields[i].len;
			if (scan_u64(&s, &ret[i]))
				found |= UINT64_C(1) << i;
			break;
		}
	} while (found != all && scan_next_line(&s));
	return found;
}

uint64_t fields_parse(uint64_t *ret, const struct field *fields, size_t n, const char *text, size_t len)
{
	return parse(ret, fields, n, text, len, NULL);
}

/* Steps to the field's line, if that begins less than NEAR bytes before or behind `place`. */
static bool find_near(struct scan *s, const struct field *f, const char *place)
{
	const char *text = s->at, *last = s->end - place < NEAR ? s->end : place + NEAR;

	s->at = place;
	if ((place == text || place[-1] == '\n') && is_here(s, f))
		return true;
	s->at = place - text < NEAR ? text : place - NEAR;
	for (bool more = s->at == text || scan_next_line(s); more && s->at < last; more = scan_next_line(s))
		if (is_here(s, f))
			return true;
	return false;
}

/* Finds the fields of the text before, each near its place; 0 otherwise. */
static uint64_t parse_near(uint64_t *ret, const struct field *fields, size_t n, const char *text, size_t len,
			   struct places *places)
{
	for (size_t i = 0; i < n; i++) {
		struct scan s = scan_of(text, len);

		if (!fields_has(places->found, (unsigned)i))
			continue;
		if (places->at[i] >= len || !find_near(&s, &fields[i], text + places->at[i]))
			return 0;
		places->at[i] = (uint16_t)(s.at - text);
		s.at += fields[i].len;
		if (!scan_u64(&s, &ret[i]))
			return 0;
	}
	return places->found;
}

uint64_t fields_parse_again(uint64_t *ret, const struct field *fields, size_t n, const char *text, size_t len,
			    struct places *places)
{
	uint64_t found = places ? parse_near(ret, fields, size_min(n, FIELDS_MAX), text, len, places) : 0;

	if (found != 0)
		return found;
	found = parse(ret, fields, n, text, len, places);
	if (places)
		places->found = len <= UINT16_MAX ? found : 0;          /* places are small */
	return found;
}
