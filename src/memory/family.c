/*
 * family.c - processes that may share private memory, and a lower bound of that memory for the tree.
 *
 * Private pages are shared by fork alone (and by KSM, which is ignored).  Together the members of a family hold at
 * least the memory of the largest of them.  Each also holds what a reading of its PSS vouched for, with its gains and
 * losses since, as long as none of them forked after that reading.  The first bound needs no reading: one program is
 * one family.
 */
#include "memory_state.h"

static int64_t family_least(const struct family *f)
{
	if (f->outside)
		return 0;
	return f->credit > f->largest ? f->credit : f->largest;
}

static struct family **bucket_of(struct families *all, uint64_t stack)
{
	/* The start of a stack is random in bits 4 to 34. */
	return &all->bucket[(stack >> 4 ^ stack >> 13 ^ stack >> 22) % FAMILY_BUCKETS];
}

static struct family *family_find(struct families *all, uint64_t stack)
{
	struct family *f = *bucket_of(all, stack);

	while (f && f->stack != stack)
		f = f->chain;
	return f;
}

static struct family *family_new(struct memory *mem, uint64_t stack)
{
	struct families *all = &mem->families;
	struct family *f = blocks_take(&all->family), **bucket = bucket_of(all, stack);

	if (!f)
		return NULL;
	*f = (struct family){ .stack = stack, .epoch = 1, .outside = mem->tracked->no_children, .chain = *bucket };
	*bucket = f;
	return f;
}

static void family_forget(struct families *all, struct family *f)
{
	struct family **at = bucket_of(all, f->stack);

	while (*at != f)
		at = &(*at)->chain;
	*at = f->chain;
	blocks_give(&all->family, f);
}

void family_void_credit(struct memory *mem, struct family *f)
{
	mem->families.least -= family_least(f);
	f->epoch++;
	f->credit = 0;
	mem->families.least += family_least(f);
}

/* Takes what @m adds to the least of its family out of the sum; the caller adds the family's least again. */
static void take_credit(struct memory *mem, const struct member *m)
{
	struct family *f = m->memory.family;

	mem->families.least -= family_least(f);
	if (m->memory.credit_epoch == f->epoch)
		f->credit -= m->memory.credit;
}

void family_leave(struct memory *mem, struct member *m)
{
	struct family *f = m->memory.family;

	if (!f)
		return;
	take_credit(mem, m);
	f->stale |= figures_private(&m->figures) >= f->largest;
	mem->families.stale |= f->stale;
	if (--f->members == 0)
		family_forget(&mem->families, f);
	else
		mem->families.least += family_least(f);
	m->memory.family = NULL;
	m->memory.credit = 0;
	m->memory.credit_epoch = 0;
}

bool family_enter(struct memory *mem, struct member *m, uint64_t stack)
{
	if (stack == (m->memory.family ? m->memory.family->stack : 0))
		return false;
	m->memory.renewed |= m->memory.family != NULL;  /* only exec moves it */
	family_leave(mem, m);
	if (stack != 0) {
		m->memory.family = family_find(&mem->families, stack);
		if (!m->memory.family)
			m->memory.family = family_new(mem, stack);
	}
	if (m->memory.family && m->memory.family->members++ > 0)        /* private pages may be shared now */
		family_void_credit(mem, m->memory.family);
	return true;
}

void family_count(struct memory *mem, struct member *m, const struct figures *now)
{
	const struct rollup *r = &now->rollup;
	struct family *f = m->memory.family;

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
	mem->families.stale |= f->stale;
	mem->families.least += family_least(f);
}

/* The largest member of a family shrank or left: finds the present one. */
static void find_largest(struct memory *mem)
{
	const struct members *all = &mem->tracked->members;

	for (size_t i = 0; i < all->n; i++) {
		struct family *f = all->order[i]->memory.family;

		if (f && f->stale && f->largest >= 0) {
			mem->families.least -= family_least(f);
			f->largest = -1;
		}
	}
	for (size_t i = 0; i < all->n; i++) {
		struct family *f = all->order[i]->memory.family;

		int64_t private = figures_private(&all->order[i]->figures);

		if (f && f->stale && private > f->largest)
			f->largest = private;
	}
	for (size_t i = 0; i < all->n; i++) {
		struct family *f = all->order[i]->memory.family;

		if (f && f->stale) {
			f->stale = false;
			mem->families.least += family_least(f);
		}
	}
	mem->families.stale = false;
}

int64_t families_least(struct memory *mem)
{
	if (mem->families.stale)
		find_largest(mem);
	return mem->families.least;
}

/*
 * Processes older than the recorder may have relatives outside the tree.  No others appear later, because every child
 * of a member is a member.
 */
void memory_note_outside(struct memory *mem, uint64_t stack)
{
	struct family *f = stack ? family_find(&mem->families, stack) : NULL;

	if (f && !f->outside) {
		mem->families.least -= family_least(f);
		f->outside = true;
	}
}

void families_release(struct memory *mem)
{
	blocks_release(&mem->families.family);
}
