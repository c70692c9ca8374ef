/* sockets_parse.c - parses messages about TCP sockets, whatever bytes they are. */
#include "sockets_parse.h"

#include <linux/sock_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>

#include "../core/scan.h"

static uint64_t u64_at(const unsigned char *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof value);
	return value;
}

static uint32_t u32_at(const unsigned char *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof value);
	return value;
}

static uint32_t larger(uint64_t a, uint64_t b)
{
	return (uint32_t)(a > b ? a : b);
}

/* The kernel appends fields to tcp_info and never moves one: its length shows which fields exist. */
static void take_info(struct diag_message *ret, const unsigned char *info, size_t len)
{
	enum {
		ACKED = offsetof(struct tcp_info, tcpi_bytes_acked),
		RECEIVED = offsetof(struct tcp_info, tcpi_bytes_received),
		BUSY_US = offsetof(struct tcp_info, tcpi_busy_time),
		SENT_LAST_MS = offsetof(struct tcp_info, tcpi_last_data_sent),
		RECEIVED_LAST_MS = offsetof(struct tcp_info, tcpi_last_data_recv),
		SENT = offsetof(struct tcp_info, tcpi_bytes_sent),
		SENT_AGAIN = offsetof(struct tcp_info, tcpi_bytes_retrans),
	};

	if (len < RECEIVED + sizeof(uint64_t))
		return;
	ret->has_bytes = true;
	ret->received = u64_at(info + RECEIVED);
	ret->sent = u64_at(info + ACKED);
	/* Before the first data these count from the start (tcp_finish_connect, tcp_create_openreq_child). */
	ret->age_ms = larger(u32_at(info + SENT_LAST_MS), u32_at(info + RECEIVED_LAST_MS));
	if (len >= BUSY_US + sizeof(uint64_t))
		ret->age_ms = larger(ret->age_ms, u64_at(info + BUSY_US) / 1000);
	if (len >= SENT_AGAIN + sizeof(uint64_t)) {
		uint64_t sent = u64_at(info + SENT), again = u64_at(info + SENT_AGAIN);

		ret->sent = sent > again ? sent - again : 0;
	}
}

static void take_attributes(struct diag_message *ret, const unsigned char *at, size_t len)
{
	struct nlattr a;

	while (len >= sizeof a) {
		memcpy(&a, at, sizeof a);
		if (a.nla_len < sizeof a || a.nla_len > len)
			return;
		if ((a.nla_type & NLA_TYPE_MASK) == INET_DIAG_INFO)
			take_info(ret, at + sizeof a, a.nla_len - sizeof a);

		size_t step = size_min(NLA_ALIGN(a.nla_len), len);

		at += step;
		len -= step;
	}
}

static int take_socket(struct diag_message *ret, const unsigned char *at, size_t len)
{
	struct inet_diag_msg m;

	if (len < sizeof m)
		return -EBADMSG;
	memcpy(&m, at, sizeof m);
	ret->kind = DIAG_SOCKET;
	ret->family = m.idiag_family;
	ret->state = m.idiag_state;
	ret->id = m.id;
	ret->cookie = (uint64_t)m.id.idiag_cookie[1] << 32 | m.id.idiag_cookie[0];
	ret->inode = m.idiag_inode;
	take_attributes(ret, at + sizeof m, len - sizeof m);
	return 1;
}

static int take_message(struct diag_message *ret, uint16_t type, const unsigned char *at, size_t len)
{
	switch (type) {
	case SOCK_DIAG_BY_FAMILY:
		return take_socket(ret, at, len);
	case NLMSG_DONE:
	case NLMSG_ERROR:
		ret->kind = type == NLMSG_DONE ? DIAG_DONE : DIAG_ERROR;
		if (len >= sizeof ret->error)
			memcpy(&ret->error, at, sizeof ret->error);
		else if (type == NLMSG_ERROR)
			return -EBADMSG;
		return 1;
	default:
		return -EBADMSG;
	}
}

int diag_next(struct datagram_bytes *bytes, struct diag_message *ret)
{
	struct nlmsghdr h;
	int r = -EBADMSG;

	*ret = (struct diag_message){ 0 };
	if (bytes->len == 0)
		return 0;
	if (bytes->len >= sizeof h) {
		memcpy(&h, bytes->at, sizeof h);
		if (h.nlmsg_len >= sizeof h && h.nlmsg_len <= bytes->len) {
			size_t step = size_min(NLMSG_ALIGN((size_t)h.nlmsg_len), bytes->len);

			ret->seq = h.nlmsg_seq;
			r = take_message(ret, h.nlmsg_type, bytes->at + sizeof h, h.nlmsg_len - sizeof h);
			bytes->at += step;
			bytes->len -= step;
		}
	}
	if (r < 0)
		bytes->len = 0;
	return r;
}

struct diag_request diag_request(uint32_t seq, uint8_t family, const struct inet_diag_sockid *id)
{
	static const uint32_t without = 1U << TCP_STATE_TIME_WAIT | 1U << TCP_STATE_CLOSE |
					1U << TCP_STATE_NEW_SYN_RECV;
	struct diag_request r = {
		.header = { .nlmsg_len = sizeof r, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_seq = seq,
			    .nlmsg_flags = id ? NLM_F_REQUEST : NLM_F_REQUEST | NLM_F_DUMP },
		.body = { .sdiag_family = family, .sdiag_protocol = IPPROTO_TCP,
			  .idiag_ext = id ? 1U << (INET_DIAG_INFO - 1) : 0,
			  .idiag_states = id ? UINT32_MAX : 0xfff & ~without },
	};

	if (id)
		r.body.id = *id;
	return r;
}

bool same_port(const struct diag_message *m, uint8_t family, const struct inet_diag_sockid *listener)
{
	static const __be32 any[4];

	return m->family == family && m->id.idiag_sport == listener->idiag_sport &&
	       (memcmp(listener->idiag_src, any, sizeof any) == 0 ||
		memcmp(listener->idiag_src, m->id.idiag_src, sizeof any) == 0);
}

bool socket_link(uint32_t *ret_inode, const char *link, size_t n)
{
	struct scan s = scan_of(link, n);
	uint64_t inode;

	if (!scan_literal(&s, "socket:[") || !scan_u64(&s, &inode) || !scan_literal(&s, "]") || s.at != s.end ||
	    inode == 0 || inode > UINT32_MAX)
		return false;
	*ret_inode = (uint32_t)inode;
	return true;
}

/* A line of names, then a line of values: "Tcp: RtoAlgorithm ..." and "Tcp: 1 ...". */
int tcp_counts_parse(struct tcp_counts *ret, const char *text, size_t n)
{
	struct tcp_counts counts = { 0 };
	const struct { const char *name; uint64_t *to; } wanted[] = {
		{ "ActiveOpens", &counts.opens }, { "PassiveOpens", &counts.opens },
		{ "AttemptFails", &counts.fails }, { "CurrEstab", &counts.open },
	};
	struct scan names = scan_of(text, n), values;
	struct word name, value;
	size_t found = 0;

	while (!scan_literal(&names, "Tcp:"))
		if (!scan_next_line(&names))
			return -EBADMSG;
	values = names;
	if (!scan_next_line(&values) || !scan_literal(&values, "Tcp:"))
		return -EBADMSG;
	while (found < countof(wanted) && scan_word(&names, &name) && scan_word(&values, &value)) {
		struct scan number = scan_of(value.at, value.len);
		uint64_t count;

		/* The kernel writes them in this order: net/ipv4/proc.c, snmp4_tcp_list. */
		if (!word_is(name, wanted[found].name))
			continue;
		if (!scan_u64(&number, &count))
			return -EBADMSG;
		*wanted[found++].to += count;
	}
	if (found < countof(wanted))
		return -EBADMSG;
	*ret = counts;
	return 0;
}
