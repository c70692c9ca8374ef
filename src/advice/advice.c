/* advice.c - the tables of an advice: quantities, findings, and rounding of amounts for schedulers. */
#include "advice.h"

#include <math.h>

const struct advised_info advised[ADVISED_COUNT] = {
	[ADVISED_CPU] = { "CPU", "cpu", "cores" }, [ADVISED_MEMORY] = { "memory", "memory", "bytes" },
	[ADVISED_GPU] = { "GPU", "gpu", "gpus" }, [ADVISED_GPU_MEMORY] = { "GPU memory", "gpu_memory", "bytes" },
	[ADVISED_TIME] = { "time", "time", "seconds" },
};

const struct finding_info findings[FINDING_COUNT] = {
	[FINDING_OUT_OF_MEMORY] = { "out_of_memory", "out of memory" },
	[FINDING_MEMORY_LIMIT] = { "memory_limit", "under-provisioned" },
	[FINDING_MEMORY_OVER] = { "memory_over", "over-provisioned" },
	[FINDING_SWAPPED] = { "swapped", "swapped" },
	[FINDING_THROTTLED] = { "throttled", "throttled" },
	[FINDING_CPU_SHORT] = { "cpu_short", "under-provisioned" },
	[FINDING_CPU_OVER] = { "cpu_over", "over-provisioned" },
	[FINDING_GPU_IDLE] = { "gpu_idle", "GPU idle" },
};

const char *const confidences[CONFIDENCE_COUNT] = { "low", "medium", "high" };

static const double MIB = 1048576, GIB = 1073741824;

double advice_round_memory(double bytes)
{
	for (unsigned mib = 128; mib <= 2048; mib *= 2)
		if (bytes <= mib * MIB)
			return mib * MIB;
	return ceil(bytes / GIB) * GIB;
}

double advice_round_time(double seconds)
{
	double step = seconds <= 3600 ? 60 : seconds <= 86400 ? 900 : 3600;

	return fmax(60, ceil(seconds / step) * step);
}
