/* devices.h - disks and GPUs of a machine in a few figures, and the facts of a machine that other trackers send. */
#ifndef RT_DEVICES_H
#define RT_DEVICES_H

#include "host.h"
#include "json_write.h"

struct devices {
	bool   read;                            /* a sample with devices was seen; false: nothing is known */
	double disk_bytes;                      /* of disks that no other one stands on; NONE: unknown */
	size_t gpus;
	char   gpu_model[96];                   /* of the first */
	double gpu_memory_bytes;
};

/* Takes over what a sample says, if it has disks or GPUs.  d: zeroed at first. */
void devices_see(struct devices *d, const struct sample *s);

/*
 * Members with the names that the other trackers send: host_hostname, host_vcpus ..., null where unknown.  host_id,
 * host_ip and host_server_allocation, which they send as well, are not in a record.
 */
void host_shared_members(struct json *j, const struct host *h, const struct devices *d);
/* The same, and those of our own. */
void host_members(struct json *j, const struct host *h, const struct devices *d);

#endif
