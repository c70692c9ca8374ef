/* moment.c - parses an instant as a user writes it. */
#include "moment.h"

#include <string.h>
#include <time.h>

#include "values.h"

/* Parses exactly n digits with a value from `least` to `most`. */
static bool digits(const char **at, int n, int least, int most, int *ret)
{
	int value = 0;

	for (int i = 0; i < n; i++, (*at)++) {
		if (**at < '0' || **at > '9')
			return false;
		value = value * 10 + (**at - '0');
	}
	*ret = value;
	return value >= least && value <= most;
}

static bool step(const char **at, const char *any)
{
	if (!**at || !strchr(any, **at))
		return false;
	(*at)++;
	return true;
}

static bool date(const char *text, int64_t *ret)
{
	struct tm tm = { .tm_isdst = -1 };
	bool utc;
	time_t t;

	if (!digits(&text, 4, 1970, 9999, &tm.tm_year) || !step(&text, "-") || !digits(&text, 2, 1, 12, &tm.tm_mon) ||
	    !step(&text, "-") || !digits(&text, 2, 1, 31, &tm.tm_mday))
		return false;
	if (step(&text, "T ") &&
	    (!digits(&text, 2, 0, 23, &tm.tm_hour) || !step(&text, ":") || !digits(&text, 2, 0, 59, &tm.tm_min) ||
	     (step(&text, ":") && !digits(&text, 2, 0, 60, &tm.tm_sec))))
		return false;
	utc = step(&text, "Z");
	if (*text)
		return false;
	tm.tm_year -= 1900;
	tm.tm_mon -= 1;
	t = utc ? timegm(&tm) : mktime(&tm);
	*ret = t < INT64_MAX / NS_PER_SECOND ? (int64_t)t * NS_PER_SECOND : INT64_MAX;
	return true;
}

bool moment_read(const char *text, int64_t *ret)
{
	double seconds;

	if (date(text, ret))
		return true;
	/* A number alone could be a year. */
	if (strspn(text, "0123456789.") == strlen(text) || !value_duration(text, &seconds) || seconds > 1e9)
		return false;
	*ret = (int64_t)(((double)time(NULL) - seconds) * 1e9);
	return true;
}
