/* fuzz_gpu.c - texts of GPU drivers, as any bytes. */
#include "../../src/core/sample.h"
#include "../../src/gpu/amd_metrics.h"
#include "../../src/gpu/drm_fdinfo.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct amd_metrics m;
	struct drm_client c;

	if (amd_metrics_parse(&m, data, size) == 0 && m.graphics_percent > 100)
		__builtin_trap();
	if (drm_fdinfo_parse(&c, (const char *)data, size) < 0)
		return 0;
	if (c.n_engines > DRM_ENGINES_MAX || c.driver[0] == '\0')
		__builtin_trap();
	for (size_t i = 0; i < c.n_engines; i++) {
		double busy = drm_engine_busy_seconds(&c.engine[i], &c.engine[i], 1);

		if (c.engine[i].capacity == 0 || (!is_none(busy) && busy > 0))
			__builtin_trap();
	}
	return 0;
}
