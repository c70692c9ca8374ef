/* sender.c - the loop around receivers. */
#include "sender.h"

#include <string.h>

#include "../analysis/answer.h"
#include "stop_signals.h"

int sender_open(struct sender *l, int root, struct why *why)
{
	*l = (struct sender){ .root = root, .at = calloc(SHIPMENTS_MAX, sizeof *l->at) };
	l->signals = stop_signals_open();
	if (!l->at || http_open(&l->http) < 0)
		return why_set(why, -ENOMEM, "out of memory");
	return 0;
}

void sender_close(struct sender *l)
{
	for (size_t i = 0; i < l->n; i++)
		shipment_close(&l->at[i]);
	free(l->at);
	http_close(l->http);
	close_p(&l->root);
	close_p(&l->signals);
}

void sender_go(struct sender *l)
{
	double now = push_now();

	for (size_t i = 0; i < l->n; i++)
		shipment_go(&l->at[i], now);
}

void sender_wait(struct sender *l, struct pollfd *fds, size_t n, double until)
{
	struct pollfd all[WAITED_MAX + 1] = { { .fd = l->signals, .events = POLLIN } };
	double due = until, now = push_now();

	n = size_min(n, WAITED_MAX);
	if (n > 0)
		memcpy(all + 1, fds, n * sizeof *fds);

	for (size_t i = 0; i < l->n; i++)
		due = double_min(due, shipment_due(&l->at[i]));
	http_wait(l->http, all, n + 1, double_max(due - now, 0));
	l->stopped = l->stopped || all[0].revents != 0;
	if (n > 0)
		memcpy(fds, all + 1, n * sizeof *fds);
}

void sender_drain(struct sender *l, double seconds)
{
	double until = push_now() + seconds;

	for (size_t i = 0; i < l->n; i++)
		shipment_hurry(&l->at[i], push_now());
	for (;;) {
		bool hopeful = false;

		sender_go(l);
		for (size_t i = 0; i < l->n; i++)
			hopeful = hopeful || shipment_hopeful(&l->at[i], until);
		if (!hopeful || l->stopped || push_now() >= until)
			return;
		sender_wait(l, NULL, 0, until);
	}
}

/* ---- what others left -------------------------------------------------------------------------- */

struct adoption { struct sender *sender; const struct send_options *options; bool report; };

static void adopt(void *context, const char *name)
{
	struct adoption *a = context;
	struct sender *l = a->sender;
	struct why why = { "" };

	if (l->n == SHIPMENTS_MAX)
		return;

	int r = shipment_adopt(&l->at[l->n], l->http, l->root, name, a->options, &why);

	if (r == 0)
		l->n++;
	else if (a->report && r != -EBUSY)
		remark(why.text);
}

void sender_adopt(struct sender *l, const struct send_options *o, bool report)
{
	struct adoption a = { l, o, report };

	if (l->root >= 0)
		spool_walk(l->root, adopt, &a);
}

bool sender_left(const struct sender *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (!shipment_delivered(&l->at[i]) || !l->at[i].whole)
			return true;
	return false;
}

void sender_report(const struct sender *l, const struct points *p, bool spooled)
{
	struct why why;

	for (size_t i = 0; i < l->n; i++)
		shipment_report(&l->at[i], spooled);
	if (p && p->left_out > 0) {
		(void)why_set(&why, 0, "%llu values have no series: a run has at most %d", (unsigned long long)p->left_out,
			      PUSH_SERIES_MAX);
		remark(why.text);
	}
	if (p && p->failed)
		remark("memory was short: values are missing");
}

int sender_send_spooled(const struct sender_options *o, bool *ret_left, struct why *why)
{
	struct sender l;
	int root = spool_root(SPOOL_PUSH, false, why), r;

	if (root < 0)
		return root == -ENOENT ? 0 : root;      /* nothing was ever spooled */
	r = sender_open(&l, root, why);
	if (r == 0) {
		sender_adopt(&l, &o->send, true);
		sender_drain(&l, o->drain_seconds);
		sender_report(&l, NULL, true);
		*ret_left = sender_left(&l);
	}
	sender_close(&l);
	return r;
}
