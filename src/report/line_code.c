/* line_code.c - a long series of numbers as short text. */
#include "line_code.h"

#include <float.h>
#include <math.h>

int64_t line_steps(const struct line_scale *s, double value)
{
	double floors = fmin(fabs(value) / s->floor, DBL_MAX);  /* a record can have any values beside each other */
	double steps = s->floor > 0 ? log1p(floors) / log1p(s->ratio) : 0;

	return (int64_t)(value < 0 ? -round(steps) : round(steps));
}

static void put_number(struct buffer *out, int64_t number)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	uint64_t left = number < 0 ? ((uint64_t)-number << 1) | 1 : (uint64_t)number << 1;

	do {
		buffer_char(out, digits[(left & 31) | (left > 31 ? 32 : 0)]);
		left >>= 5;
	} while (left > 0);
}

static void put_counted(struct buffer *out, char what, uint64_t count)
{
	buffer_char(out, what);
	put_number(out, (int64_t)count);
}

void line_code_end(struct line_code *c)
{
	if (c->again == 1)
		put_number(c->out, 0);
	else if (c->again > 1)
		put_counted(c->out, '~', c->again);
	if (c->unknown > 0)
		put_counted(c->out, '_', c->unknown);
	c->again = c->unknown = 0;
}

void line_code_add(struct line_code *c, int64_t steps)
{
	if (c->unknown == 0 && steps == c->last) {
		c->again++;
		return;
	}
	line_code_end(c);
	put_number(c->out, steps - c->last);
	c->last = steps;
}

void line_code_unknown(struct line_code *c)
{
	if (c->again > 0)
		line_code_end(c);
	c->unknown++;
}
