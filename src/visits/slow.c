/*
 * slow.c - files too slow for every reading: status, open descriptors, and the files of all threads (waits.c).
 *
 * Read from members that ran: every 5 s; for a young process, when its age has grown by a quarter; when resident memory
 * changed by a tenth; and at the exit of a child of ours.  The number per pass is limited, so that a tree of thousands
 * does not pay all at once.
 */
#include "visits.h"

#include <sys/stat.h>

#include "../members/member_files.h"

enum {
	SLOW_SECONDS = 5,
	MEMBERS_PER_PASS = 128,
	MIB = 1024 * 1024,
};

static void take_status(struct visits *v, struct member *m, struct figures *now, const struct proc_status *status)
{
	if (!status->has_memory)
		return;
	now->swap = (int64_t)status->swap_bytes;
	now->has_swap = true;
	memory_set_tables(m, status->table_bytes / (uint64_t)v->tracked->src->page_bytes);
	m->visits.slow.peak_faults = (uint32_t)figures_faults(now);
	memory_member_mark(v->memory, m, (int64_t)status->peak_rss_bytes, now->rss);
}

/* Since Linux 6.2 the size of the folder is its number of entries.  -errno: unknown. */
static int64_t count_fds(struct tracked *t, const struct member *m)
{
	char path[PROC_PATH];
	struct stat folder;

	proc_path(path, m->pid, m->figures.speaker, "fd");
	if (!t->fds.counted)
		return folder_entries(t, path);
	return fstatat(t->src->proc, path, &folder, 0) < 0 ? -errno : (int64_t)folder.st_size;
}

static void take_fds(struct visits *v, struct member *m, struct figures *now)
{
	struct tracked *t = v->tracked;
	int64_t n = count_fds(t, m);

	/* A process that exits has released its descriptors, and its memory before them. */
	if (n < 0 || (n == 0 && member_is_ending(t, m)))
		return;
	now->fds = (uint32_t)n;
	now->has_fds = true;
}

/* Young processes are read early, or most of their life would be unseen: four fifths of any life are seen. */
static int64_t until_next_poll(int64_t age_ns)
{
	return age_ns / 4 < SLOW_SECONDS * NS_PER_SECOND ? age_ns / 4 : SLOW_SECONDS * NS_PER_SECOND;
}

static void take_slow(struct visits *v, struct member *m, const struct proc_status *status)
{
	struct tracked *t = v->tracked;
	struct figures now = m->figures;

	visit_waits(v, m, &now, status);
	if (now.state != 'Z') {
		if (!m->shares_mm)
			take_status(v, m, &now, status);
		take_fds(v, m, &now);
	}
	if (m->visits.slow.first_ns == 0)
		m->visits.slow.first_ns = t->now_ns;
	m->visits.slow.due = false;
	m->visits.slow.last_ns = t->now_ns;
	m->visits.slow.rss = now.rss;
	accounts_set(v->accounts, m, &now);
}

/* Switches are those of the main thread; memory is read from a living thread (kernel/threads.h). */
static struct proc_status member_status(struct tracked *t, const struct member *m)
{
	struct proc_status status = thread_status(t, m->pid, 0);

	if (m->figures.speaker) {
		struct proc_status of_speaker = thread_status(t, m->pid, m->figures.speaker);

		of_speaker.has_switches = status.has_switches;
		of_speaker.voluntary = status.voluntary;
		of_speaker.involuntary = status.involuntary;
		return of_speaker;
	}
	return status;
}

static void read_slow_files(struct visits *v, struct member *m)
{
	struct tracked *t = v->tracked;
	struct proc_status status = member_status(t, m);

	take_slow(v, m, &status);
}

void visit_start(struct visits *v, struct member *m)
{
	struct tracked *t = v->tracked;
	struct proc_status status = thread_status(t, m->pid, 0);
	struct figures now = m->figures;

	visit_waits(v, m, &now, &status);
	m->visits.slow.first_ns = m->visits.slow.last_ns = t->now_ns;
	accounts_set(v->accounts, m, &now);
}

void visit_last(struct visits *v, struct member *m)
{
	struct tracked *t = v->tracked;
	if (t->no_children)
		read_slow_files(v, m);
	else
		take_slow(v, m, &(struct proc_status){ 0 });
}

static bool is_due(const struct tracked *t, const struct member *m)
{
	int64_t change = m->figures.rss - m->visits.slow.rss;
	int64_t due_ns = m->visits.slow.last_ns + until_next_poll(m->visits.slow.last_ns - m->visits.slow.first_ns);

	change = change < 0 ? -change : change;
	return m->visits.slow.due && (t->now_ns >= due_ns || (change > m->visits.slow.rss / 10 && change > MIB));
}

/* Memory that came and went between two samples left page faults behind. */
static bool may_have_peaked(const struct tracked *t, const struct member *m)
{
	enum { FAULTS = 32 };

	return m->pass == t->pass && m->figures.state != 'Z' &&
	       (uint32_t)figures_faults(&m->figures) - m->visits.slow.peak_faults >= FAULTS;
}

static void read_peak(struct visits *v, struct member *m)
{
	struct tracked *t = v->tracked;
	struct proc_status status = member_status(t, m);
	struct figures now = m->figures;

	take_status(v, m, &now, &status);
	accounts_set(v->accounts, m, &now);
}

void visit_peaks(struct visits *v)
{
	struct tracked *t = v->tracked;
	size_t read = 0;

	for (size_t i = 0; i < t->members.n_due && read < MEMBERS_PER_PASS; i++)
		if (may_have_peaked(t, t->members.due[i])) {
			read_peak(v, t->members.due[i]);
			read++;
		}
}

void visit_slow_files(struct visits *v)
{
	struct tracked *t = v->tracked;
	size_t kept = 0, read = 0;

	for (size_t i = 0; i < t->members.n_due; i++) {
		struct member *m = t->members.due[i];

		if (read < MEMBERS_PER_PASS && is_due(t, m)) {
			read_slow_files(v, m);
			read++;
		} else if (read < MEMBERS_PER_PASS && may_have_peaked(t, m)) {
			read_peak(v, m);
			read++;
		}
		if (m->visits.slow.due || memory_has_due(m))
			t->members.due[kept++] = m;
		else
			m->in_due = false;
	}
	t->members.n_due = kept;
}
