/* session_hooks.c - starts the programs of --on-end and --on-limit. */
#include "session_hooks.h"

#include <stdio.h>
#include <string.h>

void session_hooks_open(struct session_hooks *h, const struct options *o, const struct inherited_signals *signals)
{
	struct why why;

	h->options = o;
	h->calls.signals = signals;
	for (size_t i = 0; i < o->on_limits.n; i++) {
		struct limit_hook *l = &h->limit[h->n_limits];
		const char *text = o->on_limits.at[i] + strspn(o->on_limits.at[i], " \t\n");

		if (threshold_read(&l->threshold, text, "--on-limit", &why) < 0)        /* was read before */
			continue;
		(void)snprintf(l->text, sizeof l->text, "%.*s", (int)strcspn(text, " \t\n"), text);
		h->n_limits++;
	}
}

static void call(struct session_hooks *h, const char *name, const char *line, const struct hook_facts *facts)
{
	struct buffer text = { 0 };

	hook_facts_write(&text, facts);
	(void)!hooks_call(&h->calls, name, line, &text, &h->trouble);
	buffer_release(&text);
}

void session_hooks_sample(struct session_hooks *h, const struct totals *now, const struct hook_facts *facts)
{
	for (size_t i = 0; i < h->n_limits; i++) {
		struct limit_hook *l = &h->limit[i];
		struct hook_facts exceeded = *facts;

		exceeded.limit = l->text;
		exceeded.value = threshold_value(&l->threshold, now, facts->run->n_pids > 0);
		if (crossing_step(&l->crossing, &l->threshold, exceeded.value))
			call(h, "--on-limit", l->threshold.program, &exceeded);
	}
}

void session_hooks_end(struct session_hooks *h, const struct hook_facts *facts)
{
	for (size_t i = 0; h->options && i < h->options->on_ends.n; i++)
		call(h, "--on-end", h->options->on_ends.at[i], facts);
}

bool session_hooks_trouble(struct session_hooks *h, struct why *ret)
{
	if (!h->trouble.text[0])
		return hooks_trouble(&h->calls, ret);
	*ret = h->trouble;
	h->trouble.text[0] = '\0';
	return true;
}
