/*
 * state.h - what the files of src/tree/ share: the tree, and who does what to it.
 *
 * tree.c     open, one reading                   members.c   the table of members (member.h)
 * walk.c     who belongs to the tree             figures.c   one member's files into its figures
 * sweep.c    whether members are looked at       follow.c    what ended while it was read
 * sums.c     figures into the sums of roots
 * settle.c   where figures of the ended went     ends.c      ends of processes, notices
 * memory.c   PSS within its budget               pss_bounds.c   PSS between its readings
 * family.c   who may share private memory        borrowed.c  who runs in its parent's
 * slow.c     files too dear for every reading   waits.c    what threads waited
 * births*.c  what the kernel tells of forks (kernel/sideband.h)
 * programs.c, report.c   rows of the sample      left.c   what is left at the end
 */
#ifndef RT_TREE_STATE_H
#define RT_TREE_STATE_H

#include "../core/notices.h"
#include "../kernel/threads.h"
#include "births.h"
#include "member.h"
#include "pss_budget.h"
#include "tree.h"

struct root {
	pid_t    pid;
	uint64_t start_ticks;
	char     comm[64];
	bool     alive;
	uint64_t live[COUNTERS];                /* sums over members */
	/* Of members whose figures no living member inherited; and from KEPT on all that was gained. */
	uint64_t ended[COUNTERS];
	uint64_t held[COUNTERS];                /* in `live`, but perhaps twice: not told in this sample */
	uint64_t told[COUNTERS];                /* as told in the last sample; never falls */
	int64_t  level[LEVELS];
};

struct program {
	char     comm[64], command[64];
	int64_t  processes, rss, has_memory, pss, has_pss;
	uint64_t cpu_ns;                        /* since the beginning */
	int64_t  peak_rss;                      /* of all its processes together, in samples */
	int64_t  largest;                       /* of any one of them, ever */
	uint64_t started;                       /* processes that took this name, since the beginning */
	uint64_t gained_cpu_ns;                 /* since the last sample */
	int64_t  gained_read, gained_write;     /* likewise */
	/* Likewise, of those that ended between samples: how many, CPU time by perf, and what perf lacks at most. */
	uint64_t gained_unseen, gained_unseen_ns, gained_missing_ns;
	uint64_t gained_started, gained_ended;
	bool     has_io, shown;
};

/* Who told the largest peak of any process: its own files, or wait4. */
enum peak_source { PEAK_SEEN, PEAK_REAPED };

enum { FAMILY_BUCKETS = 512 };

struct families {
	struct family *bucket[FAMILY_BUCKETS];
	struct blocks family;                   /* their memory */
	int64_t least;                          /* sum of what each family holds at least */
	bool    stale;                          /* one of them is */
};

enum { PROGRAMS = 512, EXITS = 64 };

struct stranger { pid_t pid, parent; uint64_t stack; };  /* a process that is no member */

/* Losses of vanished members of one root, by the member that may have inherited them. */
struct account {
	struct member *heir;
	uint16_t root;
	uint64_t lost[KEPT];
};

/* The last look at all members: when, and what the tree had used and started by then.  known: used_ns is. */
struct sweep {
	int64_t  at_ns;
	uint64_t used_ns, tasks, ended;
	bool     known;
	bool     skipped;                       /* there was none in this pass, for ... */
	uint64_t used_by_now_ns;                /* ... this is hardly more than used_ns */
};

/* The command until it execs: a copy of us, with our name and stack, and no program of the tree. */
struct command_before_exec {
	char     name[64];
	uint64_t stack;
	bool     executed;
};

/* Finding members by the kernel's lists of children (task/TID/children), or by a scan of /proc. */
struct walking {
	enum { CHILDREN_UNKNOWN, CHILDREN_ABSENT, CHILDREN_LISTED } lists;
	uint64_t forks;                         /* fork counter at the last walk; 0: unknown */
	int64_t  all_ns;                        /* when all members are walked, whether they ran or not */
	struct stranger *strangers;             /* list_strangers' */
	size_t   strangers_room;
	int      own_children;                  /* walk_self's file */
};

/* Finding members by perf's records of forks, names and ends. */
struct following {
	unsigned cpus;                          /* so many at most have events that tell of forks */
	struct sideband *events;                /* NULL: refused */
	struct sideband *sideband;              /* the same while followed; NULL: members are found by walking */
	struct why refusal;                     /* the reason */
	struct births births;
	uint64_t told_started, told_ended, told_lost;
	pid_t    suspects[SUSPECTS];
	size_t   n_suspects;
	pid_t    parents[PARENTS];              /* of processes that ended unseen: they may have zombies */
	size_t   n_parents;
	bool     repair_due;                    /* records were lost */
};

/* Members that ended in this pass, and where their figures went. */
struct settling {
	struct member **gone;
	size_t   n_gone, gone_room;
	struct account *accounts;               /* as much room as for gone */
	size_t   n_accounts;
};

/* CPU time that was seen of processes since the last report; and of the tree's, what no program has. */
struct unaccounted { int64_t seen_ns, sum_ns, told_ns; };

struct program_table {
	struct program *at;                     /* [0]: those that found no place */
	size_t   n;
	uint16_t shown[PROGRAM_MAX];
	size_t   n_shown;
	bool     has_memory;                    /* some process had, at the last report */
};

struct tree_memory {
	enum pss_policy policy;
	struct pss_budget budget;
	struct families families;
	int64_t  huge_bytes;                    /* private memory in huge pages, of the machine; negative: unknown */
	int64_t  oldest_ns;                     /* oldest reading in the sum */
	bool     changed;                       /* the oldest are to be found anew */
	/* Bytes since the beginning, and before the oldest reading in the sum. */
	uint64_t parted, oldest_parted;         /* shares that may have gone to those that stay */
	uint64_t mapped, oldest_mapped;         /* of files, found mapped by a reading and not by the one before */
	struct { uint64_t parted, mapped; } drift;      /* both, during the readings of this pass */
	bool     looked_outside;
};

/* The most that any one process had resident. */
struct largest_process {
	int64_t  rss;
	enum peak_source source;
	bool     missed;                        /* a process ended, and nobody tells what it had at most */
	uint64_t left_bytes;                    /* resident memory of members that ended, each at its peak */
};

/* Ends to be told (tree_next_exit): the oldest at `first`. */
struct ends { struct tree_exit at[EXITS]; size_t first, n; };

/* Descriptors of members' files. */
struct kept_fds {
	size_t   kept, max;
	bool     counted;                       /* the size of /proc/PID/fd is the number of its entries */
};

struct tree {
	const struct source *src;
	bool     ours, no_children;
	bool     alone;                         /* the root is our only child */
	bool     clocks;                        /* CPU clocks of processes mean those in src->proc */
	bool     block_delay;                   /* and counts delays of block I/O */
	pid_t    self;                          /* our pid in src->proc; 0: not there */
	uint64_t ns_per_tick;
	struct notices notices;
	struct { bool io, pss, long_reading, fds, memory, forks, unwatched, waited, threads; } noticed;

	bool     primed;                        /* a reading was taken */
	uint32_t pass;
	int64_t  now_ns, before_ns;             /* beginning of this pass, and of the one before */
	unsigned slowdown;                      /* of this pass, by the governor */
	struct text text, list;                 /* list: the children being walked through */

	struct root root[ROOT_MAX];
	size_t   n_roots;
	struct command_before_exec command;
	struct members members;
	bool     unwatched;                     /* perf's events do not follow some member */
	bool     holes;                         /* members to be forgotten */
	struct walking walking;
	struct following forks;
	struct sweep sweep;
	struct kept_fds fds;
	struct ends ends;

	uint64_t told[COUNTERS];                /* sums over roots as told in the last sample */
	bool     ever[LEVELS];                  /* HAS_x was above 0 once */
	uint64_t visible_ns;                    /* CPU time: of living processes ... */
	uint64_t unseen_ns;                     /* ... of others, by perf's records at their ends ... */
	uint64_t unread_ns;                     /* ... and of those without a record, at most */
	struct unaccounted unaccounted;
	struct settling settling;
	struct program_table programs;
	struct tree_memory memory;
	struct largest_process peak;
	struct cpu_source *cpu;
	struct sockets *sockets;                /* NULL: they are not of this machine */
};

/* figures.c */
/* -ESRCH: the process is gone.  Other errors: nothing is known, it may live. */
int  member_text(struct tree *t, struct member *m, enum member_file file);
/* Or has ended: from when its memory is gone, before it is a zombie, its files belong to root.  Reads its stat anew. */
bool member_is_ending(struct tree *t, struct member *m);
/* clock_ns: its CPU clock, read just now; negative: not read. */
int  member_read(struct tree *t, struct member *m, int64_t clock_ns);
bool member_is_same(struct tree *t, struct member *m);          /* its clock is; looks at its memory */
void member_new_pass(const struct tree *t, struct member *m);   /* before its figures change in this pass */
bool member_clock(const struct tree *t, pid_t pid, int64_t *ret_ns);
struct glance *member_glance(const struct tree *t, const struct member *m);
bool is_full_due(const struct tree *t, const struct glance *g);         /* whether it ran or not */
void member_close(struct tree *t, struct member *m);

/* sums.c */
void member_set(struct tree *t, struct member *m, const struct figures *now);
/* What children left it by now.  -ENOMEM, told: nothing was changed, the next reading has it. */
int  member_set_waited(struct tree *t, struct member *m, const uint64_t figures[APART]) must_use;
void member_drop(struct tree *t, struct member *m);
void figures_levels(int64_t ret[LEVELS], const struct tree *t, const struct figures *f);

/* borrowed.c.  parent, stack: as its stat tells now. */
bool member_borrows(struct tree *t, const struct member *m, pid_t parent, uint64_t stack);

/* waits.c: thread 0 is the main one.  Into now, and into the sums of its root at once (HANDED_ON). */
struct proc_status thread_status(struct tree *t, pid_t pid, pid_t thread);
void member_take_waits(struct tree *t, struct member *m, struct figures *now, const struct proc_status *of_main);
/* What a count of delays gained; 0 where it is more than `threads` can have waited in that time. */
uint64_t delay_gain(uint64_t was, uint64_t now, int64_t elapsed_ns, size_t threads);

size_t fds_to_keep(const struct source *src, size_t taken);     /* tree.c: of members, where so many others are open */

/* walk.c */
void walk_self(struct tree *t);                 /* our own children, where we are the subreaper */
void walk_member(struct tree *t, struct member *m);
bool tree_has_children_files(struct tree *t);
void walk_proc(struct tree *t);                 /* all of /proc, where there are no children files */
size_t list_strangers(struct tree *t);          /* into t->walking.strangers; how many */
int64_t folder_entries(const struct tree *t, const char *path);         /* numbers among its names; -errno */
struct member *member_found(struct tree *t, pid_t pid, struct member *parent);  /* NULL: not there */
struct member *descendant_found(struct tree *t, pid_t pid, pid_t parent);       /* NULL: or it is none of the tree */

/* sweep.c: at a sample, when the records of perf were taken.  true: no member did anything worth a look. */
bool tree_may_skip(struct tree *t);

/* follow.c */
enum { GENERATIONS = 4096 };                    /* of ancestors that are looked at: recycled pids may make a ring */
void look_for_successor(struct tree *t, pid_t pid);     /* the pid may be in use again, by a new child of the tree */
struct member *heir_of(const struct tree *t, const struct member *m);   /* the nearest ancestor not gone, or NULL */
void follow_ends(struct tree *t);               /* reads again what may have ended or inherited during this pass */
void tree_release_held(struct tree *t);         /* at the beginning of a pass */

/*
 * births.c: open after the roots are known, for the command that is ours.  At a sample: drain and judge before
 * members are visited, meet after it (a child is read after its parent), repair when all were walked.
 */
void births_open(struct tree *t, const struct root *root, int signal);
void births_close(struct tree *t);
void births_take(struct tree *t, const struct sideband_record *r);
void births_drain(struct tree *t);
void births_suspect(struct tree *t, const struct member *m);
void births_judge(struct tree *t);
void births_meet(struct tree *t);
void births_repair(struct tree *t);
/* births_cpu.c: CPU times of those that have ended. */
void births_take_cpu_time(struct tree *t, const struct sideband_record *r);
void births_forget(struct tree *t, uint32_t i);
/* Those whose records are complete.  Returns whether another drain will complete more. */
bool births_forget_ended(struct tree *t, bool members_too);
void births_settle(struct tree *t);             /* when members have been read */
void births_leave(struct tree *t, const struct member *m);      /* a member is gone */
void births_report(struct tree *t, struct totals *out);

/* settle.c */
void member_gone(struct tree *t, struct member *m);
void tree_settle(struct tree *t);
/*
 * Pure: what of `lost` no one inherited, given what the heir's children gained (APART counters).
 * *remainder_ns is what the heir's children time rounded away so far.  Returns the share, 0..1.
 */
double settle_share(uint64_t ret_kept[KEPT], const uint64_t lost[KEPT], const uint64_t gain[APART],
		    uint64_t *remainder_ns, uint64_t ns_per_tick);

/* family.c */
void family_join(struct tree *t, struct member *m, uint64_t stack, struct figures *now);
void family_count(struct tree *t, struct member *m, const struct figures *now);
void family_leave(struct tree *t, struct member *m);
void family_void_credit(struct tree *t, struct family *f);      /* its members' readings vouch for nothing */
void families_look_outside(struct tree *t);     /* once, where members were not forked by us */
int64_t families_least(struct tree *t);         /* private memory of the tree, at least */
void families_release(struct tree *t);

/* pss_bounds.c */
struct pss_levels { int64_t pss, most, moved, file, small, small_moved, faults; };
struct pss_levels figures_pss(const struct tree *t, const struct figures *f);
void member_take_pss(struct tree *t, struct member *m, struct figures *now);
void member_found_pss(struct tree *t, struct member *m, struct figures *now);   /* or after its exec */
void member_drop_pss(struct tree *t, struct member *m);
struct pss_bounds { double lower, upper; };
int64_t pss_given_away(const struct tree *t, const struct figures *f);  /* to others since its reading, at most */
struct pss_bounds tree_pss_bounds(struct tree *t, const int64_t level[LEVELS]);     /* of the sum over the tree */

/* memory.c, slow.c */
void tree_read_pss(struct tree *t);
void tree_read_slow(struct tree *t);
void tree_read_peaks(struct tree *t);           /* alone, of those that had page faults */
void member_read_slow(struct tree *t, struct member *m);
void member_read_start(struct tree *t, struct member *m);       /* a command before its release: what it did by then */
void member_read_last(struct tree *t, struct member *m);         /* a zombie, before wait4 tells its switches */
void member_peak(struct tree *t, struct member *m, int64_t rss);        /* it had so much at some time */
void tree_peak(struct tree *t, int64_t rss, enum peak_source source);   /* some process had */

/* programs.c, report.c */
uint16_t program_of(struct tree *t, const struct member *m, const struct figures *now);
uint16_t program_named(struct tree *t, const char *comm);
/* A process of it has used so much, of which *counted_ns stands with it already.  Returns what that adds. */
uint64_t program_count_cpu(struct program *p, uint64_t *counted_ns, uint64_t now_ns);
void programs_report(struct tree *t, struct sample *out);       /* after the CPU time of the tree */
void tree_report(struct tree *t, struct sample *out);
void tree_report_peak(const struct tree *t, struct totals *out);        /* after the CPU time, too */

void tree_tell_end(struct tree *t, struct member *m, bool exact);

#endif
