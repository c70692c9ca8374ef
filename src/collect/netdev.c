/* netdev.c - parses /proc/net/dev, derives values from two readings, and selects the interfaces that the sums count. */
#include "netdev.h"

#include <string.h>

static bool parse_line(struct scan *s, struct interface_line *ret)
{
	struct interface_counters c;
	uint64_t ignored;
	struct word name;

	/* "eth0:29212413" if the number fills its column: the colon ends the name, not a blank. */
	scan_blanks(s);
	if (!scan_until(s, ':', &name) || name.len == 0 || word_is(name, "lo") ||
	    !word_copy(name, ret->name, sizeof ret->name))
		return false;
	/* fifo, frame, compressed and multicast are between; then the same for sending. */
	if (!scan_u64(s, &c.recv_bytes) || !scan_u64(s, &c.recv_packets) ||
	    !scan_u64(s, &c.recv_errors) || !scan_u64(s, &c.recv_drops) ||
	    !scan_u64(s, &ignored) || !scan_u64(s, &ignored) || !scan_u64(s, &ignored) || !scan_u64(s, &ignored) ||
	    !scan_u64(s, &c.sent_bytes) || !scan_u64(s, &c.sent_packets) ||
	    !scan_u64(s, &c.sent_errors) || !scan_u64(s, &c.sent_drops))
		return false;
	ret->counters = c;
	return true;
}

bool netdev_next(struct scan *s, struct interface_line *ret)
{
	while (s->at < s->end) {
		bool whole = parse_line(s, ret);

		(void)scan_next_line(s);
		if (whole)
			return true;
	}
	return false;
}

void netdev_derive(struct network_row *row, const struct interface_counters *was,
		   const struct interface_counters *now)
{
	row->recv_bytes = gained(was->recv_bytes, now->recv_bytes);
	row->recv_packets = gained(was->recv_packets, now->recv_packets);
	row->recv_errors = gained(was->recv_errors, now->recv_errors);
	row->recv_drops = gained(was->recv_drops, now->recv_drops);
	row->sent_bytes = gained(was->sent_bytes, now->sent_bytes);
	row->sent_packets = gained(was->sent_packets, now->sent_packets);
	row->sent_errors = gained(was->sent_errors, now->sent_errors);
	row->sent_drops = gained(was->sent_drops, now->sent_drops);
}

enum interface_rank interface_rank(const struct interface_facts *facts)
{
	if (facts->has_device)
		return facts->master_has_device ? RANK_NEVER : RANK_HARDWARE;
	if (facts->is_stacked || facts->has_master || facts->leads_nowhere)
		return RANK_NEVER;
	return facts->is_tunnel ? RANK_TUNNEL : RANK_LINK;
}
