/* job_files.c - the growing records of a folder: which there are, and when each is read. */
#include "job_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "../ranks/ranks.h"
#include "../text/shown.h"
#include "screen.h"

enum { ROUND_MS = 1000, LISTING_MS = 5000, STEP_MS = 30, SHARE = 20, MEMBERS_MOST = 100000 };

static int64_t ms(int64_t n)
{
	return n * INT64_C(1000000);
}

/* ---- what is due ------------------------------------------------------------------------------ */

/* Of a kind of work that took so long the last time: at most a twentieth of the time. */
static bool is_due(const struct turn *t, int64_t least_ms, int64_t now)
{
	int64_t pause = t->spent_ns * SHARE > ms(least_ms) ? t->spent_ns * SHARE : ms(least_ms);

	return t->begun_ns == 0 || now - t->begun_ns >= pause;
}

/* ---- the folder ------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct job_member *)a)->name, ((const struct job_member *)b)->name);
}

static int only_name(const void *name, const void *member)
{
	return strcmp(name, ((const struct job_member *)member)->name);
}

/* Among the first n, which are sorted. */
static const struct job_member *find(const struct job_files *f, const char *name, size_t n)
{
	return n > 0 ? bsearch(name, f->at, n, sizeof *f->at, only_name) : NULL;
}

static int add(struct job_files *f, const char *name)
{
	if (f->n == f->room) {
		size_t room = f->room ? 2 * f->room : 64;
		struct job_member *more = reallocarray(f->at, room, sizeof *more);

		if (!more)
			return -ENOMEM;
		f->at = more;
		f->room = room;
	}
	f->at[f->n] = (struct job_member){ .name = strdup(name) };
	if (!f->at[f->n].name)
		return -ENOMEM;
	f->n++;
	return 0;
}

/* A folder that cannot be read for now keeps the members that it had. */
static int list(struct job_files *f)
{
	int copy = openat(f->place.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), r = 0;
	DIR *stream = copy >= 0 ? fdopendir(copy) : NULL;
	size_t known = f->n;

	if (!stream) {
		close_p(&copy);
		return 0;
	}
	for (struct dirent *e; r == 0 && f->n < MEMBERS_MOST && (e = readdir(stream)) != NULL;)
		if (ranks_record_name(e->d_name) && !find(f, e->d_name, known))
			r = add(f, e->d_name);
	(void)closedir(stream);
	if (f->n > known) {
		qsort(f->at, f->n, sizeof *f->at, by_name);
		f->visited = 0;
	}
	for (size_t i = 0; i < f->n; i++)
		member_check(&f->at[i], &f->place);
	return r;
}

/* ---- its course -------------------------------------------------------------------------------- */

int job_files_open(struct job_files *f, const char *folder, const struct selection *selection, struct why *why)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct why unused = { "" };

	*f = (struct job_files){ .place = { .fd = fd, .path = folder, .selection = selection } };
	if (fd < 0)
		return why_set(why, -errno, "cannot read %s: %s", show_path(folder).text, strerror(errno));
	if (source_open(&f->machine, "/", &unused) == 0)
		f->place.machine = &f->machine;
	return 0;
}

void job_files_forget_machine(struct job_files *f)
{
	if (f->place.machine)
		source_close(&f->machine);
	f->place.machine = NULL;
}

void job_files_close(struct job_files *f)
{
	job_files_forget_machine(f);
	for (size_t i = 0; i < f->n; i++)
		member_release(&f->at[i]);
	free(f->at);
	if (f->place.path)
		close_p(&f->place.fd);
	*f = (struct job_files){ .n = 0 };
}

/* Goes on with the round until `until`. */
static int visit(struct job_files *f, int64_t until)
{
	while (f->visited < f->n) {
		struct job_member *m = &f->at[f->visited];
		int r = m->standing == MEMBER_NEW || m->standing == MEMBER_RUNS || m->standing == MEMBER_LOST
			? member_visit(m, &f->place) : 0;

		if (r < 0)
			return r;
		f->visited++;
		if (screen_now_ns() >= until)
			break;
	}
	f->complete = f->complete || f->visited == f->n;
	return 0;
}

int job_files_step(struct job_files *f, bool *ret_more)
{
	int64_t begin = screen_now_ns();
	int r = 0;

	if (is_due(&f->listing, LISTING_MS, begin)) {
		r = list(f);
		f->listing = (struct turn){ begin, screen_now_ns() - begin };
	}
	if (r == 0 && f->visited == f->n && is_due(&f->round, ROUND_MS, begin)) {
		f->visited = 0;
		f->round = (struct turn){ begin, 0 };
	}
	if (r == 0 && f->visited < f->n) {
		r = visit(f, begin + ms(STEP_MS));
		f->round.spent_ns += screen_now_ns() - begin;
	}
	*ret_more = f->visited < f->n;
	return r;
}

bool job_files_any_here(const struct job_files *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->at[i].here)
			return true;
	return false;
}

const struct job_member *job_files_find(const struct job_files *f, const char *name)
{
	return find(f, name, f->n);
}
