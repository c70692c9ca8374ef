/* job_ranks.c - all ranks of a job that goes on, as rows and as sums. */
#include "job_ranks.h"

#include <stdio.h>
#include <string.h>

#include "../text/job_words.h"
#include "screen.h"

/* The amounts of a row are per second, so the sum is that of a second. */
static const double SECOND = 1;

/* ---- their order as ranks --------------------------------------------------------------------- */

static void forget_ranks(struct job_ranks *j)
{
	job_use_release(&j->use);
	ranks_release(&j->ranks);
}

static int take_over(struct job_ranks *j, struct ranks *ranks)
{
	struct job_row *rows = reallocarray(j->row, ranks->n + 1, sizeof *rows);

	forget_ranks(j);
	j->ranks = *ranks;
	if (!rows)
		return -ENOMEM;
	j->row = rows;
	return job_use_read(&j->use, &j->ranks);
}

/* What its header says; what it used over its time stays with the member. */
static int copy_rank(struct rank *ret, const struct job_member *m)
{
	*ret = m->rank;
	ret->parts = NULL;
	ret->regions = NULL;
	ret->n_parts = ret->n_regions = 0;
	ret->path = strdup(m->name);
	return ret->path ? 0 : -ENOMEM;
}

static bool have_changed(struct job_files *files)
{
	bool changed = false;

	for (size_t i = 0; i < files->n; i++) {
		changed = changed || files->at[i].changed;
		files->at[i].changed = false;
	}
	return changed;
}

/* Another job in the folder is a sentence, and what was known stays. */
static int arrange(struct job_ranks *j, const struct job_files *files)
{
	struct ranks ranks = { .at = calloc(files->n + 1, sizeof *ranks.at) };
	int r = ranks.at ? 0 : -ENOMEM;

	j->why.text[0] = '\0';
	for (size_t i = 0; r == 0 && i < files->n; i++)
		if (files->at[i].standing >= MEMBER_RUNS) {
			r = copy_rank(&ranks.at[ranks.all], &files->at[i]);
			ranks.all += r == 0;
		}
	if (r < 0 || ranks.all == 0) {
		ranks_release(&ranks);
		return r;
	}
	r = ranks_arrange(&ranks, ranks.at, ranks.all, files->place.path, &j->why);
	if (r == 0)
		return take_over(j, &ranks);
	return r == -ENOMEM ? r : 0;
}

/* ---- a row ------------------------------------------------------------------------------------ */

static void name_rank(char *ret, size_t size, const struct ranks *ranks, const struct rank *r)
{
	if (ranks->n_launches < 2)
		(void)snprintf(ret, size, "%lld", (long long)r->number);
	else if (*r->job.step)
		(void)snprintf(ret, size, "%.10s.%lld", r->job.step, (long long)r->number);
	else
		(void)snprintf(ret, size, "%zu.%lld", r->launch, (long long)r->number);
}

static void set_region(struct job_row *row, const struct job_member *m)
{
	enum { OPEN_MOST = 8 };
	struct open_region open[OPEN_MOST];
	size_t n = m->channel ? size_min(open_regions_now(open, OPEN_MOST, m->channel), OPEN_MOST) : 0;

	row->region[0] = '\0';
	if (m->standing != MEMBER_RUNS)
		return;
	if (n > 0)
		(void)snprintf(row->region, sizeof row->region, "%s", open[n - 1].path);
	else if (!m->channel && m->last_region[0])
		(void)snprintf(row->region, sizeof row->region, "(%s)", m->last_region);
}

static double memory_of(const struct member_row *r)
{
	double pss = is_none(r->pss_bytes) ? r->pss_upper_bytes : r->pss_bytes;

	return is_none(pss) ? r->rss_bytes : pss;
}

static const char *state_of(const struct job_member *m, const struct rank *r)
{
	if (m->standing != MEMBER_ENDED)
		return m->standing == MEMBER_LOST ? "lost" : "";
	return r->state == STATE_OK ? "ok" : r->status;
}

static struct job_row row_of(const struct job_ranks *j, const struct job_files *files, size_t i, int64_t now_ns)
{
	const struct rank *r = &j->ranks.at[i];
	const struct job_member *m = job_files_find(files, r->path);
	bool runs = m->standing == MEMBER_RUNS;
	struct job_row row = {
		.rank = i, .standing = m->standing, .cores = runs ? m->row.cores : NONE,
		.bytes = runs ? memory_of(&m->row) : NONE, .waiting = runs ? m->row.waiting : NONE,
		.age_seconds = m->standing == MEMBER_ENDED ? NONE : member_age(m, now_ns),
	};

	row.limit_share = row.bytes / m->row.limit_bytes;
	name_rank(row.name, sizeof row.name, &j->ranks, r);
	(void)snprintf(row.node, sizeof row.node, "%s", rank_node(r));
	(void)snprintf(row.state, sizeof row.state, "%s", state_of(m, r));
	set_region(&row, m);
	return row;
}

/* ---- sums ------------------------------------------------------------------------------------- */

static void add(double *to, double value)
{
	*to = add_known(*to, value);
}

/* A rank with bounds alone makes the sum one of bounds; one of RSS alone makes it a sum of RSS. */
static void add_memory(struct totals *t, const struct member_row *r, bool pss)
{
	add(&t->process_rss_bytes, r->rss_bytes);
	if (!pss)
		return;
	t->process_pss_bytes += r->pss_bytes;
	t->process_pss_lower_bytes += is_none(r->pss_lower_bytes) ? r->pss_bytes : r->pss_lower_bytes;
	t->process_pss_upper_bytes += is_none(r->pss_upper_bytes) ? r->pss_bytes : r->pss_upper_bytes;
}

static bool is_summed(const struct job_member *m)
{
	return m->standing == MEMBER_RUNS && !is_none(m->row.seconds);
}

/* Whether the PSS of all ranks is known, or bounded. */
static bool has_pss(const struct job_ranks *j, const struct job_files *files)
{
	for (size_t i = 0; i < j->ranks.n; i++) {
		const struct job_member *m = job_files_find(files, j->ranks.at[i].path);

		if (is_summed(m) && is_none(m->row.pss_bytes) && is_none(m->row.pss_upper_bytes))
			return false;
	}
	return true;
}

static void add_up(struct job_ranks *j, const struct job_files *files, struct totals *t)
{
	bool pss = has_pss(j, files), any = false;

	j->waiting = NONE;
	t->process_pss_bytes = t->process_pss_lower_bytes = t->process_pss_upper_bytes = pss ? 0 : NONE;
	for (size_t i = 0; i < j->ranks.n; i++) {
		const struct job_member *m = job_files_find(files, j->ranks.at[i].path);
		const struct member_row *r = &m->row;

		if (!is_summed(m))
			continue;
		any = true;
		add(&t->process_cpu_cores, r->cores);
		add_memory(t, r, pss);
		add(&t->process_disk_read_bytes, r->disk_read_bytes);
		add(&t->process_disk_write_bytes, r->disk_write_bytes);
		add(&t->process_net_recv_bytes, r->net_recv_bytes);
		add(&t->process_net_sent_bytes, r->net_sent_bytes);
		add(&j->waiting, r->waiting);
	}
	if (!any)
		t->process_pss_bytes = t->process_pss_lower_bytes = t->process_pss_upper_bytes = NONE;
	t->cgroup_cpu_available_cores = j->use.cpus;
	*(j->use.memory_of_job ? &t->cgroup_memory_limit_bytes : &t->memory_total_bytes) = j->use.requested_bytes;
}

/* Since its first rank started, as the ranks themselves say. */
static double longest(const struct job_ranks *j, const struct job_files *files)
{
	double seconds = 0;

	for (size_t i = 0; i < j->ranks.n; i++) {
		const struct job_member *m = job_files_find(files, j->ranks.at[i].path);
		double its = m->standing == MEMBER_ENDED ? m->rank.seconds : m->row.seconds;

		seconds = its > seconds ? its : seconds;
	}
	return seconds;
}

static void add_point(struct job_ranks *j, const struct job_files *files)
{
	static struct sample row;               /* large; only its totals are used */

	sample_clear(&row);
	add_up(j, files, &row.total);
	row.interval_seconds = SECOND;
	row.monotonic_ns = (int64_t)(longest(j, files) * 1e9);
	model_row(&j->sum, &row, NULL);
	j->sum.highest_memory = NONE;           /* it was not seen from the beginning */
}

static void count(struct job_ranks *j, const struct job_files *files)
{
	struct job_counts c = { 0 };

	for (size_t i = 0; i < j->ranks.n; i++) {
		enum standing s = j->row[i].standing;
		bool good = j->ranks.at[i].state == STATE_OK || j->ranks.at[i].state == STATE_ENDED ||
			    j->ranks.at[i].state == STATE_STOPPED;

		if (s == MEMBER_ENDED)
			*(good ? &c.ok : &c.failed) += 1;
		else
			*(s == MEMBER_LOST ? &c.lost : &c.run) += 1;
	}
	for (size_t i = j->ranks.n; i < j->ranks.all; i++)
		*(j->ranks.at[i].role == ROLE_EARLIER ? &c.earlier : &c.around) += 1;
	for (size_t i = 0; i < files->n; i++)
		c.unreadable += files->at[i].standing == MEMBER_UNREADABLE;
	j->counts = c;
}

/* ---- the job ----------------------------------------------------------------------------------- */

/* "slurm 1235: ./solver -n 4"; without a job the folder. */
static void set_title(struct job_ranks *j, const char *folder)
{
	struct job job = j->ranks.n > 0 ? j->ranks.at[0].job : (struct job){ .id = "" };
	const char *id = *job.array_id ? job.array_id : job.id;

	if (*id)
		(void)snprintf(j->sum.title, sizeof j->sum.title, "%.32s %.127s", job.scheduler, id);
	else
		(void)snprintf(j->sum.title, sizeof j->sum.title, "%.200s", folder);
}

static void begin(struct model *sum)
{
	static const struct record_facts unknown = { .id = "" };

	model_begin(sum, &unknown);
	sum->tracked = sum->is_job = true;
}

int job_ranks_read(struct job_ranks *j, struct job_files *files)
{
	int64_t now = screen_now_ns();
	int r = have_changed(files) ? arrange(j, files) : 0;

	if (r < 0)
		return r;
	if (j->sum.title[0] == '\0')
		begin(&j->sum);
	for (size_t i = 0; i < j->ranks.n; i++)
		j->row[i] = row_of(j, files, i, now);
	set_title(j, files->place.path);
	count(j, files);
	if (j->ranks.n > 0)
		add_point(j, files);
	return 0;
}

void job_ranks_release(struct job_ranks *j)
{
	forget_ranks(j);
	free(j->row);
	j->row = NULL;
	j->sum.title[0] = '\0';
}
