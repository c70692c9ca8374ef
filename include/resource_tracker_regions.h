/*
 * resource_tracker_regions.h - name the parts of a program, to measure what each of them uses.
 *
 *     #include "resource_tracker_regions.h"                            nothing to link
 *
 *     RT_REGION("load data") {                                         ends on every way out of the block
 *             read_all();
 *     }
 *     void step(void) { RT_FUNCTION(); ... }                           the rest of the function
 *     uint64_t id = rt_region_begin("epoch"); ... rt_region_end(id);
 *     rt_region_mark("checkpoint written");
 *     rt_region_value("loss", 0.12);
 *
 * Run it as `resource-tracker -- ./program`.  Without a tracker, or if the tracker cannot be reached, every call does
 * nothing and costs one branch.  Nothing here waits, prints, allocates from the heap, or keeps a descriptor open;
 * /proc/self/statm is opened for some microseconds at most ten times a second.
 *
 * Regions nest, in each thread separately; a region within a region of the same name is a part of that one.  A child
 * of fork continues below the region in which it was forked.  A region that is left by longjmp ends with the one around
 * it, or when its block is entered again.  In a block of RT_REGION, break and continue leave the block.
 * A signal handler can call begin, end, mark and value on a thread that has used regions before; it must end each
 * region that it begins.
 *
 * CPU time is read from the thread's clock at most once in 10 us and extrapolated by wall time in between, so it is
 * exact to 10 us for each entry.  Names are truncated to 55 bytes.  There is room for 512 different paths, 64 levels
 * and 128 threads at a time; entries beyond that are counted as lost.
 *
 * C11 or later, C++11 or later, GCC or clang, Linux 4.14 or later, 64 bit; elsewhere every call does nothing.
 */
#ifndef RESOURCE_TRACKER_REGIONS_H
#define RESOURCE_TRACKER_REGIONS_H

#ifndef RT_REGION_WARNINGS                      /* defined: the program's warnings apply here, too */
#pragma GCC system_header
#endif

#include <stddef.h>
#include <stdint.h>

/* ---- the channel: memory of the tracker, shared with the program ------------------------------------ */

#define RT_REGION_MAGIC    UINT64_C(0x32304e4745525452)         /* "RTREGN02" */
#define RT_REGION_VARIABLE "RESOURCE_TRACKER_REGIONS_SHM"
#define RT_REGION_MEMFD    "resource-tracker-regions"

enum {
	RT_REGION_PATHS = 512, RT_REGION_NAME = 56, RT_REGION_LANES = 128, RT_REGION_DEPTH = 64,
	RT_REGION_RING = 512, RT_REGION_NOTES = 1024, RT_REGION_TEXT = 64, RT_REGION_BLOCKS = 4096,
	/* Buckets of times: 8 per octave, from 256 to 2^48 ticks. */
	RT_REGION_LOWEST = 8, RT_REGION_HIGHEST = 48,
	RT_REGION_BUCKETS = (RT_REGION_HIGHEST - RT_REGION_LOWEST) * 8
};

enum rt_region_state { RT_REGION_FREE, RT_REGION_BUSY, RT_REGION_READY };
enum rt_region_kind { RT_REGION_MARK = 1, RT_REGION_VALUE = 2, RT_REGION_MEMORY = 3 };
/* Reports that the tracker asks for; 0 from an older tracker, and ignored by an older header. */
enum rt_region_asks { RT_REGION_ASKS_MEMORY = 1 };

/* A node in the tree of names.  Path 0 is the root.  A path never changes once its state is READY. */
struct rt_region_path { uint32_t state; uint16_t parent, length; char name[RT_REGION_NAME]; };

/* An entry that has ended and was not short; times are in ticks, CPU time in ns. */
struct rt_region_entry { uint64_t begin, wall, cpu; uint32_t tid; uint16_t path, unused; };

struct rt_region_open { uint64_t begin, cpu, guard; uint32_t serial; uint16_t path, folded; };

/* Sums over one lane's entries of one path. */
struct rt_region_block {
	uint64_t count, recursed, abandoned;            /* abandoned: entries that their thread did not end */
	uint64_t wall, shortest, longest, cpu;          /* without recursed entries */
	uint32_t path, unused;
	uint32_t buckets[RT_REGION_BUCKETS];
};

/* A lane belongs to one thread at a time.  After the thread's end another takes it over with all its contents. */
struct rt_region_lane {
	uint64_t owner;                                 /* pid << 32 | tid; 0: free */
	uint64_t image;                                 /* identifies the program, as exec keeps pid and tid */
	uint64_t cpu_at, cpu;                           /* last reading of the thread's CPU clock, and its time */
	uint64_t head;                                  /* number of entries ever written to the ring */
	uint32_t depth, serial, base, unused;           /* base: the path in which the process was forked */
	uint16_t block[RT_REGION_PATHS];                /* number of the block + 1; 0: none yet */
	struct rt_region_open open[RT_REGION_DEPTH];
	struct rt_region_entry ring[RT_REGION_RING];
};

/* A mark, a value, or memory.  sequence is the number of the note + 1, written last. */
struct rt_region_note {
	uint64_t sequence, at;
	double   value;
	uint32_t tid;
	uint16_t path;
	uint8_t  kind, length;
	char     text[RT_REGION_TEXT];
};

/*
 * The text of a note of memory: the process, which had no child, had `value` pages resident at some moment between the
 * note's time and `until`.
 */
struct rt_region_memory { uint64_t until; uint32_t pid, unused; };

struct rt_region_channel {
	uint64_t magic, bytes;
	uint32_t cpu_counter;                           /* 1: ticks of the CPU's counter; 0: ns of CLOCK_MONOTONIC */
	uint32_t asks;
	uint64_t ns_per_tick;                           /* times 2^32 */
	uint64_t short_ticks, carry_ticks;              /* 100 us: shorter entries are only counted; 10 us */
	uint32_t lanes, blocks;                         /* number of those ever used */
	/*
	 * The tracker waits on `called` (a futex) and then reads the job's use.  Until `answered` is equal to it, and
	 * before call_next, no further call is made.  Each call moves call_next by call_ticks, with a credit.
	 */
	uint32_t called, answered;
	uint64_t call_next, call_ticks, call_credit;
	uint64_t call_least;                            /* shorter regions make no calls */
	uint64_t lost;                                  /* entries without room for their lane, path, depth or sums */
	uint64_t notes_head;
	struct rt_region_path  path[RT_REGION_PATHS];
	struct rt_region_note  note[RT_REGION_NOTES];
	struct rt_region_lane  lane[RT_REGION_LANES];
	struct rt_region_block block[RT_REGION_BLOCKS];
};

/* The bucket of a time; 0 below the lowest. */
static inline unsigned rt_region_bucket(uint64_t ticks)
{
	unsigned octave;

	if (ticks < UINT64_C(1) << RT_REGION_LOWEST)
		return 0;
	if (ticks >= UINT64_C(1) << RT_REGION_HIGHEST)
		return RT_REGION_BUCKETS - 1;
	octave = 63 - (unsigned)__builtin_clzll(ticks);
	return (octave - RT_REGION_LOWEST) * 8 + (unsigned)(ticks >> (octave - 3) & 7);
}

#ifndef RT_REGION_LAYOUT_ONLY

#if defined(__linux__) && defined(__LP64__) && defined(__GNUC__)

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#else
/* Declared as in time.h and unistd.h, which hide them with -std=c11. */
extern int clock_gettime(int, struct timespec *);
extern long syscall(long, ...);
#endif

#define RT_REGION_COLD   __attribute__((unused, noinline, cold))
#define RT_REGION_SHARED __attribute__((weak, visibility("hidden")))      /* one for each program or library */

enum { RT_REGION_UNKNOWN, RT_REGION_DETACHED, RT_REGION_ATTACHED };

struct rt_region_process {
	int state;
	struct rt_region_channel *channel;
	volatile uint32_t *same_process;                /* 1; in memory that fork sets to 0 in the child */
	uint64_t ns_per_tick, short_ticks, carry_ticks, call_least, image;
	int cpu_counter;
};

struct rt_region_place { uint16_t parent, path, folded, unused; };
struct rt_region_known { const char *name; struct rt_region_place place; };

struct rt_region_thread {
	struct rt_region_lane *lane;                    /* NULL: none yet */
	uint32_t tid, refused, path;                    /* path: of the innermost region, for a child of fork */
	struct rt_region_known known[32];
};

RT_REGION_SHARED struct rt_region_process rt_region_process_1;
RT_REGION_SHARED __thread struct rt_region_thread rt_region_thread_1;

/* Whether this process has used the channel before: 0 in a child of fork.  Only valid if there is a channel. */
static inline volatile uint32_t *rt_region_same_process(void)
{
	return __atomic_load_n(&rt_region_process_1.same_process, __ATOMIC_RELAXED);
}

static inline int rt_region_state(void)
{
	return __atomic_load_n(&rt_region_process_1.state, __ATOMIC_RELAXED);
}

/* One instruction, so that no signal handler can interrupt it; no other thread writes here. */
static inline void rt_region_add(uint64_t *to, uint64_t n)
{
#if defined(__x86_64__)
	__asm__ volatile("addq %1, %0"
			 : "+m"(*to)
			 : "er"(n));
#else
	__atomic_fetch_add(to, n, __ATOMIC_RELAXED);
#endif
}

static inline uint64_t rt_region_clock(int clock)
{
	struct timespec t;

	(void)clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static inline uint64_t rt_region_now(void)
{
#if defined(__x86_64__)
	if (rt_region_process_1.cpu_counter)
		return __builtin_ia32_rdtsc();
#endif
	return rt_region_clock(1 /* CLOCK_MONOTONIC */);
}

/* The thread's CPU time, at most 10 us too large: if less than that passed since the last reading, it is added. */
static inline uint64_t rt_region_cpu(struct rt_region_lane *lane, uint64_t now)
{
	uint64_t passed = now - lane->cpu_at;

	if (passed < rt_region_process_1.carry_ticks)
		return lane->cpu + (passed * rt_region_process_1.ns_per_tick >> 32);
	lane->cpu = rt_region_clock(3 /* CLOCK_THREAD_CPUTIME_ID */);
	lane->cpu_at = now;
	return lane->cpu;
}

/* Whether the mapping is a valid channel. */
static inline int rt_region_is_mapped(const struct rt_region_channel *c)
{
	return c && __atomic_load_n(&c->magic, __ATOMIC_RELAXED) == RT_REGION_MAGIC;
}

/*
 * Maps "/proc/PID/fd/N" of the tracker.  The link is checked before it is opened: in another PID namespace it can be
 * any file.
 */
RT_REGION_COLD static struct rt_region_channel *rt_region_map(void)
{
	static const char wanted[] = "/memfd:" RT_REGION_MEMFD;
	const char *path = getauxval(AT_SECURE) ? NULL : getenv(RT_REGION_VARIABLE);
	char text[64];
	void *at = MAP_FAILED;
	long n, pid = 0;
	int fd;

	if (!path || strncmp(path, "/proc/", 6) != 0)
		return NULL;
	n = syscall(SYS_readlinkat, -100 /* AT_FDCWD */, path, text, sizeof text);
	if (n < (long)sizeof wanted - 1 || memcmp(text, wanted, sizeof wanted - 1) != 0)
		return NULL;
	/* The tracker must see the same pids as we do. */
	n = syscall(SYS_readlinkat, -100 /* AT_FDCWD */, "/proc/self", text, sizeof text);
	for (long i = 0; i < n && i < 20; i++)
		pid = pid * 10 + (text[i] - '0');
	if (pid != syscall(SYS_getpid))
		return NULL;
	fd = (int)syscall(SYS_openat, -100 /* AT_FDCWD */, path, O_RDWR | O_NONBLOCK | 02000000 /* O_CLOEXEC */, 0);
	if (fd < 0)
		return NULL;
	if (syscall(SYS_lseek, fd, 0L, SEEK_END) == (long)sizeof(struct rt_region_channel) &&
	    (syscall(SYS_fcntl, fd, 1034 /* F_GET_SEALS */) & 6) == 6)
		at = mmap(NULL, sizeof(struct rt_region_channel), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	(void)syscall(SYS_close, fd);
	if (at == MAP_FAILED)
		return NULL;
	if (rt_region_is_mapped((struct rt_region_channel *)at))
		return (struct rt_region_channel *)at;
	(void)munmap(at, sizeof(struct rt_region_channel));
	return NULL;
}

RT_REGION_COLD static volatile uint32_t *rt_region_wiped_page(void)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | 0x20 /* MAP_ANONYMOUS */, -1, 0);

	if (at == MAP_FAILED)
		return NULL;
	if (syscall(SYS_madvise, at, 4096L, 18 /* MADV_WIPEONFORK */) == 0)
		return (volatile uint32_t *)at;
	(void)munmap(at, 4096);
	return NULL;
}

/* Connects to the tracker, once in a program.  If several threads do it at once, all but one undo their part. */
RT_REGION_COLD static void rt_region_attach(void)
{
	struct rt_region_process *p = &rt_region_process_1;
	struct rt_region_channel *c = rt_region_map(), *none = NULL;
	volatile uint32_t *page = c ? rt_region_wiped_page() : NULL, *no_page = NULL;
	const unsigned char *chance = (const unsigned char *)getauxval(AT_RANDOM);
	uint64_t image = 0;

	if (!page) {
		if (c)
			(void)munmap((void *)c, sizeof *c);
		c = NULL;
	} else if (!__atomic_compare_exchange_n(&p->same_process, &no_page, page, 0, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE)) {
		(void)munmap((void *)(uintptr_t)page, 4096);
		(void)munmap((void *)c, sizeof *c);
		while (__atomic_load_n(&p->state, __ATOMIC_ACQUIRE) == RT_REGION_UNKNOWN)
			(void)syscall(SYS_sched_yield);
		return;
	}
	if (c) {
		if (chance)
			memcpy(&image, chance, sizeof image);
		p->image = image;
		p->cpu_counter = (int)c->cpu_counter;
		p->ns_per_tick = c->ns_per_tick;
		p->short_ticks = c->short_ticks;
		p->carry_ticks = c->carry_ticks;
		p->call_least = c->call_least;
		*page = 1;
		(void)__atomic_compare_exchange_n(&p->channel, &none, c, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
	}
	/* A thread that failed, for example without a free descriptor, must not overrule one that succeeded. */
	if (c || !__atomic_load_n(&p->same_process, __ATOMIC_ACQUIRE))
		__atomic_store_n(&p->state, c ? RT_REGION_ATTACHED : RT_REGION_DETACHED, __ATOMIC_RELEASE);
}

/* ---- the lane of a thread ------------------------------------------------------------------------ */

/* Counts the open entries of a thread that has ended, or of a program that exec has replaced, as abandoned. */
RT_REGION_COLD static void rt_region_abandon(struct rt_region_channel *c, struct rt_region_lane *lane)
{
	for (uint32_t i = 0; i < lane->depth && i < RT_REGION_DEPTH; i++) {
		unsigned n = lane->block[lane->open[i].path % RT_REGION_PATHS];

		if (n > 0 && n <= RT_REGION_BLOCKS)
			rt_region_add(&c->block[n - 1].abandoned, 1);
		else
			(void)__atomic_fetch_add(&c->lost, 1, __ATOMIC_RELAXED);
	}
	lane->depth = 0;
}

RT_REGION_COLD static int rt_region_own(struct rt_region_lane *lane, uint64_t was, uint64_t me)
{
	return __atomic_compare_exchange_n(&lane->owner, &was, me, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* The lane that another copy of this header took for this thread, else one that is free, new, or a dead thread's. */
RT_REGION_COLD static struct rt_region_lane *rt_region_find_lane(struct rt_region_channel *c, uint64_t me)
{
	uint32_t n = __atomic_load_n(&c->lanes, __ATOMIC_ACQUIRE);
	struct rt_region_lane *lane;

	if (n > RT_REGION_LANES)
		n = RT_REGION_LANES;
	for (lane = c->lane; lane < c->lane + n; lane++)
		if (__atomic_load_n(&lane->owner, __ATOMIC_RELAXED) == me)
			return lane;
	for (lane = c->lane; lane < c->lane + n; lane++)
		if (__atomic_load_n(&lane->owner, __ATOMIC_RELAXED) == 0 && rt_region_own(lane, 0, me))
			return lane;
	while (n < RT_REGION_LANES) {
		n = __atomic_fetch_add(&c->lanes, 1, __ATOMIC_ACQ_REL);
		if (n < RT_REGION_LANES && rt_region_own(&c->lane[n], 0, me))
			return &c->lane[n];
	}
	for (lane = c->lane; lane < c->lane + RT_REGION_LANES; lane++) {
		uint64_t other = __atomic_load_n(&lane->owner, __ATOMIC_RELAXED);

		if (other != 0 &&
		    (syscall(SYS_tgkill, (long)(other >> 32), (long)(uint32_t)other, 0) == 0 || errno != ESRCH))
			continue;
		if (rt_region_own(lane, other, me))
			return lane;
	}
	return NULL;
}

RT_REGION_COLD static struct rt_region_lane *rt_region_enter_lane(void)
{
	struct rt_region_process *p = &rt_region_process_1;
	struct rt_region_thread *t = &rt_region_thread_1;
	int error = errno;

	if (__atomic_load_n(&p->state, __ATOMIC_ACQUIRE) == RT_REGION_UNKNOWN)
		rt_region_attach();
	if (__atomic_load_n(&p->state, __ATOMIC_ACQUIRE) != RT_REGION_ATTACHED) {
		errno = error;
		return NULL;
	}
	if (!*rt_region_same_process()) {               /* a child of fork: the lane is its parent's */
		t->lane = NULL;
		t->refused = 0;
		*rt_region_same_process() = 1;
	}
	if (t->refused) {
		(void)__atomic_fetch_add(&p->channel->lost, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	t->tid = (uint32_t)syscall(SYS_gettid);

	uint64_t me = (uint64_t)(uint32_t)syscall(SYS_getpid) << 32 | t->tid;
	struct rt_region_lane *lane = rt_region_find_lane(p->channel, me);

	t->lane = lane;
	t->refused = !lane;
	if (lane)
		(void)__atomic_load_n(&lane->depth, __ATOMIC_ACQUIRE);
	if (!lane) {
		(void)__atomic_fetch_add(&p->channel->lost, 1, __ATOMIC_RELAXED);
	} else if (lane->image != (p->image ^ me)) {
		rt_region_abandon(p->channel, lane);
		lane->image = p->image ^ me;
		lane->base = t->path;
		lane->cpu_at = 0;
	}
	errno = error;
	return lane;
}

/* ---- names --------------------------------------------------------------------------------------- */

RT_REGION_COLD static size_t rt_region_length(const char *text, size_t most)
{
	size_t n = 0;

	while (n < most && text[n])
		n++;
	return n;
}

RT_REGION_COLD static uint32_t rt_region_path_of(struct rt_region_channel *c, uint32_t parent, const char *name,
						   size_t n)
{
	uint32_t hash = 2166136261u ^ parent;

	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)name[i]) * 16777619u;
	for (uint32_t i = 0; i < RT_REGION_PATHS - 1; i++) {
		uint32_t at = 1 + (hash + i) % (RT_REGION_PATHS - 1), free_path = RT_REGION_FREE;
		struct rt_region_path *path = &c->path[at];

		if (__atomic_compare_exchange_n(&path->state, &free_path, (uint32_t)RT_REGION_BUSY, 0,
						__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
			path->parent = (uint16_t)parent;
			path->length = (uint16_t)n;
			memcpy(path->name, name, n);
			__atomic_store_n(&path->state, (uint32_t)RT_REGION_READY, __ATOMIC_RELEASE);
			return at;
		}
		/* A path that is being written can be the same: then there are two, and the reader adds them up. */
		if (free_path == RT_REGION_READY && path->parent == parent && path->length == n &&
		    memcmp(path->name, name, n) == 0)
			return at;
	}
	return 0;
}

/* The place of a region of this name below `parent`; folded: within a region of the same name.  path 0: no room. */
RT_REGION_COLD static struct rt_region_place rt_region_learn(struct rt_region_channel *c, uint32_t parent,
								const char *name)
{
	size_t n = rt_region_length(name, RT_REGION_NAME - 1);
	uint32_t path = parent % RT_REGION_PATHS;
	struct rt_region_place place = { (uint16_t)parent, 0, 0, 0 };

	for (unsigned i = 0; path && i < RT_REGION_DEPTH; i++) {
		if (c->path[path].length == n && memcmp(c->path[path].name, name, n) == 0) {
			place.path = (uint16_t)path;
			place.folded = 1;
			return place;
		}
		path = c->path[path].parent % RT_REGION_PATHS;
	}
	place.path = (uint16_t)rt_region_path_of(c, parent, name, n);
	return place;
}

/*
 * The same, from the thread's cache.  The address can hold another name by now, and a signal handler can interrupt any
 * two steps here, so the names are compared.
 */
static inline struct rt_region_place rt_region_place_of(struct rt_region_channel *c, uint32_t parent,
							  const char *name)
{
	struct rt_region_known *known =
		&rt_region_thread_1.known[((uintptr_t)name / 8 ^ (uintptr_t)name ^ parent) % 32];
	struct rt_region_place place = known->place;

	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	if (__builtin_expect(known->name != name || place.parent != parent ||
			     strncmp(c->path[place.path % RT_REGION_PATHS].name, name, RT_REGION_NAME - 1) != 0, 0)) {
		place = rt_region_learn(c, parent, name);
		known->name = name;
		known->place = place;
	}
	return place;
}

/* ---- notes --------------------------------------------------------------------------------------- */

RT_REGION_COLD static void rt_region_put_note(struct rt_region_channel *c, int kind, uint64_t at, double value,
						const char *text, size_t n)
{
	uint64_t number = __atomic_fetch_add(&c->notes_head, 1, __ATOMIC_ACQ_REL);
	struct rt_region_note *note = &c->note[number % RT_REGION_NOTES];

	(void)__atomic_exchange_n(&note->sequence, 0, __ATOMIC_ACQ_REL);        /* before the writes below */
	note->at = at;
	note->value = value;
	note->tid = rt_region_thread_1.tid;
	note->path = (uint16_t)rt_region_thread_1.path;
	note->kind = (uint8_t)kind;
	note->length = (uint8_t)n;
	memcpy(note->text, text, n);
	__atomic_store_n(&note->sequence, number + 1, __ATOMIC_RELEASE);
}

/* Resident pages; 0: unknown. */
RT_REGION_COLD static uint64_t rt_region_resident(int statm)
{
	char text[64];
	long n = syscall(SYS_read, statm, text, sizeof text), i = 0;
	uint64_t pages = 0;

	while (i < n && text[i] != ' ')                 /* the first number is the size */
		i++;
	for (i++; i < n && text[i] >= '0' && text[i] <= '9'; i++)
		pages = pages * 10 + (uint64_t)(text[i] - '0');
	return pages;
}

/* Whether this process has children, without reaping any.  Then the tracker has to measure the tree's memory itself. */
RT_REGION_COLD static int rt_region_has_children(void)
{
	const long options = 0x41000005;                /* __WALL | WNOWAIT | WEXITED | WNOHANG */

	return syscall(SYS_waitid, 0 /* P_ALL */, 0, NULL, options, NULL) == 0 || errno != ECHILD;
}

/*
 * Notes the resident memory of this process; nothing if it is unknown, as without /proc or a free descriptor.  The file
 * is opened each time: the program could close a descriptor that is kept, and in a child of fork it would be the
 * parent's.
 */
RT_REGION_COLD static void rt_region_report_memory(struct rt_region_channel *c)
{
	int statm = (int)syscall(SYS_openat, -100 /* AT_FDCWD */, "/proc/self/statm",
				 O_RDONLY | O_NONBLOCK | 02000000 /* O_CLOEXEC */, 0);
	struct rt_region_memory reported = { 0, 0, 0 };
	char text[sizeof reported];

	if (statm < 0)
		return;

	uint64_t from = rt_region_now(), pages = rt_region_resident(statm);
	int alone = !rt_region_has_children();

	reported.until = rt_region_now();
	(void)syscall(SYS_close, statm);
	if (!pages || !alone)
		return;
	reported.pid = (uint32_t)syscall(SYS_getpid);
	memcpy(text, &reported, sizeof reported);
	rt_region_put_note(c, RT_REGION_MEMORY, from, (double)pages, text, sizeof text);
}

/* ---- calling the tracker ------------------------------------------------------------------------- */

/*
 * Calls the tracker as a region that takes `takes` ticks begins or ends; returns whether it did.  A call costs 75 us,
 * mostly for reading the program's memory, so there are at most ten a second, and a credit.  Half of the credit is
 * reserved for regions that take at least call_ticks, in which a new call is earned.
 */
RT_REGION_COLD static int rt_region_call(struct rt_region_channel *c, uint64_t now, uint64_t takes)
{
	uint64_t next = __atomic_load_n(&c->call_next, __ATOMIC_RELAXED), most = c->call_credit;
	uint64_t credit = now > next ? now - next : 0;
	int error = errno;

	if (takes < (credit > most / 2 ? c->call_least : c->call_ticks) || now < next ||
	    __atomic_load_n(&c->called, __ATOMIC_RELAXED) != __atomic_load_n(&c->answered, __ATOMIC_RELAXED) ||
	    !__atomic_compare_exchange_n(&c->call_next, &next, (credit > most ? now - most : next) + c->call_ticks, 0,
					 __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return 0;
	if (__atomic_load_n(&c->asks, __ATOMIC_RELAXED) & RT_REGION_ASKS_MEMORY)
		rt_region_report_memory(c);
	(void)__atomic_fetch_add(&c->called, 1, __ATOMIC_RELEASE);
	(void)syscall(SYS_futex, &c->called, 1 /* FUTEX_WAKE */, 1, NULL, NULL, 0);
	errno = error;
	return 1;
}

/* Estimates the duration of the region by the mean of its entries, if there were a few. */
RT_REGION_COLD static int rt_region_call_begin(struct rt_region_channel *c, const struct rt_region_lane *lane,
						 uint32_t path, uint64_t now)
{
	uint32_t n = lane->block[path];
	const struct rt_region_block *block = n > 0 && n <= RT_REGION_BLOCKS ? &c->block[n - 1] : NULL;

	return rt_region_call(c, now, block && block->count >= 4 ? block->wall / block->count : UINT64_MAX);
}

/* ---- begin and end ------------------------------------------------------------------------------- */

static inline struct rt_region_lane *rt_region_lane_here(void)
{
	struct rt_region_lane *lane = rt_region_thread_1.lane;

	return __builtin_expect(!lane || !*rt_region_same_process(), 0) ? rt_region_enter_lane() : lane;
}

RT_REGION_COLD static struct rt_region_block *rt_region_new_block(struct rt_region_channel *c,
								     struct rt_region_lane *lane, uint32_t path)
{
	uint32_t n = lane->block[path];

	if (n == 0) {
		/* Checked before it is increased, so that the counter cannot wrap around. */
		n = __atomic_load_n(&c->blocks, __ATOMIC_RELAXED);
		if (n < RT_REGION_BLOCKS)
			n = __atomic_fetch_add(&c->blocks, 1, __ATOMIC_ACQ_REL);
		if (n >= RT_REGION_BLOCKS)
			return NULL;
		c->block[n].path = path;
		lane->block[path] = (uint16_t)(n + 1);
		return &c->block[n];
	}
	return NULL;
}

static inline struct rt_region_block *rt_region_block_of(struct rt_region_channel *c, struct rt_region_lane *lane,
							uint32_t path)
{
	uint32_t n = lane->block[path];

	return __builtin_expect(n - 1 < (uint32_t)RT_REGION_BLOCKS, 1) ? &c->block[n - 1]
								 : rt_region_new_block(c, lane, path);
}

static inline void rt_region_close(struct rt_region_channel *c, struct rt_region_lane *lane,
				    const struct rt_region_open *open, uint64_t now, uint64_t cpu)
{
	uint32_t path = open->path % RT_REGION_PATHS;
	struct rt_region_block *block = rt_region_block_of(c, lane, path);
	uint64_t wall = now > open->begin ? now - open->begin : 0, used = cpu > open->cpu ? cpu - open->cpu : 0;

	if (__builtin_expect(!block, 0)) {
		(void)__atomic_fetch_add(&c->lost, 1, __ATOMIC_RELAXED);
		return;
	}
	if (open->folded) {
		rt_region_add(&block->recursed, 1);
		return;
	}
	rt_region_add(&block->count, 1);
	rt_region_add(&block->wall, wall);
	rt_region_add(&block->cpu, used);
	if (wall < block->shortest || block->count == 1)
		block->shortest = wall;
	if (wall > block->longest)
		block->longest = wall;
	block->buckets[rt_region_bucket(wall)]++;
	if (__builtin_expect(wall < rt_region_process_1.short_ticks, 1))
		return;

	struct rt_region_entry *entry = &lane->ring[lane->head % RT_REGION_RING];

	entry->begin = open->begin;
	entry->wall = wall;
	entry->cpu = used;
	entry->tid = rt_region_thread_1.tid;
	entry->path = (uint16_t)path;
	__atomic_store_n(&lane->head, lane->head + 1, __ATOMIC_RELEASE);
}

static inline void rt_region_unwind(struct rt_region_channel *c, struct rt_region_lane *lane, uint32_t to)
{
	uint64_t now = rt_region_now(), cpu = rt_region_cpu(lane, now);
	uint32_t depth = lane->depth < RT_REGION_DEPTH ? lane->depth : (uint32_t)RT_REGION_DEPTH;
	uint64_t took = now - lane->open[to].begin;

	for (; depth > to; depth--)
		rt_region_close(c, lane, &lane->open[depth - 1], now, cpu);
	rt_region_thread_1.path = to > 0 ? lane->open[to - 1].path : lane->base;
	/* A signal handler's region above it, before it is filled in again, must get the right parent. */
	lane->open[to].path = (uint16_t)rt_region_thread_1.path;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	__atomic_store_n(&lane->depth, to, __ATOMIC_RELEASE);   /* for the next owner of the lane */
	if (__builtin_expect(took >= rt_region_process_1.call_least, 0))
		(void)rt_region_call(c, now, took);
}

/* guard: the address of a block's variable; 0: none.  If that is open already, longjmp has left its block. */
static inline uint64_t rt_region_begin_at(const char *name, uint64_t guard)
{
	struct rt_region_lane *lane = rt_region_lane_here();
	struct rt_region_channel *c = rt_region_process_1.channel;
	uint32_t depth;

	if (__builtin_expect(!lane, 0))
		return 0;
	depth = lane->depth;
	for (uint32_t i = 0; guard && i < depth && i < RT_REGION_DEPTH; i++)
		if (lane->open[i].guard == guard) {
			rt_region_unwind(c, lane, i);
			depth = i;
			break;
		}

	uint32_t parent = depth > 0 ? lane->open[(depth - 1) % RT_REGION_DEPTH].path : lane->base;
	struct rt_region_place place = rt_region_place_of(c, parent, name ? name : "?");

	if (__builtin_expect(depth >= RT_REGION_DEPTH || !place.path, 0)) {
		struct rt_region_block *block = place.folded ? rt_region_block_of(c, lane, place.path) : NULL;

		if (block)                              /* it is a part of an open region, at any depth */
			rt_region_add(&block->recursed, 1);
		else
			(void)__atomic_fetch_add(&c->lost, 1, __ATOMIC_RELAXED);
		return 0;
	}

	struct rt_region_open *open = &lane->open[depth];
	uint32_t serial = ++lane->serial;

	/* Taken before it is filled in, so that a signal handler's regions come above it. */
	lane->depth = depth + 1;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	open->path = place.path;
	open->folded = place.folded;
	open->guard = guard;
	open->serial = serial;
	rt_region_thread_1.path = place.path;
	open->begin = rt_region_now();
	open->cpu = rt_region_cpu(lane, open->begin);
	if (__builtin_expect(open->begin >= __atomic_load_n(&c->call_next, __ATOMIC_RELAXED), 0) &&
	    rt_region_call_begin(c, lane, place.path, open->begin)) {
		open->begin = rt_region_now();          /* the call is not a part of the region */
		open->cpu = rt_region_cpu(lane, open->begin);
	}
	return (uint64_t)serial << 32 | (uint64_t)(lane - c->lane) << 16 | (depth + 1);
}

/* Returns the id for rt_region_end, which accepts 0; 0: no tracker, or no room.  name: copied; NULL: "?". */
static inline uint64_t rt_region_begin(const char *name)
{
	return __builtin_expect(rt_region_state() == RT_REGION_DETACHED, 1) ? 0 : rt_region_begin_at(name, 0);
}

/* Ends the region and those still open within it.  Does nothing if it has ended, or began before a fork. */
static inline void rt_region_end(uint64_t id)
{
	if (__builtin_expect(id == 0, 1))
		return;

	struct rt_region_lane *lane = rt_region_lane_here();
	struct rt_region_channel *c = rt_region_process_1.channel;
	uint32_t at = (uint32_t)(id & 0xffff) - 1;

	if (lane && at < lane->depth && at < RT_REGION_DEPTH && lane->open[at].serial == id >> 32 &&
	    (id >> 16 & 0xffff) == (uint64_t)(lane - c->lane))
		rt_region_unwind(c, lane, at);
}

/* ---- marks and values ---------------------------------------------------------------------------- */

RT_REGION_COLD static void rt_region_write_note(int kind, const char *text, double value)
{
	const char *some = text ? text : "?";

	if (rt_region_lane_here())
		rt_region_put_note(rt_region_process_1.channel, kind, rt_region_now(), value, some,
				    rt_region_length(some, RT_REGION_TEXT));
}

/* Texts are copied, truncated to 64 bytes; NULL: "?". */
static inline void rt_region_mark(const char *text)
{
	if (__builtin_expect(rt_region_state() != RT_REGION_DETACHED, 0))
		rt_region_write_note(RT_REGION_MARK, text, 0);
}

static inline void rt_region_value(const char *name, double value)
{
	if (__builtin_expect(rt_region_state() != RT_REGION_DETACHED, 0))
		rt_region_write_note(RT_REGION_VALUE, name, value);
}

/* ---- blocks -------------------------------------------------------------------------------------- */

struct rt_region_scope { uint64_t id; };

static inline struct rt_region_scope *rt_region_enter(struct rt_region_scope *scope, const char *name)
{
	if (__builtin_expect(rt_region_state() != RT_REGION_DETACHED, 0))
		scope->id = rt_region_begin_at(name, (uint64_t)(uintptr_t)scope);
	return scope;
}

static inline void rt_region_leave(struct rt_region_scope *scope)
{
	rt_region_end(scope->id);
}

#ifdef __cplusplus
}
#endif

#else   /* another system */

static inline uint64_t rt_region_begin(const char *name) { (void)name; return 0; }
static inline void rt_region_end(uint64_t id) { (void)id; }
static inline void rt_region_mark(const char *text) { (void)text; }
static inline void rt_region_value(const char *name, double value) { (void)name; (void)value; }
struct rt_region_scope { uint64_t id; };
static inline struct rt_region_scope *rt_region_enter(struct rt_region_scope *s, const char *n) { (void)n; return s; }
static inline void rt_region_leave(struct rt_region_scope *scope) { (void)scope; }

#endif

#define RT_REGION(name) RT_REGION_NUMBERED(name, __COUNTER__)
#define RT_FUNCTION()   RT_FUNCTION_NUMBERED(__COUNTER__)

#define RT_REGION_JOIN2(a, b) a##b
#define RT_REGION_JOIN(a, b)  RT_REGION_JOIN2(a, b)

#define RT_REGION_NUMBERED(name, n) \
	for (struct rt_region_scope RT_REGION_JOIN(rt_region_scope_, n) \
	     __attribute__((cleanup(rt_region_leave))) = { 0 }, \
	     *RT_REGION_JOIN(rt_region_once_, n) = rt_region_enter(&RT_REGION_JOIN(rt_region_scope_, n), (name)); \
	     RT_REGION_JOIN(rt_region_once_, n); RT_REGION_JOIN(rt_region_once_, n) = NULL)

#define RT_FUNCTION_NUMBERED(n) \
	struct rt_region_scope RT_REGION_JOIN(rt_region_scope_, n) __attribute__((cleanup(rt_region_leave))) = { 0 }; \
	(void)rt_region_enter(&RT_REGION_JOIN(rt_region_scope_, n), __func__)

#ifdef __cplusplus
/* rt::region part("load data"); until the end of the block. */
namespace rt
{
struct region : rt_region_scope {
	explicit region(const char *name) : rt_region_scope() { (void)rt_region_enter(this, name); }
	~region() { rt_region_leave(this); }
	region(const region &) = delete;
	region &operator=(const region &) = delete;
};
}
#endif

#endif  /* RT_REGION_LAYOUT_ONLY */
#endif
