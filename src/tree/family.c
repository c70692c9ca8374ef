/*
 * family.c - who may share private memory, and how much of it the tree holds at least.
 *
 * Private pages are shared by fork alone (and by KSM, which is left out).  Whatever the members of a
 * family share, together they hold what the largest of them holds; and each holds what a reading of
 * its PSS vouched for, with what it has gained or given back since, as long as none of them forked
 * after that reading.  No reading is needed for the first: one program is one family.
 */
#include "state.h"

static int64_t family_least(const struct family *f)
{
	if (f->outside)
		return 0;
	return f->credit > f->largest ? f->credit : f->largest;
}

static struct family **bucket_of(struct families *all, uint64_t stack)
{
	/* Where a stack begins is random in bits 4 to 34. */
	return &all->bucket[(stack >> 4 ^ stack >> 13 ^ stack >> 22) % FAMILY_BUCKETS];
}

static struct family *family_find(struct families *all, uint64_t stack)
{
	struct family *f = *bucket_of(all, stack);

	while (f && f->stack != stack)
		f = f->chain;
	return f;
}

static struct family *family_new(struct tree *t, uint64_t stack)
{
	struct families *all = &t->memory.families;
	struct family *f = blocks_take(&all->family), **bucket = bucket_of(all, stack);

	if (!f)
		return NULL;
	*f = (struct family){ .stack = stack, .epoch = 1, .outside = t->no_children, .chain = *bucket };
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

void family_void_credit(struct tree *t, struct family *f)
{
	t->memory.families.least -= family_least(f);
	f->epoch++;
	f->credit = 0;
	t->memory.families.least += family_least(f);
}

void family_leave(struct tree *t, struct member *m)
{
	struct family *f = m->family;

	if (!f)
		return;
	t->memory.families.least -= family_least(f);
	if (m->credit_epoch == f->epoch)
		f->credit -= m->credit;
	f->stale |= figures_private(&m->figures) >= f->largest;
	t->memory.families.stale |= f->stale;
	if (--f->members == 0)
		family_forget(&t->memory.families, f);
	else
		t->memory.families.least += family_least(f);
	m->family = NULL;
	m->credit = 0;
	m->credit_epoch = 0;
}

void family_join(struct tree *t, struct member *m, uint64_t stack, struct figures *now)
{
	bool first = m->reads == 0;

	if (stack == (m->family ? m->family->stack : 0))
		return;

	m->renewed |= m->family != NULL;                /* exec alone moves it */
	family_leave(t, m);
	if (stack != 0) {
		m->family = family_find(&t->memory.families, stack);
		if (!m->family)
			m->family = family_new(t, stack);
	}
	if (m->family && m->family->members++ > 0)      /* what was one's own may be shared now */
		family_void_credit(t, m->family);
	if (!first)                                     /* another program: its memory is another */
		member_found_pss(t, m, now);
}

void family_count(struct tree *t, struct member *m, const struct figures *now)
{
	const struct rollup *r = &now->rollup;
	struct family *f = m->family;

	if (!f)
		return;
	t->memory.families.least -= family_least(f);
	if (m->credit_epoch == f->epoch)
		f->credit -= m->credit;

	int64_t anonymous = figures_private(now), credit = r->vouched + anonymous;

	m->credit = r->epoch == f->epoch && credit > 0 ? credit : 0;
	m->credit_epoch = f->epoch;
	f->credit += m->credit;
	if (f->members == 1 || anonymous >= f->largest)
		f->largest = anonymous;
	else
		f->stale |= figures_private(&m->figures) == f->largest;
	t->memory.families.stale |= f->stale;
	t->memory.families.least += family_least(f);
}

/* The largest of a family shrank or left: who is the largest now? */
static void find_largest(struct tree *t)
{
	const struct members *all = &t->members;

	for (size_t i = 0; i < all->n; i++) {
		struct family *f = all->order[i]->family;

		if (f && f->stale && f->largest >= 0) {
			t->memory.families.least -= family_least(f);
			f->largest = -1;
		}
	}
	for (size_t i = 0; i < all->n; i++) {
		struct family *f = all->order[i]->family;

		int64_t private = figures_private(&all->order[i]->figures);

		if (f && f->stale && private > f->largest)
			f->largest = private;
	}
	for (size_t i = 0; i < all->n; i++) {
		struct family *f = all->order[i]->family;

		if (f && f->stale) {
			f->stale = false;
			t->memory.families.least += family_least(f);
		}
	}
	t->memory.families.stale = false;
}

int64_t families_least(struct tree *t)
{
	if (t->memory.families.stale)
		find_largest(t);
	return t->memory.families.least;
}

/*
 * Processes that were there before us may have relatives that are none of the tree.  Later there are
 * none but those: whoever is forked by a member is a member.
 */
void families_look_outside(struct tree *t)
{
	size_t n = list_strangers(t);

	for (size_t i = 0; i < n; i++) {
		uint64_t stack = t->walking.strangers[i].stack;
		struct family *f = stack ? family_find(&t->memory.families, stack) : NULL;

		if (f && !f->outside) {
			t->memory.families.least -= family_least(f);
			f->outside = true;
		}
	}
	t->memory.looked_outside = true;
}

void families_release(struct tree *t)
{
	blocks_release(&t->memory.families.family);
}
