/*
 * rank.h - one rank of a job: what its record says in its first and last lines, as plain data.
 *
 * A rank is a run with a number: the rank of a launcher, or the number of a task in an array; without either, runs of
 * one folder are numbered by their start.
 */
#ifndef RT_RANK_H
#define RT_RANK_H

#include "../history/selection.h"
#include "rank_parts.h"
#include "rank_regions.h"

/* What a rank waited for while it could have worked. */
enum loss { LOSS_THROTTLED, LOSS_SWAPPING, LOSS_DISK, LOSS_CPU, LOSS_COUNT };
extern const char *const rank_loss_keys[LOSS_COUNT];    /* "throttled_seconds" */

/*
 * X(name): a double in the unit of its name; NONE: unknown.  memory_pss, memory_rss: the peaks.  machine_*: of the
 * whole machine while the rank ran, the same for all ranks of a node.
 */
#define RANK_FIGURES(X) \
	X(seconds) X(cpu_seconds) X(memory_pss_bytes) X(memory_rss_bytes) X(disk_read_bytes) X(disk_written_bytes) \
	X(net_received_bytes) X(net_sent_bytes) \
	X(machine_cpus) X(machine_memory_bytes) X(machine_busy_cores) X(machine_received_bytes) X(machine_sent_bytes)

/* AROUND: a run without a number beside runs with one, such as the batch script; it can contain them. */
enum rank_role { ROLE_RANK, ROLE_AROUND, ROLE_EARLIER, ROLE_UNREADABLE };

struct rank {
	char *path;                             /* owned */
	char host[64], status[32];              /* "exit 3", "SIGKILL" */
	char problem[160];                      /* why it cannot be read; "": it can */
	enum run_state state;
	enum rank_role role;
	struct job job;                         /* job_unknown: none */
	int64_t number;                         /* -1: none */
	size_t launch;                          /* index in struct ranks */
	int64_t start_wall_ns;
#define RANK_FIELD(name) double name;
	RANK_FIGURES(RANK_FIELD)
#undef RANK_FIELD
	double lost_seconds[LOSS_COUNT];        /* NONE: unknown; of several threads it can be more than `seconds` */
	struct rank_part *parts;                /* of its time, owned */
	size_t n_parts;
	struct rank_region *regions;            /* of its code, owned */
	size_t n_regions;
};

/*
 * -ENOMEM.  An unreadable file is one, too: `role`.  Only one that the selection takes is written to *ret, and the
 * caller releases it.
 */
int  rank_read(struct rank *ret, const char *path, const struct selection *selection, bool *ret_taken) must_use;
/* The same of one that goes on, by the facts of its header: its figures are unknown. */
int  rank_begun(struct rank *ret, const char *path, const struct record_facts *facts, const struct selection *selection,
		bool *ret_taken) must_use;
void rank_release(struct rank *r);

/* The name of the node that it ran on. */
const char *rank_node(const struct rank *r);

#endif
