/*
 * state.h - what the files of src/tree/ share: the tree, its members and their figures.
 *
 * tree.c     open, one reading                   members.c   the table of members
 * walk.c     who belongs to the tree             figures.c   one member's files into its figures
 * sums.c     figures into the sums of roots      follow.c    what ended while it was read
 * settle.c   where figures of the ended went     ends.c      ends of processes, notices
 * memory.c   PSS within its budget               pss_bounds.c   PSS between its readings
 * family.c   who may share private memory        slow.c     files too dear for every reading
 * births.c   what the kernel tells of forks        sideband.c  the rings it tells it in
 * programs.c, report.c   rows of the sample
 * cpu_source.c   which source tells the CPU time in all: leaf.c, perf_clock.c, or the ledger
 * sockets*.c     TCP connections (sockets.h)
 *
 * Members stand in the order in which they were found, so a parent is always read before its
 * children.  With that order a child that was read is not yet inside its parent's figures.
 */
#ifndef RT_TREE_STATE_H
#define RT_TREE_STATE_H

#include "births.h"
#include "cpu_source.h"
#include "proc_parse.h"
#include "pss_budget.h"
#include "tree.h"

/* Amounts.  What a process's own figures become when it ends differs, in three groups. */
enum counter {
	/* Waited children are counted apart by the kernel: cutime, cstime, cminflt, cmajflt. */
	CPU_NS, USER_NS, SYSTEM_NS, MINOR_FAULTS, MAJOR_FAULTS,
	/* Waited children are added to the parent's own figure (wait_task_zombie in kernel/exit.c). */
	READ_CHARS, WRITE_CHARS, READ_CALLS, WRITE_CALLS, READ_BYTES, WRITE_BYTES,
	/* The kernel forgets; we hand them on to the parent ourselves. */
	RUN_DELAY_NS, BLOCK_DELAY_NS, VOLUNTARY, INVOLUNTARY, WATCHED_CPU_NS,
	COUNTERS,
	APART = READ_CHARS, FORGOTTEN = RUN_DELAY_NS,   /* where the groups end and begin */
};

/* Levels, summed over members.  HAS_x counts the members of which x is known. */
enum level {
	ALIVE, THREADS, RUNNING, SLEEPING, DISK_SLEEP, STOPPED, ZOMBIE,
	RSS, VIRTUAL, SHARED, PSS, USS, SWAP, FDS,
	PSS_MOST, PSS_MOVED, PSS_FILE,          /* what bounds of PSS are made of: see struct rollup */
	HAS_IO, HAS_PSS, HAS_SWAP, HAS_FDS, HAS_DELAY, HAS_SWITCHES, UNREADABLE,
	LEVELS,
};

struct figures {
	uint64_t own[COUNTERS], children[COUNTERS];
	int64_t  level[LEVELS];
};

enum member_file { FILE_STAT, FILE_STATM, FILE_IO, FILE_CHILDREN, MEMBER_FILES };

/*
 * A reading of smaps_rollup, and what the process was then; before the first, what it was when it was
 * found.  Since then its pages can have moved by `moved` at most: each fault by a huge page, and what
 * came or went without a fault shows in RSS.  So between readings
 *   PSS_MOVED = moved,  PSS_MOST = min(RSS, most + moved),  PSS_FILE = file - moved.
 */
struct rollup {
	int64_t read_ns, clock_ns;              /* when, and its CPU clock; of the finding before the first reading */
	int64_t pss, rss;                       /* the value to be carried, and RSS */
	int64_t most;                           /* upper bound of its PSS: the PSS that was read; its RSS if none was */
	int64_t anonymous_pss, anonymous;       /* PSS of private memory, and that memory */
	int64_t file_pss;                       /* PSS of files and shared memory: lower bound */
	uint64_t faults;
	uint32_t epoch;                         /* its family's; 0: none */
	uint64_t parted, mapped;                /* the tree's, after the pass of this reading */
	double   factor;                        /* of pss_budget.h */
};

/*
 * Processes that may share private memory: fork has made one out of the other and no exec came between.
 * Their stacks begin at the same random place; exec moves it.
 */
struct family {
	uint64_t stack;
	size_t   members;
	int64_t  largest;                       /* private memory of its largest member: no sharing makes it less */
	int64_t  credit;                        /* sum of what the members' own readings vouch for */
	uint32_t epoch;                         /* of the readings that vouch for something: +1 at each fork */
	bool     outside;                       /* processes outside the tree may share it too */
	bool     stale;                         /* its largest shrank or left */
	struct family *chain;
};

struct member {
	pid_t    pid, parent;                   /* the parent as last known */
	int64_t  clock_ns;                      /* its CPU clock when it was last read */
	int64_t  full_due_ns;                   /* read then, even if it did not run */
	uint32_t pass;                          /* the pass in which it was last read */
	bool     exited;                        /* the kernel told its end */
	bool     unwatched;                     /* the kernel tells nothing of it: walked */
	bool     gone;                          /* vanished, or reaped: waits for settle */
	bool     reaped;                        /* by us: its figures are exact */
	bool     walk_due;                      /* ran since its children were last listed */
	bool     slow_due, pss_due;             /* ran since its dear files were last read */
	bool     in_dear;                       /* stands in members.dear */
	bool     again;                         /* settle wants it read once more */
	bool     news;                          /* settle: it ended or waited for a child in this pass */
	bool     folded;                        /* settle: its figures are in its parent's, which is gone too */
	bool     told;                          /* its end was told */
	bool     fresh;                         /* found after the baseline, or ours: all it ever used counts */
	bool     denied_io, denied_pss;         /* its files may not be read */
	bool     has_rollup;                    /* PSS was read at least once */
	bool     sockets_due, sockets_listed, sockets_here;     /* sockets_members.c's */
	char     state;

	uint16_t root, program;                 /* indices */
	uint32_t reads;                         /* how often its files were read */
	uint64_t start_ticks;
	int      fd[MEMBER_FILES];              /* kept open; -1: not */
	int64_t  slow_due_ns, slow_rss;         /* when its dear files are due; its RSS at that reading */
	int64_t  slow_first_ns;                 /* when they were first read; 0: never */
	struct rollup rollup;
	struct family *family;                  /* NULL: unknown, or it has no memory */
	int64_t  anonymous, credit;             /* as counted in its family */
	uint32_t credit_epoch;
	int64_t  table_bytes;                   /* page tables, as last seen in status */
	int64_t  inherited_pages;               /* of private memory that it had when it was forked */
	uint64_t thread_sum[COUNTERS - FORGOTTEN];      /* last sums over threads, for gains ... */
	int64_t  threads_seen_ns;               /* ... and when they were read; 0: never */
	uint64_t block_ns;                      /* the first thread's, as last read ... */
	int64_t  block_seen_ns;                 /* ... and when; 0: never */
	int64_t  peak_rss;                      /* of this program: exec begins anew */
	int64_t  peak_faults;                   /* when status was last asked for it */
	uint64_t remainder_ns;                  /* waited children's CPU that cutime rounded away */
	/*
	 * How much of figures.children is explained: by children of ours that are gone, or because it was
	 * there at the first reading of the pass before this one.
	 */
	uint64_t explained[APART];
	uint64_t children_first[APART];         /* at the first reading of the last pass that read it */
	uint32_t nested;                        /* settle: children that are gone as well */
	size_t   account;                       /* settle's, plus 1; 0: none */
	char     comm[64];
	struct figures figures;                 /* as counted in the sums */

	struct member *chain;                   /* next of the same bucket, or of the free list */
};

/*
 * All that is looked at of an idle member.  A thousand of them lie in 24 KB and are read in one
 * sweep, where a thousand members would be a thousand cache misses.
 */
struct glance {
	pid_t   pid;
	bool    walk_due;
	int64_t clock_ns, full_due_ns;          /* as in the member, when it was visited */
};

struct members {
	struct member **order;                  /* in the order found */
	struct glance *glance;                  /* of order[i] */
	struct member **dear;                   /* those with slow_due or pss_due */
	size_t n, n_dear, room;
	struct member **bucket;
	size_t buckets;                         /* a power of two */
	struct member *free;
	struct member *unused;                  /* the rest of the newest chunk ... */
	size_t n_unused;                        /* ... and how many that are */
	void **chunk;                           /* members are allocated in chunks and never moved */
	size_t chunks;
};

struct root {
	pid_t    pid;
	uint64_t start_ticks;
	char     comm[64];
	bool     alive;
	uint64_t live[COUNTERS];                /* sums over members */
	uint64_t ended[COUNTERS];               /* of members whose figures no living member inherited */
	uint64_t held[COUNTERS];                /* in `live`, but perhaps twice: not told in this sample */
	uint64_t told[COUNTERS];                /* as told in the last sample; never falls */
	int64_t  level[LEVELS];
};

struct program {
	char     comm[64], command[64];
	int64_t  processes, rss, pss, has_pss;
	uint64_t cpu_ns;                        /* since the beginning */
	int64_t  peak_rss;                      /* of all its processes together, in samples */
	int64_t  largest;                       /* of any one of them, ever */
	uint64_t started;                       /* processes that took this name, since the beginning */
	int64_t  gained_cpu_ns, gained_read, gained_write;      /* since the last sample */
	uint64_t gained_started, gained_ended;
	bool     has_io, shown;
};

enum { FAMILY_BUCKETS = 512 };

struct families {
	struct family *bucket[FAMILY_BUCKETS], *free;
	int64_t least;                          /* sum of what each family holds at least */
	bool    stale;                          /* one of them is */
};

enum { PROGRAMS = 512, EXITS = 64, NOTICES = 8, OWN_THREADS = 8 };

struct stranger { pid_t pid, parent; uint64_t stack; };  /* a process that is no member */
struct own_thread { pid_t thread; int fd; };    /* its children file */

/* Losses of vanished members of one root, by the member that may have inherited them. */
struct account {
	struct member *heir;
	uint16_t root;
	uint64_t lost[COUNTERS];
};

struct tree {
	const struct source *src;
	bool     ours, no_children;
	bool     alone;                         /* the root is our only child */
	enum pss_policy pss_policy;
	struct cpu_source cpu;
	bool     clocks;                        /* CPU clocks of processes mean those in src->proc */
	bool     children_files;                /* the kernel has task/TID/children */
	bool     block_delay;                   /* and counts delays of block I/O */
	bool     primed;                        /* a reading was taken */
	pid_t    self;                          /* our pid in src->proc; 0: not there */
	uint64_t ns_per_tick;

	struct sideband *sideband;              /* NULL: members are found by walking */
	struct why no_sideband;                 /* the reason */
	struct births births;
	uint64_t told_started, told_ended, told_lost;
	pid_t    suspects[SUSPECTS];
	size_t   n_suspects;
	pid_t    parents[PARENTS];              /* of processes that ended unseen: they may have zombies */
	size_t   n_parents;
	bool     unwatched;                     /* some member is */
	bool     repair_due;                    /* records were lost */

	struct members members;
	struct root root[ROOT_MAX];
	size_t   n_roots;
	uint64_t told[COUNTERS];                /* sums over roots as told in the last sample */

	uint32_t pass;
	int64_t  now_ns, before_ns;             /* beginning of this pass, and of the one before */
	uint64_t forks;                         /* fork counter at the last walk; 0: unknown */
	int64_t  walk_all_ns;                   /* when all members are walked, whether they ran or not */
	struct text text, list;                 /* list: the children being walked through */
	struct stranger *strangers;             /* list_strangers' */
	size_t   strangers_room;
	struct own_thread own_thread[OWN_THREADS];      /* walk_self's */
	size_t   n_own_threads;
	int      own_task;                      /* our own task folder */
	bool     holes;                         /* members to be forgotten */
	size_t   fds_kept, fds_max;

	struct member **gone;                   /* of this pass, waiting for settle */
	size_t   n_gone, gone_room;
	struct account *accounts;               /* as much room as for gone */
	size_t   n_accounts;

	struct program *programs;               /* [0]: those that found no place */
	size_t   n_programs;
	uint16_t shown[PROGRAM_MAX];
	size_t   n_shown;

	unsigned slowdown;                      /* of this pass, by the governor */
	struct pss_budget pss_budget;
	struct families families;
	int64_t  pss_oldest_ns;                 /* oldest reading in the sum */
	bool     pss_changed;                   /* pss_oldest_* are to be found anew */
	/* Bytes since the beginning, and before the oldest reading in the sum. */
	uint64_t pss_parted, pss_oldest_parted; /* shares that may have gone to those that stay */
	uint64_t pss_mapped, pss_oldest_mapped; /* of files, found mapped by a reading and not by the one before */
	bool     looked_outside;
	bool     counts_fds;                    /* the size of /proc/PID/fd is the number of its entries */
	int64_t  peak_rss;
	bool     ever[LEVELS];                  /* HAS_x was above 0 once */

	struct tree_exit exits[EXITS];
	size_t   exits_first, n_exits;
	struct why notices[NOTICES];
	size_t   n_notices, notices_told;
	int64_t  seen_ns, unaccounted_ns, unaccounted_told_ns;  /* CPU time; seen: since the last report */
	bool     told_io, told_pss, told_dear, told_fds, told_memory, told_births, told_unwatched;
	struct sockets *sockets;                /* NULL: they are not of this machine */
};

/* members.c */
int  members_reserve(struct members *m, size_t n);
struct member *members_add(struct members *m, pid_t pid);               /* NULL: out of memory */
struct member *members_find(const struct members *m, pid_t pid);        /* alive, or a zombie */
struct member *members_parent(const struct members *m, const struct member *child);     /* may be gone */
void members_set_dear(struct members *m, struct member *p);
void members_compact(struct members *m);        /* forgets those that are gone */
void members_release(struct members *m);

/* figures.c: a whole children file, however long. */
int  text_read_list(struct text *text, int fd) must_use;
/* -ESRCH: the process is gone.  Other errors: nothing is known, it may live. */
int  member_text(struct tree *t, struct member *m, enum member_file file);
/* clock_ns: its CPU clock, read just now; negative: not read. */
int  member_read(struct tree *t, struct member *m, int64_t clock_ns);
bool member_is_same(struct tree *t, struct member *m);          /* its clock is; looks at its memory */
void member_new_pass(const struct tree *t, struct member *m);   /* before its figures change in this pass */
bool member_clock(const struct tree *t, pid_t pid, int64_t *ret_ns);
void member_close(struct tree *t, struct member *m);

/* sums.c */
void member_set(struct tree *t, struct member *m, const struct figures *now);
void member_drop(struct tree *t, struct member *m);
static inline uint64_t figures_total(const struct figures *f, size_t k)
{
	return f->own[k] + f->children[k];
}

/* slow.c: what a count of delays gained; 0 where it is more than `threads` can have waited in that time. */
uint64_t delay_gain(uint64_t was, uint64_t now, int64_t elapsed_ns, size_t threads);

static inline int64_t figures_faults(const struct figures *f)
{
	return (int64_t)(f->own[MINOR_FAULTS] + f->own[MAJOR_FAULTS]);
}

/* walk.c */
void walk_self(struct tree *t);                 /* our own children, where we are the subreaper */
void walk_close(struct tree *t);
void walk_member(struct tree *t, struct member *m);
void walk_proc(struct tree *t);                 /* all of /proc, where there are no children files */
size_t list_strangers(struct tree *t);          /* into t->strangers; how many */
int64_t folder_entries(const struct tree *t, const char *path);         /* numbers among its names; -errno */
size_t list_threads(const struct tree *t, pid_t pid, pid_t *ret, size_t room);
struct member *member_found(struct tree *t, pid_t pid, struct member *parent);  /* NULL: not there */

/* follow.c */
void look_for_successor(struct tree *t, pid_t pid);     /* the pid may be in use again, by a new child of the tree */
struct member *heir_of(const struct tree *t, const struct member *m);   /* the nearest ancestor not gone, or NULL */
void follow_ends(struct tree *t);               /* reads again what may have ended or inherited during this pass */
void tree_release_held(struct tree *t);         /* at the beginning of a pass */

/*
 * births.c: open after the roots are known, for the command that is ours.  At a sample: drain and judge before
 * members are visited, meet after it (a child is read after its parent), repair when all were walked.
 */
void births_open(struct tree *t, const struct root *root);
void births_close(struct tree *t);
void births_take(struct tree *t, const struct sideband_record *r);
void births_drain(struct tree *t);
void births_suspect(struct tree *t, const struct member *m);
void births_judge(struct tree *t);
void births_meet(struct tree *t);
void births_repair(struct tree *t);
void births_report(struct tree *t, struct totals *out);

/* settle.c */
void member_gone(struct tree *t, struct member *m);
void tree_settle(struct tree *t);
/*
 * Pure: what of `lost` no one inherited, given what the heir's children gained (APART counters).
 * *remainder_ns is what the heir's children time rounded away so far.  Returns the share, 0..1.
 */
double settle_share(uint64_t ret_kept[COUNTERS], const uint64_t lost[COUNTERS], const uint64_t gain[APART],
		    uint64_t *remainder_ns, uint64_t ns_per_tick);

/* family.c */
void family_join(struct tree *t, struct member *m, uint64_t stack, const struct figures *now);
void family_count(struct tree *t, struct member *m, const struct figures *now);
void family_leave(struct tree *t, struct member *m);
void family_void_credit(struct tree *t, struct family *f);      /* its members' readings vouch for nothing */
void families_look_outside(struct tree *t);     /* once, where members were not forked by us */
int64_t families_least(struct tree *t);         /* private memory of the tree, at least */
void families_release(struct tree *t);

/* pss_bounds.c */
void member_take_pss(struct tree *t, struct member *m, struct figures *now);
void member_found_pss(struct tree *t, struct member *m, const struct figures *now);     /* or after its exec */
void member_drop_pss(struct tree *t, struct member *m);
struct pss_bounds { double lower, upper; };
struct pss_bounds tree_pss_bounds(struct tree *t, const int64_t level[LEVELS]);     /* of the sum over the tree */

/* memory.c, slow.c */
void tree_read_pss(struct tree *t);
void tree_read_slow(struct tree *t);
void tree_read_peaks(struct tree *t);           /* alone, of those that had page faults */
void member_read_slow(struct tree *t, struct member *m);
void member_peak(struct tree *t, struct member *m, int64_t rss);        /* it had so much at some time */

/* programs.c, report.c */
uint16_t program_of(struct tree *t, const struct member *m);
uint16_t program_named(struct tree *t, const char *comm);
void programs_report(struct tree *t, struct sample *out);
void tree_report(struct tree *t, struct sample *out);

/* sockets.c */
int  sockets_open(struct tree *t) must_use;
void sockets_close(struct tree *t);
void sockets_listen(struct tree *t);
void sockets_member_ran(struct tree *t, struct member *m);
void tree_read_sockets(struct tree *t, struct tick *tick);

/* ends.c */
void tree_tell(struct tree *t, bool *told, const char *format, ...) printf_like(3, 4);
void tree_tell_denied(struct tree *t, bool *told, const char *what, const struct member *m);
void tree_tell_end(struct tree *t, struct member *m, bool exact);

#endif
