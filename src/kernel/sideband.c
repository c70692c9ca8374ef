/* sideband.c - perf rings of forks, names, exits and CPU times. */
#include "sideband.h"

#include <fcntl.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

/* The smaller size is for users with little locked memory left (perf_event_mlock_kb, RLIMIT_MEMLOCK). */
static const size_t ring_sizes[] = { 64 << 10, 16 << 10 };

struct ring {
	int fd;                                 /* of the event that maps it */
	int writer;                             /* of the event that writes to it; mostly the same */
	struct perf_event_mmap_page *page;
	size_t mapped;
	struct sideband_ring bytes;
	struct sideband_record next;
	bool has_next;
	bool counts_lost;                       /* its event counts lost records (Linux 6.0) */
	uint64_t lost_reported;
	bool full, torn;                        /* it was found so, and this is not reported yet */
	struct ring *after;                     /* next ring with records */
};

struct sideband {
	uint64_t until_ns;
	struct ring *busy;                      /* rings with records, since sideband_begin */
	int clock;                              /* counts the CPU time; -1: not open */
	size_t n;
	struct ring ring[];                     /* the ring of the clock, then one for each CPU */
};

enum event {
	TASKS,                                  /* of one CPU: forks, names and exits on it */
	CLOCK,                                  /* of all CPUs, inherited: each task's CPU time at its exit */
	CLOCK_RING,                             /* of all CPUs: its ring is used by the clock */
};

static int open_event(enum event e, pid_t pid, int cpu, size_t ring_size, bool counts_lost)
{
	struct perf_event_attr attr = {
		.size = sizeof attr, .type = PERF_TYPE_SOFTWARE,
		.config = e == CLOCK ? PERF_COUNT_SW_TASK_CLOCK : PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1, .exclude_hv = 1,
		/* A disabled event is added without an interrupt to the process's CPU. */
		.inherit = e != CLOCK_RING, .inherit_stat = e == CLOCK, .disabled = 1,
		.enable_on_exec = e != CLOCK_RING,
		/* If all events are inherited, the kernel swaps those of two tasks at once at a switch (Linux 5.13). */
		.remove_on_exec = e == CLOCK_RING && counts_lost,
		.read_format = counts_lost ? PERF_FORMAT_LOST : 0,
		.task = e == TASKS, .comm = e == TASKS, .comm_exec = e == TASKS,
		.sample_id_all = 1, .sample_type = PERF_SAMPLE_TIME, .use_clockid = 1, .clockid = CLOCK_MONOTONIC,
		.watermark = 1, .wakeup_watermark = (uint32_t)ring_size / 2,
	};
	long fd = syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

/* A signal with a number of its own is queued and replaces no other. */
static int signal_when_half_full(int fd, int signal)
{
	bool done = fcntl(fd, F_SETOWN, getpid()) == 0 && fcntl(fd, F_SETSIG, signal) == 0 &&
		    fcntl(fd, F_SETFL, O_ASYNC) == 0;

	return done ? 0 : -errno;
}

static size_t ring_bytes(size_t wanted)
{
	return size_max(wanted, (size_t)sysconf(_SC_PAGESIZE));
}

static int open_ring(struct ring *r, enum event e, pid_t pid, int cpu, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), mapped = page + size;
	bool counts_lost = true;
	int fd = open_event(e, pid, cpu, size, true);

	if (fd == -EINVAL) {
		counts_lost = false;
		fd = open_event(e, pid, cpu, size, false);
	}
	if (fd < 0)
		return fd;

	void *at = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED) {
		int error = errno;

		close_p(&fd);
		return -error;
	}
	*r = (struct ring){
		.fd = fd, .writer = fd, .page = at, .mapped = mapped, .counts_lost = counts_lost,
		.bytes = { .at = (unsigned char *)at + page, .size = mapped - page },
	};
	return 0;
}

static int add_ring(struct sideband *s, enum event e, pid_t pid, int cpu, size_t size)
{
	int r = open_ring(&s->ring[s->n], e, pid, cpu, size);

	s->n += r == 0;
	return r;
}

/* The kernel maps no ring for an inherited event of all CPUs, but the event can write into another event's ring. */
static int add_clock(struct sideband *s, pid_t pid, size_t size)
{
	int r = add_ring(s, CLOCK_RING, pid, -1, size);

	if (r < 0)
		return r;

	struct ring *ring = &s->ring[s->n - 1];

	s->clock = open_event(CLOCK, pid, -1, size, ring->counts_lost);
	if (s->clock < 0)
		return s->clock;
	ring->writer = s->clock;
	return ioctl(s->clock, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) < 0 ? -errno : 0;
}

static void close_rings(struct sideband *s)
{
	for (size_t i = 0; i < s->n; i++) {
		(void)munmap(s->ring[i].page, s->ring[i].mapped);
		close_p(&s->ring[i].fd);
	}
	close_p(&s->clock);
	s->n = 0;
}

static int open_rings(struct sideband *s, pid_t pid, const int *cpus, size_t n_cpus, size_t size, int signal)
{
	int r = add_clock(s, pid, size);

	for (size_t i = 0; i < n_cpus && r == 0; i++)
		r = add_ring(s, TASKS, pid, cpus[i], size);
	for (size_t i = 0; i < s->n && r == 0 && signal > 0; i++)
		r = signal_when_half_full(s->ring[i].writer, signal);
	if (r < 0)
		close_rings(s);
	return r;
}

static int open_of_any_size(struct sideband *s, pid_t pid, const int *cpus, size_t n_cpus, int signal)
{
	int r = -EPERM;

	for (size_t i = 0; r == -EPERM && i < countof(ring_sizes); i++)
		r = open_rings(s, pid, cpus, n_cpus, ring_bytes(ring_sizes[i]), signal);
	return r;
}

int sideband_open(struct sideband **ret, pid_t pid, const int *cpus, size_t n_cpus, int signal, struct why *why)
{
	struct sideband *s = calloc(1, sizeof *s + (n_cpus + 1) * sizeof s->ring[0]);

	if (!s)
		return why_set(why, -ENOMEM, "out of memory");
	s->clock = -1;

	int r = open_of_any_size(s, pid, cpus, n_cpus, signal);

	if (r < 0) {
		sideband_close(s);
		return why_set(why, r, "perf_event_open: %s", strerror(-r));
	}
	*ret = s;
	return 0;
}

void sideband_close(struct sideband *s)
{
	if (!s)
		return;
	close_rings(s);
	free(s);
}

int sideband_cpu_time(const struct sideband *s, uint64_t *ret_ns)
{
	uint64_t now[2];                        /* the second, if present: lost records */
	ssize_t n = read(s->clock, now, sizeof now);

	if (n < (ssize_t)sizeof now[0])
		return n < 0 ? -errno : -EIO;
	*ret_ns = now[0];
	return 0;
}

static void parse_next(struct ring *r)
{
	int n = sideband_parse(&r->next, &r->bytes);

	r->has_next = n > 0;
	r->torn |= n < 0;
}

/*
 * A record is written after the records that it depends on.  So for every record from before this instant, those are in
 * the rings when the heads are read.
 */
void sideband_begin(struct sideband *s)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	s->until_ns = (uint64_t)now.tv_sec * (uint64_t)NS_PER_SECOND + (uint64_t)now.tv_nsec;
	s->busy = NULL;
	for (size_t i = 0; i < s->n; i++) {
		struct ring *r = &s->ring[i];

		r->bytes.head = __atomic_load_n(&r->page->data_head, __ATOMIC_ACQUIRE);
		if (r->bytes.head == r->bytes.tail && !r->has_next)
			continue;
		r->after = s->busy;
		s->busy = r;
		r->full |= r->bytes.head - r->page->data_tail > r->bytes.size - SIDEBAND_RECORD_MAX;
		if (!r->has_next)
			parse_next(r);
	}
}

/* A record that was parsed but not returned is kept in ring.next: its place is free as well. */
static void hand_back_room(struct sideband *s)
{
	for (struct ring *r = s->busy; r; r = r->after)
		__atomic_store_n(&r->page->data_tail, r->bytes.tail, __ATOMIC_RELEASE);
}

/*
 * A LOST record comes with the next record that finds room, perhaps never.  The event's own counter is right at once;
 * then the record adds nothing.
 */
static uint64_t newly_lost(struct ring *r, uint64_t reported_by_record)
{
	struct { uint64_t value, lost; } now;

	if (!r->counts_lost)
		return reported_by_record;
	if (read(r->writer, &now, sizeof now) != (ssize_t)sizeof now || now.lost <= r->lost_reported)
		return 0;

	uint64_t lost = now.lost - r->lost_reported;

	r->lost_reported = now.lost;
	return lost;
}

/* A loss without a record. */
static bool next_loss(struct sideband *s, struct sideband_record *ret)
{
	for (struct ring *r = s->busy; r; r = r->after) {
		uint64_t lost = r->full || r->torn ? newly_lost(r, 0) : 0;
		bool news = lost > 0 || r->torn || (r->full && !r->counts_lost);

		r->full = r->torn = false;
		*ret = (struct sideband_record){ .kind = SIDEBAND_LOST, .time_ns = s->until_ns, .lost = lost };
		if (news)
			return true;
	}
	return false;
}

static struct ring *earliest(struct sideband *s)
{
	struct ring *first = NULL;

	for (struct ring *r = s->busy; r; r = r->after)
		if (r->has_next && (!first || r->next.time_ns < first->next.time_ns))
			first = r;
	return first && first->next.time_ns < s->until_ns ? first : NULL;
}

bool sideband_next(struct sideband *s, struct sideband_record *ret)
{
	for (struct ring *r; (r = earliest(s)) != NULL;) {
		*ret = r->next;
		parse_next(r);
		if (ret->kind != SIDEBAND_LOST || (ret->lost = newly_lost(r, ret->lost)) > 0)
			return true;
	}
	hand_back_room(s);
	return next_loss(s, ret);
}
