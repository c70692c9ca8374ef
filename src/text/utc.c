/* utc.c - an instant in UTC, as text. */
#include "utc.h"

#include <stdio.h>

/*
 * The Gregorian date of a day since 1970.  Years begin in March here, so that the leap day is their last day; then
 * the months repeat in groups of five with 153 days.  gmtime(3) would first read the file of the time zone.
 */
static void date_of(int64_t day, unsigned *ret_year, unsigned *ret_month, unsigned *ret_day)
{
	enum { FOUR_CENTURIES = 146097, BEFORE_1970 = 719468 };
	unsigned of_era = (unsigned)((day + BEFORE_1970) % FOUR_CENTURIES);
	unsigned year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	unsigned of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;

	*ret_day = of_year - (153 * month + 2) / 5 + 1;
	*ret_month = month < 10 ? month + 3 : month - 9;
	*ret_year = year + (unsigned)((day + BEFORE_1970) / FOUR_CENTURIES) * 400 + (*ret_month <= 2);
}

void utc_write(char ret[UTC_SIZE], int64_t wall_ns)
{
	enum { MS_PER_DAY = 86400000 };
	int64_t ms = wall_ns / 1000000 - (wall_ns % 1000000 < 0);
	int64_t days = ms / MS_PER_DAY - (ms % MS_PER_DAY < 0);
	unsigned of_day = (unsigned)(ms - days * MS_PER_DAY), year, month, day;

	date_of(days, &year, &month, &day);
	(void)snprintf(ret, UTC_SIZE, "%04u-%02u-%02uT%02u:%02u:%02u.%03uZ", year % 10000, month % 100, day % 100,
		       of_day / 3600000, of_day / 60000 % 60, of_day / 1000 % 60, of_day % 1000);
}
