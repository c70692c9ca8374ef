/* job_member.c - one record of a folder of ranks, followed by its last bytes. */
#include "job_member.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>

#include "../history/record_ends.h"
#include "../history/still_running.h"
#include "../kernel/proc_parse.h"
#include "../readers/record_reader.h"
#include "model.h"
#include "screen.h"

enum { LOOKS_MOST = 5 };

static const double WAITING_SECONDS = 10, SILENT_SECONDS = 2;

static struct member_row no_row(void)
{
	return (struct member_row){
		.seconds = NONE, .cores = NONE, .pss_bytes = NONE, .pss_lower_bytes = NONE, .pss_upper_bytes = NONE,
		.rss_bytes = NONE, .limit_bytes = NONE, .disk_read_bytes = NONE, .disk_write_bytes = NONE,
		.net_recv_bytes = NONE, .net_sent_bytes = NONE, .waiting = NONE,
	};
}

static void stand(struct job_member *m, enum standing standing)
{
	m->changed = m->changed || m->standing != standing;
	m->standing = standing;
}

/* ---- the newest row ------------------------------------------------------------------------- */

/* Delays are counted when a thread runs again, and read every few seconds: a single row has much or nothing. */
static double waiting(struct job_member *m, const struct totals *t, double seconds)
{
	double delay = is_none(t->process_run_delay_seconds) ? t->cgroup_cpu_throttled_seconds
							     : t->process_run_delay_seconds;
	double waited = add_known(delay, t->process_block_delay_seconds), kept = exp(-seconds / WAITING_SECONDS);

	if (is_none(waited))
		return m->row.waiting;
	m->waited_seconds = m->waited_seconds * kept + waited;
	m->waited_of = m->waited_of * kept + seconds;
	return m->waited_seconds / m->waited_of;
}

static void take_row(struct job_member *m, const struct sample *s, bool tracked)
{
	const struct totals *t = &s->total;
	double seconds = s->interval_seconds;
	bool limited;

	m->row.seconds = (double)s->monotonic_ns / 1e9;
	if (!(seconds > 0))
		return;
	m->row = (struct member_row){
		.seconds = m->row.seconds,
		.cores = tracked ? t->process_cpu_cores : t->cpu_utilization_cores,
		.pss_bytes = tracked ? t->process_pss_bytes : t->memory_used_bytes,
		.pss_lower_bytes = t->process_pss_lower_bytes, .pss_upper_bytes = t->process_pss_upper_bytes,
		.rss_bytes = t->process_rss_bytes, .limit_bytes = model_memory_limit(t, &limited),
		.disk_read_bytes = t->process_disk_read_bytes / seconds,
		.disk_write_bytes = t->process_disk_write_bytes / seconds,
		.net_recv_bytes = t->process_net_recv_bytes / seconds,
		.net_sent_bytes = t->process_net_sent_bytes / seconds,
		.waiting = waiting(m, t, seconds),
	};
}

/* ---- its header and its end ------------------------------------------------------------------ */

static void set_unreadable(struct job_member *m, const char *problem)
{
	rank_release(&m->rank);
	job_unknown(&m->rank.job);
	m->rank.role = ROLE_UNREADABLE;
	m->rank.state = STATE_UNREADABLE;
	m->rank.number = -1;
	(void)snprintf(m->rank.problem, sizeof m->rank.problem, "%s", problem);
	stand(m, MEMBER_UNREADABLE);
}

/* What was known of the run. */
static void forget(struct job_member *m)
{
	rank_release(&m->rank);
	open_regions_detach(m->channel);
	m->channel = NULL;
	m->looks = 0;
	m->row = no_row();
	m->waited_seconds = m->waited_of = 0;
	m->last_region[0] = '\0';
}

static int path_of(char ret[PATH_MAX], const struct job_member *m, const struct member_place *place)
{
	return snprintf(ret, PATH_MAX, "%s/%s", place->path, m->name) < PATH_MAX ? 0 : -ENAMETOOLONG;
}

static bool is_here(const struct rank *r)
{
	struct utsname here;

	return uname(&here) == 0 && strcmp(here.nodename, r->host) == 0;
}

/* The open regions of a run of this machine, if its recorder can be seen: it writes the header before it has them. */
static void look_here(struct job_member *m, const struct member_place *place)
{
	const char *dash = strrchr(m->id, '-');
	pid_t pid;

	if (!m->here || m->channel || m->looks++ >= LOOKS_MOST || !place->machine || !dash || !proc_pid(dash + 1, &pid))
		return;
	if (still_running(m->id, m->rank.host, m->rank.start_wall_ns, 0))
		(void)!open_regions_attach(&m->channel, place->machine, pid);
}

static int begin(struct job_member *m, const struct member_place *place, const struct record_facts *facts)
{
	char path[PATH_MAX];
	bool taken;
	int r = path_of(path, m, place);

	struct rank rank;

	if (r == 0)
		r = rank_begun(&rank, path, facts, place->selection, &taken);
	if (r < 0)
		return r;
	forget(m);
	m->changed = true;
	m->standing = taken ? MEMBER_RUNS : MEMBER_OTHER;
	if (taken)
		m->rank = rank;
	m->here = taken && is_here(&m->rank);
	(void)snprintf(m->id, sizeof m->id, "%s", facts->id);
	return 0;
}

/* If the last line is the end, the rank is what its first and last lines say. */
static int end(struct job_member *m, const struct member_place *place, int fd)
{
	const struct selection all = { .job = NULL };
	struct buffer ends = { 0 };
	char path[PATH_MAX];
	struct rank rank;
	bool taken = false;
	int r = record_ends(&ends, fd);

	buffer_release(&ends);
	if (r <= 0)
		return r == -ENOMEM ? r : 0;
	r = path_of(path, m, place);
	if (r == 0)
		r = rank_read(&rank, path, &all, &taken);
	if (r < 0 || !taken)
		return r;
	rank_release(&m->rank);
	m->rank = rank;
	open_regions_detach(m->channel);
	m->channel = NULL;
	record_tail_release(&m->tail);
	stand(m, rank.role == ROLE_UNREADABLE ? MEMBER_UNREADABLE : MEMBER_ENDED);
	return 0;
}

/* ---- visits ----------------------------------------------------------------------------------- */

static int take_lines(struct job_member *m, const struct member_place *place, const struct buffer *text)
{
	struct record_reader *reader;
	struct why why = { "" };
	int r = record_reader_of(&reader, m->name, text->at, text->len, &why);

	if (r < 0 && r != -ENOMEM)
		set_unreadable(m, why.text);
	if (r < 0)
		return r == -ENOMEM ? r : 0;

	const struct record_facts *facts = record_reader_facts(reader);
	bool tracked = facts->run.command || facts->run.n_pids > 0;

	record_reader_totals_alone(reader, true);
	if (m->standing == MEMBER_NEW || strcmp(m->id, facts->id) != 0)
		r = begin(m, place, facts);
	for (enum record_item item; r == 0 && m->standing >= MEMBER_RUNS &&
	     (item = record_reader_next(reader)) != RECORD_OVER;)
		if (item == RECORD_ROW)
			take_row(m, record_reader_sample(reader), tracked);
		else if (item == RECORD_REGION && record_reader_region(reader)->kind == REGION_ENTRY)
			(void)snprintf(m->last_region, sizeof m->last_region, "%.63s", record_reader_region(reader)->path);
	record_reader_close(reader);
	look_here(m, place);
	if (m->standing == MEMBER_OTHER)
		record_tail_release(&m->tail);
	return r;
}

/* When it grew between two visits is known by the file server's clock, and between these by ours. */
static void note_growth(struct job_member *m, int64_t now_ns, const struct stat *status)
{
	struct timespec wall;
	double age = 0;

	(void)clock_gettime(CLOCK_REALTIME, &wall);
	age = (double)(wall.tv_sec - status->st_mtim.tv_sec) + (double)(wall.tv_nsec - status->st_mtim.tv_nsec) / 1e9;
	if (m->visited_ns > 0)
		age = double_min(age, (double)(now_ns - m->visited_ns) / 1e9);
	m->grown_ns = now_ns - (int64_t)(double_max(age, 0) * 1e9);
}

static int read_file(struct job_member *m, const struct member_place *place, int fd, const struct stat *status)
{
	struct buffer text = { 0 };
	int64_t now = screen_now_ns();
	bool may_end;
	int r = record_tail_read(&m->tail, &text, &may_end, fd);

	if (r > 0 || may_end)
		note_growth(m, now, status);
	if (r > 0 && m->standing == MEMBER_LOST)
		stand(m, MEMBER_RUNS);
	m->visited_ns = now;
	if (r > 0)
		r = take_lines(m, place, &text);
	else if (r < 0 && r != -ENOMEM) {
		set_unreadable(m, strerror(-r));
		r = 0;
	}
	buffer_release(&text);
	if (r == 0 && may_end && m->standing >= MEMBER_RUNS)
		r = end(m, place, fd);
	return r;
}

int member_visit(struct job_member *m, const struct member_place *place)
{
	auto_close int fd = openat(place->fd, m->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;

	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		return read_file(m, place, fd, &status);
	if (m->standing == MEMBER_RUNS)
		stand(m, MEMBER_LOST);          /* removed, or no longer readable */
	else if (m->standing == MEMBER_NEW)
		set_unreadable(m, fd < 0 ? strerror(errno) : "not a regular file");
	return 0;
}

void member_check(struct job_member *m, const struct member_place *place)
{
	double age = member_age(m, screen_now_ns());
	const char *host = place->machine ? m->rank.host : "";  /* by its age alone */

	if (m->standing == MEMBER_RUNS && age > SILENT_SECONDS &&
	    !still_running(m->id, host, m->rank.start_wall_ns, time(NULL) - (time_t)age))
		stand(m, MEMBER_LOST);
}

double member_age(const struct job_member *m, int64_t now_ns)
{
	return m->grown_ns > 0 ? double_max(0, (double)(now_ns - m->grown_ns) / 1e9) : NONE;
}

void member_release(struct job_member *m)
{
	open_regions_detach(m->channel);
	record_tail_release(&m->tail);
	rank_release(&m->rank);
	free(m->name);
}
