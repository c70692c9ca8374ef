/* ranks.c - all ranks of a job, from the records of a folder. */
#include "ranks.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../text/shown.h"
#include "attempts.h"

/* ---- which runs ------------------------------------------------------------------------ */

static const char *job_name(const struct job *job)
{
	return *job->array_id ? job->array_id : job->id;
}

static int compare_jobs(const struct job *a, const struct job *b)
{
	int r = strcmp(a->scheduler, b->scheduler);

	return r ? r : strcmp(job_name(a), job_name(b));
}

/* Ranks of one start belong together; so do all tasks of an array that are not several ranks themselves. */
static int compare_launches(const struct job *a, const struct job *b)
{
	int r = (a->rank >= 0) - (b->rank >= 0);

	if (r || a->rank < 0)
		return r;
	r = strcmp(a->id, b->id);
	r = r ? r : strcmp(a->step, b->step);
	return r ? r : strcmp(a->launch, b->launch);
}

static int in_order(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	int r = (x->role > y->role) - (x->role < y->role);

	r = r ? r : compare_launches(&x->job, &y->job);
	r = r ? r : (x->number > y->number) - (x->number < y->number);
	r = r ? r : (x->start_wall_ns < y->start_wall_ns) - (x->start_wall_ns > y->start_wall_ns);
	return r ? r : strcmp(x->path, y->path);
}

static int by_start(const void *a, const void *b)
{
	const struct rank *x = a, *y = b;
	int r = (x->role > y->role) - (x->role < y->role);

	r = r ? r : (x->start_wall_ns > y->start_wall_ns) - (x->start_wall_ns < y->start_wall_ns);
	return r ? r : strcmp(x->path, y->path);
}

static int several_jobs(const struct ranks *r, const char *folder, struct why *why)
{
	enum { SHOWN = 4 };
	const struct job *shown[SHOWN];
	struct buffer list = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < r->all && n < SHOWN; i++) {
		const struct job *job = &r->at[i].job;
		bool fresh = r->at[i].role != ROLE_UNREADABLE;

		for (size_t k = 0; k < n; k++)
			fresh = fresh && compare_jobs(shown[k], job) != 0;
		if (!fresh)
			continue;
		buffer_format(&list, "%s%s", n > 0 ? ", " : "", *job_name(job) ? job_name(job) : "no job");
		shown[n++] = job;
	}
	(void)why_set(why, -EINVAL, "%s has runs of several jobs (%.*s%s): choose one with --job", show_path(folder).text,
		      (int)list.len, list.at ? list.at : "", n == SHOWN ? " ..." : "");
	buffer_release(&list);
	return -EINVAL;
}

/* Runs with a number take the role from runs without, as that of mpirun itself, which belongs to no job. */
static void choose_roles(struct ranks *r)
{
	for (size_t i = 0; i < r->all; i++)
		r->numbered = r->numbered || r->at[i].number >= 0;
	for (size_t i = 0; r->numbered && i < r->all; i++)
		if (r->at[i].role == ROLE_RANK && r->at[i].number < 0)
			r->at[i].role = ROLE_AROUND;
}

/* -EINVAL: there are several jobs. */
static int choose(struct ranks *r, const char *folder, struct why *why)
{
	const struct rank *first = NULL;

	choose_roles(r);
	for (size_t i = 0; i < r->all; i++) {
		const struct rank *this = &r->at[i];

		if (this->role == ROLE_UNREADABLE || (this->role == ROLE_AROUND && !*this->job.scheduler))
			continue;
		first = first ? first : this;
		if (compare_jobs(&first->job, &this->job) != 0)
			return several_jobs(r, folder, why);
	}
	if (!first)
		return why_set(why, -ENOENT, "%s has no record of that job, or none at all: 'resource-tracker runs --directory DIR' lists them",
			       show_path(folder).text);
	return 0;
}

/* ---- their order ------------------------------------------------------------------------ */

/* The ranks of each launch stand together, of one number the newest first. */
static int set_earlier_aside(struct ranks *r)
{
	int result = 0;

	for (size_t i = 0, n = 1; result == 0 && i < r->all && r->at[i].role == ROLE_RANK; i += n, n = 1) {
		while (i + n < r->all && r->at[i + n].role == ROLE_RANK &&
		       compare_launches(&r->at[i].job, &r->at[i + n].job) == 0)
			n++;
		result = attempts_set_aside(&r->at[i], n);
	}
	qsort(r->at, r->all, sizeof *r->at, in_order);
	return result;
}

static void number_by_start(struct ranks *r)
{
	qsort(r->at, r->all, sizeof *r->at, by_start);
	for (size_t i = 0; i < r->all && r->at[i].role == ROLE_RANK; i++)
		r->at[i].number = (int64_t)i;
}

static void find_launches(struct ranks *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct rank *this = &r->at[i];
		struct launch *last = r->n_launches > 0 ? &r->launches[r->n_launches - 1] : NULL;

		if (!last || (r->numbered && compare_launches(&last->job, &this->job) != 0)) {
			last = &r->launches[r->n_launches++];
			*last = (struct launch){ .job = this->job, .size = -1 };
		}
		if (this->job.rank >= 0 && this->job.size > last->size)
			last->size = this->job.size;
		last->present++;
		this->launch = r->n_launches - 1;
	}
}

static void add_gap(struct ranks *r, size_t launch, int64_t first, int64_t last)
{
	if (first > last)
		return;
	r->gaps[r->n_gaps++] = (struct gap){ launch, first, last };
	r->missing += (size_t)(last - first + 1);
}

/* There is at most one gap before each rank, and one after the last of a launch. */
static void find_gaps(struct ranks *r)
{
	size_t i = 0;

	for (size_t k = 0; k < r->n_launches; k++) {
		int64_t expected = 0;

		for (; i < r->n && r->at[i].launch == k; i++) {
			if (r->launches[k].size > 0)
				add_gap(r, k, expected, r->at[i].number - 1);
			expected = r->at[i].number + 1;
		}
		if (r->launches[k].size > 0)
			add_gap(r, k, expected, r->launches[k].size - 1);
	}
}

/* There is at least one. */
static int arrange(struct ranks *r, struct why *why)
{
	if (!r->at)
		return -ENOENT;
	if (r->numbered) {
		qsort(r->at, r->all, sizeof *r->at, in_order);
		if (set_earlier_aside(r) < 0)
			return why_set(why, -ENOMEM, "out of memory");
	} else {
		number_by_start(r);
	}
	while (r->n < r->all && r->at[r->n].role == ROLE_RANK)
		r->n++;
	r->launches = calloc(r->n + 1, sizeof *r->launches);
	r->gaps = calloc(2 * r->n + 1, sizeof *r->gaps);
	if (!r->launches || !r->gaps)
		return why_set(why, -ENOMEM, "out of memory");
	find_launches(r);
	find_gaps(r);
	return 0;
}

/* ---- reading ------------------------------------------------------------------------------ */

bool ranks_record_name(const char *name)
{
	size_t n = strlen(name);

	return n > 6 && strcmp(name + n - 6, ".jsonl") == 0;
}

static int read_folder(struct ranks *r, DIR *stream, const char *folder, const struct selection *selection)
{
	size_t room = 0;

	for (struct dirent *e; (e = readdir(stream)) != NULL;) {
		char path[PATH_MAX];
		bool taken;
		int result;

		if (!ranks_record_name(e->d_name) || snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path)
			continue;
		if (r->all == room) {
			struct rank *more = reallocarray(r->at, room = room ? 2 * room : 64, sizeof *more);

			if (!more)
				return -ENOMEM;
			r->at = more;
		}
		result = rank_read(&r->at[r->all], path, selection, &taken);
		if (result < 0)
			return result;
		r->all += taken;
	}
	return 0;
}

int ranks_arrange(struct ranks *ret, struct rank *at, size_t n, const char *folder, struct why *why)
{
	struct ranks r = { .at = at, .all = n };
	int result = choose(&r, folder, why);

	if (result == 0)
		result = arrange(&r, why);
	if (result < 0)
		ranks_release(&r);
	else
		*ret = r;
	return result;
}

int ranks_read(struct ranks *ret, const char *folder, const struct selection *selection, struct why *why)
{
	struct ranks r = { .n = 0 };
	DIR *stream = opendir(folder);
	int result;

	if (!stream)
		return why_set(why, -errno, "cannot read %s: %s", show_path(folder).text, strerror(errno));
	result = read_folder(&r, stream, folder, selection);
	(void)closedir(stream);
	if (result == 0)
		return ranks_arrange(ret, r.at, r.all, folder, why);
	ranks_release(&r);
	return why_set(why, result, "out of memory");
}

const char *ranks_kind(const struct ranks *ranks, size_t rank)
{
	return !ranks->numbered ? "run" : ranks->at[rank].job.rank >= 0 ? "rank" : "task";
}

void ranks_release(struct ranks *r)
{
	for (size_t i = 0; i < r->all; i++)
		rank_release(&r->at[i]);
	free(r->at);
	free(r->launches);
	free(r->gaps);
	*r = (struct ranks){ .n = 0 };
}
