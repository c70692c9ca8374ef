/* nvml.c - finds NVIDIA's management library and its functions. */
#include "nvml.h"

#include <dlfcn.h>
#include <string.h>


enum { NAMES_MAX = 3 };

static const struct call { size_t offset; const char *names[NAMES_MAX + 1]; } calls[] = {
#define NVML_CALL(name, arguments, ...) { offsetof(struct nvml, name), { __VA_ARGS__, NULL } },
	NVML_CALLS
#undef NVML_CALL
};

/* Size of an entry in a list of processes, by the version found; 0: the first list shows it. */
static const size_t entry_bytes[NAMES_MAX] = { 0, 0, sizeof(struct nvml_process_v1) };

static void find_calls(struct nvml *n)
{
	for (size_t i = 0; i < countof(calls); i++) {
		void *function = NULL;
		size_t name = 0;

		while (calls[i].names[name] && !(function = dlsym(n->library, calls[i].names[name])))
			name++;
		memcpy((char *)n + calls[i].offset, &function, sizeof function);
		if (function && i >= NVML_CALL_compute && i <= NVML_CALL_mps)
			n->entry_bytes[i - NVML_CALL_compute] = entry_bytes[name];
	}
}

/* RTLD_LOCAL: the library's symbols stay private.  RTLD_NOW: missing symbols show here, not in a call. */
static int load(struct nvml *n, const char *path, struct why *why)
{
	n->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (n->library)
		return 0;

	const char *error = dlerror();

	/* A driver without its library: a container without the library mounted. */
	if (!error || strstr(error, "No such file"))
		return why_set(why, -ENOENT, "NVIDIA GPUs are not read: the driver's library %s is not here", path);
	return why_set(why, -ELIBACC, "NVIDIA GPUs are not read: %s", error);
}

static int begin(struct nvml *n, const char *path, struct why *why)
{
	if (!n->init || !n->count || !n->by_index)
		return why_set(why, -ELIBACC, "NVIDIA GPUs are not read: %s lacks what every version has", path);

	nvml_return r = n->init();

	if (r == NVML_SUCCESS)
		return 0;
	n->shutdown = NULL;                     /* nothing to shut down */
	if (r == NVML_DRIVER_NOT_LOADED)
		return -ENODATA;
	return why_set(why, -EIO, "NVIDIA GPUs are not read: %s (NVML error %d)", nvml_reason(r), r);
}

int nvml_open(struct nvml *n, const char *path, struct why *why)
{
	int r = load(n, path, why);

	if (r < 0)
		return r;
	find_calls(n);
	return begin(n, path, why);
}

void nvml_close(struct nvml *n)
{
	if (n->library && n->shutdown)
		(void)n->shutdown();
	if (n->library)
		(void)dlclose(n->library);
	*n = (struct nvml){ 0 };
}

const char *nvml_reason(nvml_return r)
{
	switch (r) {
	case NVML_NO_PERMISSION: return "the driver does not let us";
	case NVML_LIBRARY_NOT_FOUND: return "the driver's library lacks a part";
	case NVML_GPU_IS_LOST: return "a GPU has fallen off the bus";
	case NVML_RESET_REQUIRED: return "a GPU needs a reset";
	case NVML_VERSION_MISMATCH: return "the driver was updated and not loaded anew";
	default: return "its library cannot begin";
	}
}
