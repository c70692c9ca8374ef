/*
 * shared_mm.c - processes that run in their parent's memory: children of vfork and posix_spawn, until they exec or
 * exit.
 *
 * Their statm, status and smaps_rollup report that memory once more (one mm_struct, CLONE_VM in clone(2)).  It is
 * already counted for the parent.
 */
#include "memory_state.h"

#include <linux/kcmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "../members/member_files.h"

/* 1: one memory; 0: two; -errno: a seccomp filter or the kernel refuses to compare. */
static int have_one_memory(pid_t a, pid_t b)
{
	long r = syscall(SYS_kcmp, a, b, KCMP_VM, 0, 0);

	return r < 0 ? -errno : r == 0;
}

static bool read_statm(struct tracked *t, pid_t pid, struct proc_statm *ret)
{
	char path[32];

	(void)snprintf(path, sizeof path, "%d/statm", (int)pid);
	return text_read_at(&t->text, t->src->proc, path) == 0 && proc_parse_statm(ret, t->text.at, t->text.len) == 0;
}

/* After fork a child maps pages of files by itself, so it has fewer than its parent. */
static bool look_the_same(struct tracked *t, pid_t a, pid_t b)
{
	struct proc_statm of_a, of_b;

	return read_statm(t, a, &of_a) && read_statm(t, b, &of_b) && of_a.resident > 0 && of_a.shared > 0 &&
	       of_a.virtual == of_b.virtual && of_a.resident == of_b.resident && of_a.shared == of_b.shared;
}

static bool share_memory(struct tracked *t, pid_t a, pid_t b)
{
	int one = t->clocks ? have_one_memory(a, b) : -ENOSYS;

	return one < 0 ? t->src->live && look_the_same(t, a, b) : one > 0;
}

/* It exited or exec'd after its visit in this pass: the sums still count the memory with that stack for it. */
static bool has_just_left(struct tracked *t, const struct member *m, struct member *o, uint64_t stack)
{
	struct proc_stat stat;

	return o->at < m->at &&
	       (member_is_ending(t, o) || proc_parse_stat(&stat, t->text.at, t->text.len) < 0 || stat.stack != stack);
}

/* The owner of the memory has left: another process that ran in it can be its owner by now. */
static bool another_has_it(struct tracked *t, const struct member *m, uint64_t stack)
{
	for (size_t i = 0; i < t->members.n; i++) {
		struct member *o = t->members.order[i];
		const struct fork_group *f = o->memory.fork_group;

		if (o != m && !o->gone && f && f->stack == stack && o->figures.state != 'Z' &&
		    (share_memory(t, m->pid, o->pid) || has_just_left(t, m, o, stack)))
			return true;
	}
	return false;
}

bool memory_is_shared_mm(struct memory *mem, const struct member *m, pid_t parent, uint64_t stack)
{
	struct tracked *t = mem->tracked;

	/* A process with its own memory keeps it, so most need no lookup. */
	if ((m->reads > 0 && !m->shares_mm) || stack == 0)
		return false;

	const struct member *owner = members_find(&t->members, parent);
	uint64_t parents_stack = owner && owner->memory.fork_group ? owner->memory.fork_group->stack : 0;

	if (owner && (stack == parents_stack || owner->shares_mm) && share_memory(t, m->pid, parent))
		return true;
	return m->shares_mm && another_has_it(t, m, stack);
}
