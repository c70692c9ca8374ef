/* values.c - parses quantities as users write them. */
#include "values.h"

#include <string.h>
#include <strings.h>

static bool all_of(struct scan s)
{
	return s.at == s.end;
}

/* scan.h skips blanks; a value has none. */
static bool starts_with_digit(const char *text)
{
	return *text >= '0' && *text <= '9';
}

static bool number(struct scan *s, double *ret)
{
	struct scan ahead = *s;
	double fraction = 0;

	if (scan_literal(&ahead, ".")) {                /* ".5" */
		double place = 0.1;
		const char *first = ahead.at;

		for (; ahead.at < ahead.end && starts_with_digit(ahead.at); ahead.at++, place /= 10)
			fraction += place * (*ahead.at - '0');
		if (ahead.at == first)
			return false;
		*ret = fraction;
		*s = ahead;
		return true;
	}
	return starts_with_digit(s->at) && scan_decimal(s, ret);
}

bool value_duration(const char *text, double *ret_seconds)
{
	static const struct { const char *unit; double seconds; } units[] = {
		{ "ms", 0.001 }, { "s", 1 }, { "m", 60 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 }, { "", 1 },
	};
	struct scan s = scan_of(text, strlen(text));
	double value;

	if (!number(&s, &value))
		return false;
	for (size_t i = 0; i < countof(units); i++)
		if (strcmp(s.at, units[i].unit) == 0) {
			*ret_seconds = value * units[i].seconds;
			return true;
		}
	return false;
}

bool value_size(const char *text, uint64_t *ret_bytes)
{
	static const char letters[] = "KMGTP";
	struct scan s = scan_of(text, strlen(text));
	double value, scale = 1;

	if (!number(&s, &value))
		return false;
	if (s.at < s.end && *s.at != 'B') {
		char letter = *s.at == 'k' ? 'K' : *s.at;
		const char *found = strchr(letters, letter);

		if (!found || !*found)
			return false;
		s.at++;

		/* "MB" is decimal, as on the label of a disk; "M" and "MiB" are binary, as in ls and du. */
		double step = strcmp(s.at, "B") == 0 ? 1000 : 1024;

		for (ptrdiff_t i = 0; i <= found - letters; i++)
			scale *= step;
		(void)scan_literal(&s, "i");
	}
	(void)scan_literal(&s, "B");
	value *= scale;
	if (!all_of(s) || value >= 9e18)
		return false;
	*ret_bytes = (uint64_t)value;
	return true;
}

bool value_u64(const char *text, uint64_t *ret)
{
	struct scan s = scan_of(text, strlen(text));
	uint64_t value;

	if (!starts_with_digit(text) || !scan_u64(&s, &value) || !all_of(s))
		return false;
	*ret = value;
	return true;
}

bool value_decimal(const char *text, double *ret)
{
	struct scan s = scan_of(text, strlen(text));
	double value;

	if (!number(&s, &value) || !all_of(s))
		return false;
	*ret = value;
	return true;
}

bool value_bool(const char *text, bool *ret)
{
	static const char *const words[][4] = {
		{ "false", "no", "off", "0" }, { "true", "yes", "on", "1" },
	};

	for (size_t truth = 0; truth < 2; truth++)
		for (size_t i = 0; i < countof(words[0]); i++)
			if (strcasecmp(text, words[truth][i]) == 0) {
				*ret = truth;
				return true;
			}
	return false;
}
