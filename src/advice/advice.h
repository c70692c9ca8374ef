/*
 * advice.h - how large the next run of a job should be made, from what its runs used: facts in, words and amounts out.
 *
 *	struct run_use use;
 *	struct advice a;
 *
 *	run_use_read(&use, &digest);
 *	advise(&a, &use, 1);
 *	for (enum advised i = 0; i < ADVISED_COUNT; i++)
 *		if (a.of[i].why[0])
 *			... advised[i].name, a.of[i].value, a.of[i].why
 */
#ifndef RT_ADVICE_H
#define RT_ADVICE_H

#include "run_use.h"

enum confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH, CONFIDENCE_COUNT };
enum advised { ADVISED_CPU, ADVISED_MEMORY, ADVISED_GPU, ADVISED_GPU_MEMORY, ADVISED_TIME, ADVISED_COUNT };

enum finding {
	FINDING_OUT_OF_MEMORY, FINDING_MEMORY_LIMIT, FINDING_MEMORY_OVER, FINDING_SWAPPED,
	FINDING_THROTTLED, FINDING_CPU_SHORT, FINDING_CPU_OVER, FINDING_GPU_IDLE, FINDING_COUNT
};

struct advice_item {
	double amount;                          /* cores, bytes, GPUs or seconds; NONE: no advice can be given */
	char   value[32];                       /* "4 cores"; "unknown" */
	char   why[400];                        /* a sentence; "": there is nothing to say about it */
	enum confidence confidence;
};

struct advice {
	size_t runs, succeeded;
	enum confidence confidence;
	char   confidence_why[200];
	struct advice_item of[ADVISED_COUNT];
	double cpu_request_cores;               /* for schedulers that take parts of a core */
	char   findings[FINDING_COUNT][240];    /* sentences; "": not found */
};

struct advised_info { const char *name, *key, *amount_key; };   /* "GPU memory", "gpu_memory", "bytes" */
struct finding_info { const char *key, *label; };               /* "cpu_over", "over-provisioned" */

extern const struct advised_info advised[ADVISED_COUNT];
extern const struct finding_info findings[FINDING_COUNT];
extern const char *const confidences[CONFIDENCE_COUNT];         /* "low" ... */

/*
 * runs: newest first, at least one.
 *
 * CPU: what 95 % of the time needed, and what threads that were ready waited for, up to what the run had, less a tenth
 * of a core.  Memory: the highest peak of any kind, with what was swapped out, and 20 %.  Time: the longest run that
 * succeeded, and half as much again, or a quarter from five runs on.  After an end for want of memory, or where the CPU
 * quota held the run back, the true need is not known: more than there was is advised as the next try, which is said.
 */
void advise(struct advice *ret, const struct run_use *runs, size_t n);

/* As schedulers like it: 128, 256 ... 2048 MiB, then whole GiB; minutes, then quarters of an hour, then hours. */
double advice_round_memory(double bytes);
double advice_round_time(double seconds);

#endif
