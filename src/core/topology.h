/* topology.h - how the CPUs of the machine are arranged, from sysfs. */
#ifndef RT_TOPOLOGY_H
#define RT_TOPOLOGY_H

#include "source.h"

enum { TOPOLOGY_CPUS_MAX = 4096 };

/* A set of CPUs by number. */
struct cpu_set { uint64_t bits[TOPOLOGY_CPUS_MAX / 64]; };

struct topology { double cpus, sockets, cores; };       /* CPUs online, and those with one; NONE: unknown */

/* Reads one file for each socket, and one for each core if cores have several threads. */
struct topology topology_read(const struct source *src);

/* A list as "0-3,8": false if it is anything else, empty, or has a CPU of TOPOLOGY_CPUS_MAX or more. */
bool topology_parse_list(struct cpu_set *ret, const char *text, size_t n);

#endif
