/* ticks.c - the ticks of an axis and their labels. */
#include "ticks.h"

#include <math.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

/* The smallest of 1, 2 or 5 times a power of ten that is at least `least`. */
static double round_step(double least)
{
	static const double steps[] = { 1, 2, 5, 10 };
	double power = pow(10, floor(log10(least)));

	for (size_t i = 0; i < countof(steps); i++)
		if (steps[i] * power >= least * (1 - 1e-9))
			return steps[i] * power;
	return 10 * power;
}

static double time_step(double least)
{
	static const double steps[] = {
		1, 2, 5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
		HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY,
	};

	if (least < 1)
		return round_step(least);
	for (size_t i = 0; i < countof(steps); i++)
		if (steps[i] >= least * (1 - 1e-9))
			return steps[i];
	return DAY * round_step(least / DAY);
}

static void name_unit(struct ticks *t, enum axis_unit unit, double top)
{
	static const struct { double bytes; const char *name, *rate; } binary[] = {
		{ 1, " B", " B/s" }, { 1024.0, " KiB", " KiB/s" }, { 1048576.0, " MiB", " MiB/s" },
		{ 1073741824.0, " GiB", " GiB/s" }, { 1099511627776.0, " TiB", " TiB/s" }, { 1125899906842624.0, " PiB", " PiB/s" },
	};
	static const struct { double of; const char *name; } plain[] = { { 1, "" }, { 1e3, " k" }, { 1e6, " M" }, { 1e9, " G" } };
	size_t i = 0;

	t->scale = 1;
	t->name = "";
	switch (unit) {
	case AXIS_BYTES:
	case AXIS_BYTES_PER_SECOND:
		while (i + 1 < countof(binary) && top >= binary[i + 1].bytes)
			i++;
		t->scale = binary[i].bytes;
		t->name = unit == AXIS_BYTES ? binary[i].name : binary[i].rate;
		break;
	case AXIS_SHARE:
		t->scale = 0.01;
		t->name = " %";
		break;
	case AXIS_PERCENT:
		t->name = " %";
		break;
	case AXIS_PLAIN:
		while (i + 1 < countof(plain) && top >= 10 * plain[i + 1].of)
			i++;
		t->scale = plain[i].of;
		t->name = plain[i].name;
		break;
	case AXIS_TIME:
		break;
	}
}

struct ticks ticks_find(enum axis_unit unit, double top, size_t wanted, bool above)
{
	struct ticks t = { .step = 1 };
	double least;

	/* Beyond these a step is 0 or infinite; no quantity comes near. */
	if (!(top >= 1e-9 && top <= 1e300))
		top = 1;
	wanted = size_min(size_max(wanted, 1), TICKS_MOST / 2);
	name_unit(&t, unit, top);
	least = top / t.scale / (double)wanted;
	t.step = t.scale * (unit == AXIS_TIME ? time_step(least) : round_step(least));
	/* Bytes are whole. */
	if (unit == AXIS_BYTES && t.step < 1)
		t.step = 1;
	t.n = (size_t)(above ? fmax(ceil(top / t.step - 1e-9), 1) : floor(top / t.step + 1e-9)) + 1;
	for (double step = t.step / t.scale; t.decimals < 9 && fabs(step - round(step)) > 1e-6; step *= 10)
		t.decimals++;
	return t;
}

/* "0", "0.5 s", "90 s" as "1:30", "2 min", "1:30 h", "3 d". */
static void time_label(struct buffer *out, const struct ticks *t, double at)
{
	static const struct { double step, unit, part; const char *whole, *parted; } forms[] = {
		{ DAY, DAY, 0, " d", "" }, { HOUR, HOUR, 0, " h", "" }, { MINUTE, MINUTE, 0, " min", "" },
	};
	double last = t->step * (double)(t->n - 1);

	for (size_t i = 0; i < countof(forms); i++)
		if (t->step >= forms[i].step) {
			double units = at / forms[i].unit;

			/*
			 * Up to two hours, whole hours among minutes are labelled in minutes: 90 min is easier to
			 * read than 1 h 30.
			 */
			if (forms[i].step <= MINUTE && last > 2 * HOUR) {
				uint64_t minutes = (uint64_t)llround(at / MINUTE);

				buffer_format(out, "%u:%02u h", (unsigned)(minutes / 60), (unsigned)(minutes % 60));
				return;
			}
			buffer_trimmed(out, units, floor(units + 1e-9) >= units - 1e-9 ? 0 : 1);
			buffer_text(out, forms[i].whole);
			return;
		}
	if (t->step >= 1 && last > 2 * MINUTE) {
		uint64_t seconds = (uint64_t)llround(at);

		buffer_format(out, "%u:%02u min", (unsigned)(seconds / 60), (unsigned)(seconds % 60));
		return;
	}
	buffer_fixed(out, at, t->decimals);
	buffer_text(out, " s");
}

void ticks_label(struct buffer *out, enum axis_unit unit, const struct ticks *t, size_t i)
{
	double at = t->step * (double)i;

	if (i == 0)
		buffer_char(out, '0');
	else if (unit == AXIS_TIME)
		time_label(out, t, at);
	else {
		buffer_fixed(out, at / t->scale, t->decimals);
		buffer_text(out, t->name);
	}
}
