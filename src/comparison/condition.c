/* condition.c - conditions under which a comparison fails: the syntax of --fail-on. */
#include "condition.h"

#include <stdio.h>
#include <string.h>

#include "../text/did_you_mean.h"
#include "../text/shown.h"
#include "../text/values.h"

static int find_quantity(enum quantity *ret, const char *name, struct why *why)
{
	struct guess guess = { .word = name };
	char list[160] = "";

	for (enum quantity q = 0; q < QUANTITY_COUNT; q++) {
		if (strcmp(quantities[q].name, name) == 0) {
			*ret = q;
			return 0;
		}
		guess_consider(&guess, quantities[q].name);
		if (q < 5)
			(void)snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", q > 0 ? ", " : "",
				       quantities[q].name);
	}
	return guess.best ? why_set(why, -EINVAL, "--fail-on: there is no quantity '%s'; did you mean %s?",
				    show(name).text, guess.best)
			  : why_set(why, -EINVAL, "--fail-on: there is no quantity '%s': %s ... (compare --help)",
				    show(name).text, list);
}

static bool read_amount(const char *text, enum unit unit, double *ret)
{
	uint64_t bytes;

	if (unit == UNIT_BYTES && value_size(text, &bytes)) {
		*ret = (double)bytes;
		return true;
	}
	return unit == UNIT_SECONDS ? value_duration(text, ret) : unit != UNIT_BYTES && value_decimal(text, ret);
}

static const char *example(enum unit unit)
{
	return unit == UNIT_BYTES ? "2GiB" : unit == UNIT_SECONDS ? "10m" : "1.5";
}

int condition_read(struct condition *ret, const char *text, struct why *why)
{
	struct condition c = { .text = text };
	size_t length = strcspn(text, "<>");
	char name[32], amount[32];
	double sign = 1;
	int r;

	while (length > 0 && text[length - 1] == ' ')
		length--;

	const char *rest = text + length + strspn(text + length, " ");

	(void)snprintf(name, sizeof name, "%.*s", (int)length, text);
	if (*rest != '<' && *rest != '>')
		return why_set(why, -EINVAL, "--fail-on: '%s' is not a condition, such as peak_memory>+5%% or duration>10m",
			       show(text).text);
	r = find_quantity(&c.quantity, name, why);
	if (r < 0)
		return r;
	c.below = *rest++ == '<';
	rest += strspn(rest, " ");
	c.of_change = *rest == '+' || *rest == '-';
	sign = *rest == '-' ? -1 : 1;
	rest += c.of_change;
	(void)snprintf(amount, sizeof amount, "%s", rest);
	length = strlen(amount);
	c.in_percent = length > 0 && amount[length - 1] == '%';
	if (c.in_percent)
		amount[length - 1] = '\0';
	if (strlen(rest) >= sizeof amount || (c.in_percent && !c.of_change) ||
	    !(c.in_percent ? value_decimal(amount, &c.bound)
			   : read_amount(amount, quantities[c.quantity].unit, &c.bound)))
		return why_set(why, -EINVAL, "--fail-on: '%s': behind %c belongs a change or a value with its unit, as in "
			       ">+5%% or >%s", show(text).text, c.below ? '<' : '>',
			       example(quantities[c.quantity].unit));
	c.bound *= sign;
	*ret = c;
	return 0;
}

bool condition_met(const struct condition *c, double base, double new)
{
	double value = new;

	/* From 0 to a positive value is more than any percentage. */
	if (c->of_change)
		value = !c->in_percent ? new - base
			: fabs(base) > 0 ? 100 * (new - base) / base : new > base ? (double)INFINITY : 0;
	return c->below ? value < c->bound : value > c->bound;
}
