/* virtualization.h - whether the machine is a virtual one, and what we run in. */
#ifndef RT_VIRTUALIZATION_H
#define RT_VIRTUALIZATION_H

#include "source.h"

enum { VIRTUALIZATION_SIZE = 16, CONTAINER_SIZE = 24 };

/*
 * What presents itself to this machine: "kvm", "hyper-v", "vmware", "xen", "qemu" ..., "other", or "none".  cpuinfo: the
 * beginning of that file.  "": unknown, as on machines that are not x86.
 */
void virtualization_name(char ret[VIRTUALIZATION_SIZE], const struct source *src, const char *cpuinfo, size_t n);
/* What an x86 machine's `flags` say in the beginning of /proc/cpuinfo; false: there are none, and ret is unchanged. */
bool virtualization_parse(bool *ret_virtual, const char *cpuinfo, size_t n);
/* What hypervisors answer to CPUID 0x40000000, 12 bytes; "other": it is not known. */
const char *virtualization_of(const char signature[12]);

/* The container that we run in, by the marks that it leaves: "docker", "podman" ...; "": no mark, so unknown. */
void container_name(char ret[CONTAINER_SIZE], const struct source *src);

#endif
