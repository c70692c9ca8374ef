/* advice.h - the recommended size of the next run of a job: amounts and words. */
#ifndef RT_ADVICE_H
#define RT_ADVICE_H

#include "../core/base.h"

enum confidence { CONFIDENCE_LOW, CONFIDENCE_MEDIUM, CONFIDENCE_HIGH, CONFIDENCE_COUNT };
enum advised { ADVISED_CPU, ADVISED_MEMORY, ADVISED_GPU, ADVISED_GPU_MEMORY, ADVISED_TIME, ADVISED_COUNT };

enum finding {
	FINDING_OUT_OF_MEMORY, FINDING_MEMORY_LIMIT, FINDING_MEMORY_OVER, FINDING_SWAPPED,
	FINDING_THROTTLED, FINDING_CPU_SHORT, FINDING_CPU_OVER, FINDING_GPU_IDLE, FINDING_COUNT
};

struct advice_item {
	double amount;                          /* cores, bytes, GPUs or seconds; NONE: unknown */
	char   value[32];                       /* "4 cores"; "unknown" */
	char   why[400];                        /* a sentence; "": none */
	enum confidence confidence;
};

struct advice {
	size_t runs, succeeded;
	enum confidence confidence;
	char   confidence_why[200];
	struct advice_item of[ADVISED_COUNT];
	double cpu_request_cores;               /* for schedulers that accept fractions of a core */
	char   findings[FINDING_COUNT][240];    /* sentences; "": does not apply */
};

struct advised_info { const char *name, *key, *amount_key; };   /* "GPU memory", "gpu_memory", "bytes" */
struct finding_info { const char *key, *label; };               /* "cpu_over", "over-provisioned" */

extern const struct advised_info advised[ADVISED_COUNT];
extern const struct finding_info findings[FINDING_COUNT];
extern const char *const confidences[CONFIDENCE_COUNT];         /* "low" ... */

/*
 * Rounds up for schedulers: 128, 256 ... 2048 MiB, then whole GiB; minutes, then quarters of an hour, then hours.  Of
 * known amounts.
 */
double advice_round_memory(double bytes);
double advice_round_time(double seconds);

#endif
