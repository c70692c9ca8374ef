/* nvidia_processes.c - which processes use an NVIDIA device, and how much of it. */
#include "nvidia_device.h"

#include <string.h>
#include <time.h>

enum { UNTOUCHED = 0xA5 };

/*
 * Some drivers of 2023 wrote longer entries under the same name (nvml.h).  There is room for the longer ones; whether
 * the bytes behind `n` shorter entries were written shows the size.
 */
static size_t learn_entry_bytes(const char *list, size_t n)
{
	const size_t end = n * sizeof(struct nvml_process_v2);

	for (size_t i = 0; i < n * (sizeof(struct nvml_process_v3) - sizeof(struct nvml_process_v2)); i++)
		if ((unsigned char)list[end + i] != UNTOUCHED)
			return sizeof(struct nvml_process_v3);
	return sizeof(struct nvml_process_v2);
}

/* A process can be in several lists: compute and graphics, or as a client of MPS. */
static size_t merge(struct gpu_process *ret, size_t n, size_t room, const struct nvml_process_v1 *p)
{
	double bytes = p->used_bytes == NVML_NOT_AVAILABLE ? NONE : (double)p->used_bytes;
	size_t i = 0;

	while (i < n && ret[i].pid != (pid_t)p->pid)
		i++;
	if (i == room)
		return n;
	if (i == n)
		ret[n++] = (struct gpu_process){ (pid_t)p->pid, NONE, NONE, NONE, NONE };
	if (is_none(ret[i].vram_bytes) || bytes > ret[i].vram_bytes)
		ret[i].vram_bytes = bytes;
	return n;
}

/* Adds one of the three lists; -errno if it is unknown whether the list is complete. */
static int add_list(struct nvidia *n, struct nvidia_device *d, enum nvml_call call, struct gpu_process *ret,
		    size_t *count, size_t room)
{
	nvml_return (*const lists[])(nvml_device, unsigned *, void *) = {
		n->nvml.compute, n->nvml.graphics, n->nvml.mps,
	};
	const size_t which = call - NVML_CALL_compute;
	size_t *entry = &n->nvml.entry_bytes[which];
	unsigned entries = GPU_PROCESSES_MAX;

	if (!lists[which] || !nvidia_may(d, call, 0))
		return -EOPNOTSUPP;
	if (*entry == 0)
		memset(n->processes, UNTOUCHED, sizeof n->processes);

	nvml_return r = lists[which](d->handle, &entries, n->processes);

	if (!nvidia_took(d, call, 0, r))
		return r == NVML_NOT_SUPPORTED ? -EOPNOTSUPP : -EIO;
	entries = entries < GPU_PROCESSES_MAX ? entries : GPU_PROCESSES_MAX;

	size_t bytes = *entry ? *entry : learn_entry_bytes(n->processes, entries);

	if (entries > 0)
		*entry = bytes;
	for (size_t i = 0; i < entries; i++) {
		struct nvml_process_v1 p;

		memcpy(&p, n->processes + i * bytes, sizeof p);
		*count = merge(ret, *count, room, &p);
	}
	return 0;
}

/* By the driver's clock, which stamps its samples; before the first sample, by the machine's. */
static unsigned long long since_us(const struct nvidia_device *d, const struct gpu_moment *m)
{
	const unsigned long long second_us = 1000000;

	if (d->before_us)
		return d->before_us;
	if (d->gpu_us)                          /* first reading: older use is not ours to count */
		return d->gpu_us > second_us ? d->gpu_us - second_us : 0;
	return (unsigned long long)(m->wall_ns / 1000) - second_us;
}

static struct gpu_process *find(struct gpu_process *at, size_t n, unsigned pid)
{
	for (size_t i = 0; i < n; i++)
		if (at[i].pid == (pid_t)pid)
			return &at[i];
	return NULL;
}

/* A process that has the device for itself since the previous reading uses what the device does. */
static bool has_device_alone(struct nvidia_device *d, struct gpu_process *at, size_t count)
{
	unsigned only = count == 1 ? (unsigned)at->pid : 0;
	bool alone = only != 0 && only == d->only_pid;

	d->only_pid = only;
	if (alone) {
		at->utilization_pct = d->use.utilization_pct;
		at->encoder_pct = d->use.encoder_pct;
		at->decoder_pct = d->use.decoder_pct;
	}
	return alone;
}

/*
 * Adds each process's newest sample since the previous reading.  The driver keeps the last sample of processes that
 * ended or are idle: older ones do not count, nor do processes that are in no list.  A listed process without a
 * sample used nothing.
 */
static void add_utilization(struct nvidia *n, struct nvidia_device *d, const struct gpu_moment *m,
			    struct gpu_process *at, size_t count)
{
	unsigned long long newest[GPU_PROCESSES_MAX] = { 0 }, since = since_us(d, m);
	unsigned uses = GPU_PROCESSES_MAX;

	if (!n->nvml.process_utilization || !nvidia_may(d, NVML_CALL_process_utilization, 0))
		return;

	nvml_return r = n->nvml.process_utilization(d->handle, n->uses, &uses, since);

	/* NOT_FOUND: no process used the device. */
	if (r == NVML_NOT_FOUND)
		uses = 0;
	else if (!nvidia_took(d, NVML_CALL_process_utilization, 0, r))
		return;
	for (size_t i = 0; i < count; i++)
		at[i].utilization_pct = at[i].encoder_pct = at[i].decoder_pct = 0;
	for (size_t i = 0; i < uses && i < GPU_PROCESSES_MAX; i++) {
		const struct nvml_process_utilization *u = &n->uses[i];
		struct gpu_process *p = find(at, count, u->pid);

		/* Some drivers return garbage for processes that have just started. */
		if (!p || u->time_us <= since || u->time_us <= newest[p - at] || u->sm > 100 || u->encoder > 100 ||
		    u->decoder > 100)
			continue;
		newest[p - at] = u->time_us;
		p->utilization_pct = u->sm;
		p->encoder_pct = u->encoder;
		p->decoder_pct = u->decoder;
	}
}

int nvidia_processes(void *state, size_t device, const struct gpu_moment *m, struct gpu_process *ret, size_t room)
{
	struct nvidia *n = state;
	struct nvidia_device *d = &n->at[device];
	size_t count = 0;
	bool known = false;

	room = size_min(room, GPU_PROCESSES_MAX);
	for (enum nvml_call call = NVML_CALL_compute; call <= NVML_CALL_mps; call++) {
		int r = add_list(n, d, call, ret, &count, room);

		if (r < 0 && r != -EOPNOTSUPP)
			return r;
		known = known || r == 0;
	}
	if (!known)
		return -EOPNOTSUPP;
	if (!d->whole && count > 0 && !has_device_alone(d, ret, count))
		add_utilization(n, d, m, ret, count);
	return (int)count;
}
