/* events.c - perf's events of a command: the CPUs they are opened on, and the fallback without them. */
#include "membership_state.h"

#include <string.h>

#include "../kernel/cgroup_path.h"

/* The CPUs of the job's control group (cpuset).  Returns their number, or -errno. */
static ptrdiff_t read_cpuset(struct tracked *t, int *ret, size_t room)
{
	struct cgroup_finder finder = { .src = t->src };
	int r = cgroup_find(&finder, &t->text);
	const struct cgroup_place *place = cgroup_place_of(&finder, HIERARCHY_CPUSET);

	if (r < 0 || !cgroup_is_found(place))
		return r < 0 ? r : -ENOENT;

	int fd = cgroup_open_nearest(t->src, place, cgroup_is_v2(&finder, place) ? "cpuset.cpus.effective" : "cpuset.effective_cpus");

	r = fd < 0 ? fd : text_read(&t->text, fd);
	close_p(&fd);
	return r < 0 ? r : sideband_parse_cpus(ret, room, t->text.at, t->text.len);
}

static void read_cpus_and_open(struct membership *ms, pid_t pid, unsigned most_cpus, int signal)
{
	struct tracked *t = ms->tracked;
	int cpus[PERF_CPUS_MAX];
	ptrdiff_t most = most_cpus;
	int r = text_read_at(&t->text, t->src->sys, "devices/system/cpu/online");
	ptrdiff_t n = r < 0 ? r : sideband_parse_cpus(cpus, countof(cpus), t->text.at, t->text.len);

	/* Only if it matters: this takes as long as all the rest. */
	if (n > most) {
		ptrdiff_t allowed = read_cpuset(t, cpus, countof(cpus));

		n = allowed > 0 && allowed < n ? allowed : n;
	}
	if (n <= 0)
		(void)why_set(&ms->forks.refusal, (int)n, "cannot read which CPUs are online: %s", strerror((int)-n));
	else if (n > most)
		(void)why_set(&ms->forks.refusal, 0, "%td CPUs can be used: events for more than %td would slow forks (--perf-cpus)",
			      n, most);
	else
		(void)!sideband_open(&ms->forks.events, pid, cpus, (size_t)n, signal, &ms->forks.refusal);
	ms->forks.sideband = ms->forks.events;
}

void membership_unfollow(struct membership *ms)
{
	ms->forks.sideband = NULL;
	ms->tracked->followed = false;
	fork_events_release(&ms->forks.fork_events);
}

void fork_events_give_up(struct membership *ms)
{
	(void)why_set(&ms->forks.refusal, 0, "out of memory");
	notices_add(&ms->tracked->notices, &ms->noticed.forks, "out of memory: processes that start and exit between samples are no longer counted");
	membership_unfollow(ms);
}

void membership_follow(struct membership *ms, pid_t root, unsigned cpus, int signal)
{
	struct tracked *t = ms->tracked;
	/* perf records forks from now on.  It covers the whole tree only if the command has not started yet. */
	if (t->no_children)
		(void)why_set(&ms->forks.refusal, 0, "children are not tracked");
	else if (!t->ours)
		(void)why_set(&ms->forks.refusal, 0, "the recorder did not start it");
	else if (!t->clocks)
		(void)why_set(&ms->forks.refusal, 0, "/proc shows other pids than ours");
	else
		read_cpus_and_open(ms, root, cpus, signal);
	t->followed = ms->forks.sideband != NULL;
	if (!ms->forks.sideband)
		return;

	uint32_t i = fork_events_add(&ms->forks.fork_events, root);

	if (i == 0) {
		fork_events_give_up(ms);
		return;
	}
	ms->forks.fork_events.started++;
}

struct sideband *membership_events(const struct membership *ms)
{
	return ms->forks.events;
}

int membership_open(struct membership **ret, struct visits *v)
{
	struct membership *ms = calloc(1, sizeof *ms);

	if (!ms)
		return -ENOMEM;
	ms->tracked = v->tracked;
	ms->accounts = v->accounts;
	ms->memory = v->memory;
	ms->visits = v;
	ms->walking.own_children = -1;
	*ret = ms;
	return 0;
}

void membership_close(struct membership *ms)
{
	if (!ms)
		return;
	membership_unfollow(ms);
	sideband_close(ms->forks.events);
	close_p(&ms->walking.own_children);
	free(ms->walking.strangers);
	free(ms->leaving.gone);
	free(ms);
}

struct membership_news membership_news(const struct membership *ms)
{
	const struct fork_events *b = &ms->forks.fork_events;

	return (struct membership_news){
		.tasks = b->tasks, .ended = b->ended, .lost = b->lost,
		.waiting = b->at && b->at[FORK_EVENTS_WAITING].after,
	};
}
