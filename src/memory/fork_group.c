/*
 * fork_group.c - processes that may share private memory, and a lower bound of that memory for the tree.
 *
 * Private pages are shared by fork alone (and by KSM, which is ignored).  Together the members of a fork group hold at
 * least the memory of the largest of them.  Each also holds what a reading of its PSS vouched for, with its gains and
 * losses since, as long as none of them forked after that reading.  The first bound needs no reading: one program is
 * one fork group.
 */
#include "memory_state.h"

static int64_t fork_group_least(const struct fork_group *f)
{
	if (f->outside)
		return 0;
	return f->credit > f->largest ? f->credit : f->largest;
}

static struct fork_group **bucket_of(struct fork_groups *all, uint64_t stack)
{
	/* The start of a stack is random in bits 4 to 34. */
	return &all->bucket[(stack >> 4 ^ stack >> 13 ^ stack >> 22) % FORK_GROUP_BUCKETS];
}

static struct fork_group *fork_group_find(struct fork_groups *all, uint64_t stack)
{
	struct fork_group *f = *bucket_of(all, stack);

	while (f && f->stack != stack)
		f = f->chain;
	return f;
}

static struct fork_group *fork_group_new(struct memory *mem, uint64_t stack)
{
	struct fork_groups *all = &mem->fork_groups;
	struct fork_group *f = blocks_take(&all->fork_group), **bucket = bucket_of(all, stack);

	if (!f)
		return NULL;
	*f = (struct fork_group){ .stack = stack, .epoch = 1, .outside = mem->tracked->no_children, .chain = *bucket };
	*bucket = f;
	return f;
}

static void fork_group_forget(struct fork_groups *all, struct fork_group *f)
{
	struct fork_group **at = bucket_of(all, f->stack);

	while (*at != f)
		at = &(*at)->chain;
	*at = f->chain;
	blocks_give(&all->fork_group, f);
}

void fork_group_void_credit(struct memory *mem, struct fork_group *f)
{
	mem->fork_groups.least -= fork_group_least(f);
	f->epoch++;
	f->credit = 0;
	mem->fork_groups.least += fork_group_least(f);
}

/* Takes what @m adds to the least of its fork group out of the sum; the caller adds the fork group's least again. */
static void take_credit(struct memory *mem, const struct member *m)
{
	struct fork_group *f = m->memory.fork_group;

	mem->fork_groups.least -= fork_group_least(f);
	if (m->memory.credit_epoch == f->epoch)
		f->credit -= m->memory.credit;
}

void fork_group_leave(struct memory *mem, struct member *m)
{
	struct fork_group *f = m->memory.fork_group;

	if (!f)
		return;
	take_credit(mem, m);
	f->stale |= figures_private(&m->figures) >= f->largest;
	mem->fork_groups.stale |= f->stale;
	if (--f->members == 0)
		fork_group_forget(&mem->fork_groups, f);
	else
		mem->fork_groups.least += fork_group_least(f);
	m->memory.fork_group = NULL;
	m->memory.credit = 0;
	m->memory.credit_epoch = 0;
}

bool fork_group_enter(struct memory *mem, struct member *m, uint64_t stack)
{
	if (stack == (m->memory.fork_group ? m->memory.fork_group->stack : 0))
		return false;
	m->memory.renewed |= m->memory.fork_group != NULL;      /* only exec moves it */
	fork_group_leave(mem, m);
	if (stack != 0) {
		m->memory.fork_group = fork_group_find(&mem->fork_groups, stack);
		if (!m->memory.fork_group)
			m->memory.fork_group = fork_group_new(mem, stack);
	}
	if (m->memory.fork_group && m->memory.fork_group->members++ > 0)        /* private pages may be shared now */
		fork_group_void_credit(mem, m->memory.fork_group);
	return true;
}

void fork_group_count(struct memory *mem, struct member *m, const struct figures *now)
{
	const struct rollup *r = &now->rollup;
	struct fork_group *f = m->memory.fork_group;

	if (!f)
		return;
	take_credit(mem, m);

	int64_t anonymous = figures_private(now), credit = r->vouched + anonymous;

	m->memory.credit = r->epoch == f->epoch && credit > 0 ? credit : 0;
	m->memory.credit_epoch = f->epoch;
	f->credit += m->memory.credit;
	if (f->members == 1 || anonymous >= f->largest)
		f->largest = anonymous;
	else
		f->stale |= figures_private(&m->figures) == f->largest;
	mem->fork_groups.stale |= f->stale;
	mem->fork_groups.least += fork_group_least(f);
}

/* The largest member of a fork group shrank or left: finds the present one. */
static void find_largest(struct memory *mem)
{
	const struct members *all = &mem->tracked->members;

	for (size_t i = 0; i < all->n; i++) {
		struct fork_group *f = all->order[i]->memory.fork_group;

		if (f && f->stale && f->largest >= 0) {
			mem->fork_groups.least -= fork_group_least(f);
			f->largest = -1;
		}
	}
	for (size_t i = 0; i < all->n; i++) {
		struct fork_group *f = all->order[i]->memory.fork_group;

		int64_t private = figures_private(&all->order[i]->figures);

		if (f && f->stale && private > f->largest)
			f->largest = private;
	}
	for (size_t i = 0; i < all->n; i++) {
		struct fork_group *f = all->order[i]->memory.fork_group;

		if (f && f->stale) {
			f->stale = false;
			mem->fork_groups.least += fork_group_least(f);
		}
	}
	mem->fork_groups.stale = false;
}

int64_t fork_groups_least(struct memory *mem)
{
	if (mem->fork_groups.stale)
		find_largest(mem);
	return mem->fork_groups.least;
}

/*
 * Processes older than the recorder may have relatives outside the tree.  No others appear later, because every child
 * of a member is a member.
 */
void memory_note_outside(struct memory *mem, uint64_t stack)
{
	struct fork_group *f = stack ? fork_group_find(&mem->fork_groups, stack) : NULL;

	if (f && !f->outside) {
		mem->fork_groups.least -= fork_group_least(f);
		f->outside = true;
	}
}

void fork_groups_release(struct memory *mem)
{
	blocks_release(&mem->fork_groups.fork_group);
}
