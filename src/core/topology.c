/* topology.c - sockets and cores.  Documentation/admin-guide/cputopology.rst */
#include "topology.h"

#include <stdio.h>

#include "sample.h"
#include "scan.h"

bool topology_parse_list(struct cpu_set *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	struct cpu_set made = { { 0 } };

	do {
		uint64_t first, last;

		if (!scan_u64(&s, &first))
			return false;
		last = first;
		if (scan_literal(&s, "-") && !scan_u64(&s, &last))
			return false;
		if (last < first || last >= TOPOLOGY_CPUS_MAX)
			return false;
		for (uint64_t cpu = first; cpu <= last; cpu++)
			made.bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
	} while (scan_literal(&s, ","));
	(void)scan_literal(&s, "\n");
	if (s.at != s.end)
		return false;
	*ret = made;
	return true;
}

static bool read_list(struct cpu_set *ret, const struct source *src, struct text *text, const char *path)
{
	return text_read_at(text, src->sys, path) == 0 && topology_parse_list(ret, text->at, text->len);
}

/* The lowest CPU of the set; -1: it is empty. */
static int lowest(const struct cpu_set *set)
{
	for (size_t i = 0; i < countof(set->bits); i++)
		if (set->bits[i])
			return (int)(i * 64) + __builtin_ctzll(set->bits[i]);
	return -1;
}

static size_t size_of(const struct cpu_set *set)
{
	size_t n = 0;

	for (size_t i = 0; i < countof(set->bits); i++)
		n += (size_t)__builtin_popcountll(set->bits[i]);
	return n;
}

/* The number of groups into which the CPUs fall, by the file of each that lists its group. */
static double groups(const struct source *src, struct text *text, struct cpu_set left, const char *file)
{
	double n = 0;

	for (int cpu; (cpu = lowest(&left)) >= 0; n++) {
		char path[80];
		struct cpu_set group;

		(void)snprintf(path, sizeof path, "devices/system/cpu/cpu%d/topology/%s", cpu, file);
		if (!read_list(&group, src, text, path))
			return NONE;
		left.bits[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
		for (size_t i = 0; i < countof(left.bits); i++)
			left.bits[i] &= ~group.bits[i];
	}
	return n;
}

struct topology topology_read(const struct source *src)
{
	struct topology ret = { NONE, NONE, NONE };
	struct text text = { 0 };
	struct cpu_set online;
	uint64_t threads = 1;

	if (src->sys >= 0 && read_list(&online, src, &text, "devices/system/cpu/online")) {
		ret.cpus = (double)size_of(&online);
		/* The names of before Linux 5.3, which stay. */
		ret.sockets = groups(src, &text, online, "core_siblings_list");
		if (source_read_u64(&threads, src->sys, "devices/system/cpu/smt/active") == 0 && threads == 0)
			ret.cores = is_none(ret.sockets) ? NONE : ret.cpus;
		else
			ret.cores = groups(src, &text, online, "thread_siblings_list");
	}
	text_release(&text);
	return ret;
}
