/* network.c - /proc/net/dev: the traffic of each network interface. */
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "../core/collector.h"
#include "network_identity.h"

/* The time to read all interfaces' states once, spread over samples, because reading speed takes a kernel lock. */
static const double IDENTIFY_AGAIN_SECONDS = 10;
/* Even without a notification: a speed that was set by hand causes none. */
static const double IDENTIFY_ANYWAY_SECONDS = 60;

struct slot {                                   /* an interface seen in the last reading */
	char name[INTERFACE_NAME_SIZE];
	bool identified;                        /* its identity was read */
	struct network_identity identity;
	struct interface_counters was, now;
	bool seen, is_new;
};

struct network {
	int dev, sys;
	bool primed;
	int news;                               /* notifications of changed interfaces (source.h); -1: none available */
	double due;                             /* interfaces to be read again, whole and in part */
	double decided_seconds;                 /* since the last decision to read all */
	size_t left;                            /* of those that were to be read then */
	size_t next;                            /* the next one to be read */
	struct slot *slots;
	size_t n, size;
	size_t *order;                          /* of all slots, by name */
};

static struct slot *find_slot(struct network *n, const char *name, size_t hint)
{
	for (size_t step = 0; step < n->n; step++) {
		size_t i = hint + step < n->n ? hint + step : hint + step - n->n;

		if (strcmp(n->slots[i].name, name) == 0)
			return &n->slots[i];
	}
	return NULL;
}

static struct slot *add_slot(struct network *n, const char *name)
{
	if (n->n == n->size) {
		size_t size = n->size ? 2 * n->size : 8;
		struct slot *slots = realloc(n->slots, size * sizeof *slots);

		if (!slots)
			return NULL;
		n->slots = slots;

		size_t *order = realloc(n->order, size * sizeof *order);

		if (!order)
			return NULL;
		n->order = order;
		n->size = size;
	}

	struct slot *slot = &n->slots[n->n++];

	*slot = (struct slot){ .is_new = true };
	(void)snprintf(slot->name, sizeof slot->name, "%s", name);
	return slot;
}

static bool drop_unseen(struct network *n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n->n; i++)
		if (n->slots[i].seen)
			n->slots[kept++] = n->slots[i];

	bool any = kept < n->n;

	n->n = kept;
	return any;
}

static void order_slots(struct network *n)
{
	for (size_t i = 0; i < n->n; i++) {
		size_t at = i;

		for (; at > 0 && strcmp(n->slots[n->order[at - 1]].name, n->slots[i].name) > 0; at--)
			n->order[at] = n->order[at - 1];
		n->order[at] = i;
	}
}

static bool moved(const struct slot *slot)
{
	return !slot->is_new && (slot->now.recv_packets != slot->was.recv_packets ||
				 slot->now.sent_packets != slot->was.sent_packets);
}

/* The sums depend on all interfaces; if `brief`, none is read unless traffic was counted. */
static void identify_new(struct network *n, bool brief)
{
	bool worth_it = !brief;

	for (size_t i = 0; i < n->n; i++)
		worth_it |= moved(&n->slots[i]);
	for (size_t i = 0; i < n->n; i++) {
		struct slot *slot = &n->slots[i];
		/* Counters that fell: a new interface under the old name. */
		bool other = slot->identified && slot->now.recv_packets < slot->was.recv_packets;

		if (other || (!slot->identified && worth_it)) {
			network_identify(&slot->identity, n->sys, slot->name);
			slot->identified = true;
		}
	}
}

static void take_lines(struct network *n, const struct text *text, bool brief)
{
	struct scan s = scan_of(text->at, text->len);
	struct interface_line line;
	size_t hint = 0, before = n->n;

	for (size_t i = 0; i < n->n; i++)
		n->slots[i].seen = false;
	while (netdev_next(&s, &line)) {
		struct slot *slot = find_slot(n, line.name, hint);

		if (!slot)
			slot = add_slot(n, line.name);
		if (!slot)
			continue;
		hint = (size_t)(slot - n->slots) + 1;
		slot->now = line.counters;
		slot->seen = true;
	}

	bool added = n->n > before;

	if (drop_unseen(n) || added)
		order_slots(n);
	identify_new(n, brief);
}

static bool has_news(int news)
{
	char first;
	ssize_t r = recv(news, &first, sizeof first, MSG_DONTWAIT);

	return r > 0 || (r < 0 && errno == ENOBUFS);
}

static bool may_have_changed(const struct network *n)
{
	bool any = n->news < 0;

	while (n->news >= 0 && has_news(n->news))
		any = true;
	return any;
}

/* A few per reading, so that a host with hundreds of veth pairs does not read all at once. */
static void identify_again(struct network *n, double seconds)
{
	if (!(seconds > 0) || n->n == 0)
		return;
	n->decided_seconds += seconds;
	n->due = double_min(n->due + (double)n->n * seconds / IDENTIFY_AGAIN_SECONDS, (double)n->n);
	if (n->due < 1)
		return;                         /* none is due: notifications can wait as well */
	if (may_have_changed(n) || n->decided_seconds >= IDENTIFY_ANYWAY_SECONDS) {
		n->left = n->n;
		n->decided_seconds = 0;
	}
	for (; n->due >= 1; n->due--) {
		struct slot *slot = &n->slots[n->next % n->n];

		if (n->left == 0)
			continue;
		network_identify_again(&slot->identity, n->sys, slot->name);
		n->next++;
		n->left--;
	}
}

static enum interface_rank highest_rank(const struct network *n)
{
	enum interface_rank highest = RANK_TUNNEL;

	for (size_t i = 0; i < n->n; i++)
		if (n->slots[i].identified && n->slots[i].identity.rank > highest)
			highest = n->slots[i].identity.rank;
	return highest;
}

static void fill_row(struct network_row *row, const struct network *n, const struct slot *slot)
{
	const struct network_identity *identity = &slot->identity;

	memcpy(row->mac_address, identity->mac_address, sizeof row->mac_address);
	memcpy(row->driver, identity->driver, sizeof row->driver);
	memcpy(row->operstate, identity->operstate, sizeof row->operstate);
	row->speed_mbps = identity->speed_mbps;
	row->mtu = identity->mtu;
	row->recv_bytes_total = (double)slot->now.recv_bytes;
	row->sent_bytes_total = (double)slot->now.sent_bytes;
	/* A new one can come from another network namespace with counters from its life there. */
	if (n->primed && !slot->is_new)
		netdev_derive(row, &slot->was, &slot->now);
}

static void add_to_totals(struct totals *t, const struct network_row *row)
{
	t->network_total_recv_bytes += row->recv_bytes;
	t->network_total_sent_bytes += row->sent_bytes;
	t->network_total_recv_packets += row->recv_packets;
	t->network_total_sent_packets += row->sent_packets;
	t->network_total_errors += row->recv_errors + row->sent_errors;
	t->network_total_drops += row->recv_drops + row->sent_drops;
}

static void fill_rows(struct network *n, struct sample *out)
{
	enum interface_rank counted = highest_rank(n);
	struct totals *t = &out->total;

	if (n->primed) {
		t->network_total_recv_bytes = t->network_total_sent_bytes = 0;
		t->network_total_recv_packets = t->network_total_sent_packets = 0;
		t->network_total_errors = t->network_total_drops = 0;
	}
	for (size_t i = 0; i < n->n; i++) {
		struct slot *slot = &n->slots[n->order[i]];
		struct network_row spare, *row = slot->identified ? sample_add_network(out, slot->name) : NULL;

		/* An interface without room for its row still counts; one not yet identified has had no traffic. */
		if (!row)
			row = &spare;
		fill_row(row, n, slot);
		row->counted_in_total = slot->identity.rank == counted;
		if (n->primed && slot->identified && !slot->is_new && slot->identity.rank == counted)
			add_to_totals(t, row);
		slot->was = slot->now;
		slot->is_new = false;
	}
}

static int network_start(void *state, const struct setup *setup, struct why *why)
{
	struct network *n = state;

	n->sys = setup->src->sys;
	n->news = -1;
	n->dev = source_open_file(setup->src->proc, "net/dev");
	/* /proc/net is a link to self/net, which can be missing in a captured tree. */
	if (n->dev < 0 && errno == ENOENT)
		n->dev = source_open_file(setup->src->proc, "self/net/dev");
	if (n->dev >= 0) {
		if (setup->src->link_news)
			n->news = setup->src->link_news(setup->src);
		return 0;
	}
	return errno == ENOENT ? -ENODATA :
	       why_set(why, -errno, "cannot read /proc/net/dev: %s", strerror(errno));
}

static int network_read(void *state, struct tick *tick)
{
	struct network *n = state;

	int r = text_read(tick->text, n->dev);
	if (r < 0)
		return r;
	take_lines(n, tick->text, tick->brief);
	if (!tick->brief)
		identify_again(n, tick->out->interval_seconds);
	fill_rows(n, tick->out);
	n->primed = true;
	return 0;
}

static void network_stop(void *state)
{
	struct network *n = state;

	close_p(&n->dev);
	close_p(&n->news);
	free(n->slots);
	free(n->order);
}

const struct collector collector_network = {
	.state_size = sizeof(struct network),
	.start = network_start,
	.read = network_read,
	.stop = network_stop,
};
