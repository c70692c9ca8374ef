/*
 * job_use.h - what a job used in all: its ranks added up, each machine once.
 */
#ifndef RT_JOB_USE_H
#define RT_JOB_USE_H

#include "ranks.h"

/* A node of the job.  Doubles in the unit of their name, NONE: unknown. */
struct node_use {
	char name[JOB_TEXT_SIZE];
	size_t first;                           /* of its ranks, in job_use.by_node */
	size_t ranks, most_ranks;               /* most: of one launch */
	double cpu_seconds;                     /* of its ranks */
	double memory_bytes;                    /* the peaks of its ranks together; of several launches the largest */
	double cpus, requested_bytes;           /* that the job had on it; else of the machine: struct job_use */
	double busy_cores;                      /* of the machine, whatever ran on it, while its longest rank ran */
	double other_cores;                     /* of these, not of its ranks */
	double received_bytes, sent_bytes;      /* of the machine */
	double longest_seconds;                 /* of its ranks */
	/* Of its ranks, by its own clock: seconds since 1970. */
	double first_start, first_end, median_end, last_end;
	/* Set by clocks_align: */
	double job_began;                       /* by its own clock, so that all ranks stand on one axis */
	double ahead_seconds;                   /* its clock, before the median node's; NONE: not known to differ */
};

struct job_use {
	struct node_use *nodes;                 /* by name */
	size_t n_nodes;
	const struct rank **by_node;            /* all ranks: those of nodes[0] by launch and number, then the others */
	bool pss;                               /* memory is PSS, in which shared pages count once; else RSS */
	bool cpus_of_job, memory_of_job;        /* cpus, requested_bytes are what the job had; else the machines' */
	/*
	 * From the first start to the last end.  The ranks of one launch start together, so for them it is the longest
	 * of the nodes, each by its own clock, and `apart_seconds` how far their first starts are apart; else NONE.
	 */
	bool together;                          /* one launch of ranks */
	double seconds, apart_seconds;
	double cpu_seconds, memory_bytes;       /* of all ranks */
	double cpus, requested_bytes;           /* of all nodes */
	double disk_read_bytes, disk_written_bytes, net_received_bytes, net_sent_bytes;
	double cpu_efficiency, memory_efficiency;       /* used of what it had, 0..1, as of seff: over `seconds` */
};

/* -ENOMEM.  ranks: at least one; they outlive it. */
int  job_use_read(struct job_use *ret, const struct ranks *ranks) must_use;
void job_use_release(struct job_use *u);
const struct node_use *job_use_node(const struct job_use *u, const struct rank *rank);

/* When it began, since the job did; its node. */
double rank_begin_seconds(const struct node_use *node, const struct rank *r);

/* The peak memory of a rank, of the kind that all ranks have. */
double rank_memory(const struct rank *r, bool pss);

#endif
