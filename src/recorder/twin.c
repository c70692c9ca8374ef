/* twin.c - when the dynamically linked recorder is needed, and how it takes over. */
#include "twin.h"

#ifdef RT_TWIN

#include <limits.h>

#include "../gpu/nvidia.h"
#include "companion.h"

/* Its library can do nothing where neither is. */
static bool driver_is_here(void)
{
	return access("/proc/" NVIDIA_IN_PROC, F_OK) == 0 || access("/" NVIDIA_IN_ROOT, F_OK) == 0;
}

void twin_become(const struct options *o, char *const *argv)
{
	char path[PATH_MAX];

	if ((o->nvml || (!o->root && driver_is_here())) && companion_path(path, sizeof path, RT_LIBEXEC, RT_TWIN))
		(void)execv(path, argv);
}

#else

void twin_become(const struct options *o, char *const *argv)
{
	(void)o;
	(void)argv;
}

#endif
