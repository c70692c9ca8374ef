/* sideband_parse.c - records of a perf ring, from bytes. */
#include "sideband_parse.h"

#include <linux/perf_event.h>
#include <string.h>

#include "../core/scan.h"

struct task { uint32_t pid, parent, thread, parent_thread; uint64_t time_ns; };       /* body of FORK and EXIT */
struct comm { uint32_t pid, thread; };          /* of COMM; the name follows */
struct lost { uint64_t id, lost; };
struct counted { uint32_t pid, thread; uint64_t value; };        /* of READ; more may follow */

enum { HEADER = sizeof(struct perf_event_header), TIME = sizeof(uint64_t) };

/* A record can begin at the ring's end and continue at its beginning. */
static void copy_out(void *to, const struct sideband_ring *r, size_t n)
{
	size_t begin = (size_t)(r->tail & (r->size - 1)), first = size_min(n, (size_t)r->size - begin);

	memcpy(to, r->at + begin, first);
	memcpy((char *)to + first, r->at, n - first);
}

static int take_task(struct sideband_record *ret, enum sideband_kind kind, const unsigned char *body, size_t n)
{
	struct task t;

	if (n < sizeof t)
		return -EBADMSG;
	memcpy(&t, body, sizeof t);
	*ret = (struct sideband_record){
		.kind = kind, .pid = (pid_t)t.pid, .thread = (pid_t)t.thread, .parent = (pid_t)t.parent,
	};
	return 1;
}

static int take_name(struct sideband_record *ret, bool exec, const unsigned char *body, size_t n)
{
	struct comm t;

	if (n < sizeof t)
		return -EBADMSG;
	memcpy(&t, body, sizeof t);
	*ret = (struct sideband_record){
		.kind = SIDEBAND_NAME, .pid = (pid_t)t.pid, .thread = (pid_t)t.thread, .exec = exec,
	};
	memcpy(ret->name, body + sizeof t, size_min(n - sizeof t, SIDEBAND_NAME_SIZE - 1));
	return 1;
}

static int take_lost(struct sideband_record *ret, const unsigned char *body, size_t n)
{
	struct lost t;

	if (n < sizeof t)
		return -EBADMSG;
	memcpy(&t, body, sizeof t);
	*ret = (struct sideband_record){ .kind = SIDEBAND_LOST, .lost = t.lost };
	return 1;
}

static int take_cpu_time(struct sideband_record *ret, const unsigned char *body, size_t n)
{
	struct counted t;

	if (n < sizeof t)
		return -EBADMSG;
	memcpy(&t, body, sizeof t);
	*ret = (struct sideband_record){
		.kind = SIDEBAND_CPU_TIME, .pid = (pid_t)t.pid, .thread = (pid_t)t.thread, .cpu_ns = t.value,
	};
	return 1;
}

/* 1: taken; 0: of no interest; -EBADMSG. */
static int take(struct sideband_record *ret, const struct sideband_ring *ring, const struct perf_event_header *h)
{
	unsigned char record[SIDEBAND_RECORD_MAX];
	const unsigned char *body = record + HEADER;
	bool known = h->type == PERF_RECORD_FORK || h->type == PERF_RECORD_EXIT ||
		     h->type == PERF_RECORD_COMM || h->type == PERF_RECORD_LOST ||
		     h->type == PERF_RECORD_READ;
	int r;

	if (!known)
		return 0;
	if (h->size > sizeof record || h->size < HEADER + TIME)
		return -EBADMSG;
	copy_out(record, ring, h->size);

	size_t n = h->size - (size_t)HEADER - TIME;

	if (h->type == PERF_RECORD_COMM)
		r = take_name(ret, h->misc & PERF_RECORD_MISC_COMM_EXEC, body, n);
	else if (h->type == PERF_RECORD_LOST)
		r = take_lost(ret, body, n);
	else if (h->type == PERF_RECORD_READ)
		r = take_cpu_time(ret, body, n);
	else
		r = take_task(ret, h->type == PERF_RECORD_FORK ? SIDEBAND_FORK : SIDEBAND_EXIT, body, n);
	if (r > 0)
		memcpy(&ret->time_ns, body + n, TIME);
	return r;
}

int sideband_parse(struct sideband_record *ret, struct sideband_ring *ring)
{
	int r = 0;

	while (r == 0 && ring->tail != ring->head) {
		uint64_t there = ring->head - ring->tail;
		struct perf_event_header h = { 0 };

		if (there >= HEADER && there <= ring->size)
			copy_out(&h, ring, sizeof h);
		r = h.size < HEADER || h.size > there ? -EBADMSG : take(ret, ring, &h);
		ring->tail = r < 0 ? ring->head : ring->tail + h.size;
	}
	return r;
}

ptrdiff_t sideband_parse_cpus(int *ret, size_t room, const char *text, size_t n)
{
	enum { NUMBER_MAX = 1 << 16 };
	struct scan s = scan_of(text, n);
	ptrdiff_t found = 0;

	do {
		uint64_t first, last;

		if (!scan_u64(&s, &first))
			return -EBADMSG;
		last = first;
		if (scan_literal(&s, "-") && !scan_u64(&s, &last))
			return -EBADMSG;
		if (last < first || last > NUMBER_MAX)
			return -EBADMSG;
		for (; first <= last; first++, found++)
			if ((size_t)found < room)
				ret[found] = (int)first;
	} while (found <= NUMBER_MAX && scan_literal(&s, ","));
	return found;
}
