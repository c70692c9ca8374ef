/* devices.c - the disks and GPUs of a machine in a few figures. */
#include "devices.h"

#include "scan.h"

static const double MIB = 1048576;

void devices_see(struct devices *d, const struct sample *s)
{
	struct devices seen = { .disk_bytes = NONE, .gpu_memory_bytes = NONE };

	for (size_t i = 0; i < s->n_disk; i++)
		if (s->disk[i].counted_in_total > 0)
			seen.disk_bytes = add_known(seen.disk_bytes, s->disk[i].capacity_bytes);
	for (size_t i = 0; i < s->n_gpu; i++) {
		if (s->gpu[i].parent[0])
			continue;                       /* a part of one */
		if (seen.gpus++ == 0)
			(void)word_copy(word_of(s->gpu[i].name), seen.gpu_model, sizeof seen.gpu_model);
		seen.gpu_memory_bytes = add_known(seen.gpu_memory_bytes, s->gpu[i].vram_total_bytes);
	}
	seen.read = s->n_disk + s->n_gpu > 0;
	if (seen.read)
		*d = seen;
}

static const char *known(const char *text)
{
	return *text ? text : NULL;
}

void host_shared_members(struct json *j, const struct host *h, const struct devices *d)
{
	double gpus = d->gpus > 0 ? (double)d->gpus : NONE;     /* none: there is none, or they are not measured */

	json_member_text(j, "host_hostname", known(h->name));
	json_member_number(j, "host_vcpus", h->cpus, 0);
	json_member_text(j, "host_cpu_model", known(h->cpu_model));
	json_member_number(j, "host_memory_mib", h->memory_bytes / MIB, 0);
	json_member_text(j, "host_gpu_model", known(d->gpu_model));
	json_member_number(j, "host_gpu_count", gpus, 0);
	json_member_number(j, "host_gpu_memory_mib", d->gpus > 0 ? d->gpu_memory_bytes / MIB : NONE, 0);
	json_member_number(j, "host_storage_gb", d->read ? d->disk_bytes / 1e9 : NONE, 3);
}

void host_members(struct json *j, const struct host *h, const struct devices *d)
{
	host_shared_members(j, h, d);
	json_member_number(j, "host_cpu_sockets", h->sockets, 0);
	json_member_number(j, "host_cpu_cores", h->cores, 0);
	json_member_text(j, "host_vendor", known(h->vendor));
	json_member_text(j, "host_product", known(h->product));
	json_member_text(j, "host_virtualization", known(h->virtualization));
	json_member_text(j, "host_container", known(h->container));
}
