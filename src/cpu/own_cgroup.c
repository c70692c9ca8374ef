/* own_cgroup.c - a control group for the tree: made, read, removed. */
#include "own_cgroup.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../core/scan.h"
#include "../kernel/cgroup_parse.h"
#include "../kernel/proc_parse.h"
#include "own_cgroup_place.h"

enum { TRIES = 5 };                             /* to remove an own group, within 1 ms */

static const char prefix[] = "resource-tracker-";
static const struct own_cgroup closed = {
	.parent = -1, .directory = -1, .tasks = -1, .usage = -1, .split = -1, .above = -1
};

bool own_cgroup_owner(const char *name, uint64_t pid_namespace, pid_t *ret_pid, uint64_t *ret_made)
{
	struct scan s = scan_of(name, strlen(name));
	uint64_t namespace, pid, made;

	if (!scan_literal(&s, prefix) || !scan_u64(&s, &namespace) || !scan_literal(&s, "-") ||
	    !scan_u64(&s, &pid) || !scan_literal(&s, "-") || !scan_u64(&s, &made) || s.at != s.end ||
	    namespace != pid_namespace || pid == 0 || pid > INT32_MAX)
		return false;
	*ret_pid = (pid_t)pid;
	*ret_made = made;
	return true;
}

static uint64_t pid_namespace(const struct source *src)
{
	return source_namespace(src, "pid");
}

static int start_of(uint64_t *ret, const struct source *src, struct text *text, const char *who)
{
	struct proc_stat stat;
	char path[32];

	(void)snprintf(path, sizeof path, "%s/stat", who);

	int r = text_read_at(text, src->proc, path);

	if (r == 0)
		r = proc_parse_stat(&stat, text->at, text->len);
	if (r == 0)
		*ret = stat.start;
	return r;
}

static uint64_t ticks_since_boot(const struct source *src)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_BOOTTIME, &now);

	uint64_t ticks = (uint64_t)src->ticks_per_second;

	return (uint64_t)now.tv_sec * ticks + (uint64_t)now.tv_nsec * ticks / (uint64_t)NS_PER_SECOND;
}

static int make(struct own_cgroup *l, const struct source *src)
{
	(void)snprintf(l->name, sizeof l->name, "%s%llu-%d-%llu", prefix, (unsigned long long)pid_namespace(src),
		       (int)getpid(), (unsigned long long)ticks_since_boot(src));
	if (mkdirat(l->parent, l->name, 0755) < 0)
		return -errno;
	l->directory = openat(l->parent, l->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (l->directory >= 0)
		l->usage = source_open_file(l->directory, l->is_v1 ? "cpuacct.usage" : "cpu.stat");
	if (l->usage >= 0 && l->is_v1)
		l->split = source_open_file(l->directory, "cpuacct.stat");
	if (l->split >= 0)
		l->tasks = openat(l->directory, "tasks", O_WRONLY | O_CLOEXEC);
	l->ticks_per_second = src->ticks_per_second;
	return l->usage < 0 || (l->is_v1 && l->tasks < 0) ? -errno : 0;
}

/* The root of version 2 counts in ticks only (root_cgroup_cputime in kernel/cgroup/rstat.c). */
static void open_above(struct own_cgroup *l, const struct source *src)
{
	struct cgroup_finder finder = { .src = src };
	const struct cgroup_place *v1 = &finder.place[HIERARCHY_CPUACCT];
	struct text text = { 0 };

	if (l->parent >= 0 && faccessat(l->parent, "cgroup.events", F_OK, 0) == 0)
		l->above = source_open_file(l->parent, "cpu.stat");
	if (l->above < 0 && src->live && cgroup_find(&finder, &text) >= 0 && cgroup_is_found(v1)) {
		l->above = cgroup_open(src, v1, strlen(v1->path), "cpuacct.usage");
		l->above_is_v1 = true;
	}
	text_release(&text);
}

/* Creates the own group below the group that we run in, in this hierarchy. */
static int open_below_own(struct own_cgroup *l, const struct source *src, enum own_cgroup_wish wish,
			  enum hierarchy hierarchy, struct text *text, struct why *why)
{
	struct cgroup_finder finder = { .src = src, .only_v2 = hierarchy == HIERARCHY_V2 };
	const struct cgroup_place *place = &finder.place[hierarchy];
	int r = src->live ? cgroup_find(&finder, text) : -ENODATA;

	l->is_v1 = hierarchy != HIERARCHY_V2;
	if (r >= 0 && cgroup_is_found(place))
		l->parent = cgroup_open(src, place, strlen(place->path), ".");
	if (r < 0 || !cgroup_is_found(place))
		return why_set(why, -ENODATA, "there is no control group version 2 here, nor version 1's cpuacct");
	if (l->parent < 0)
		return why_set(why, l->parent, "cannot open the recorder's control group: %s", strerror(-l->parent));
	if (wish == OWN_CGROUP_UNWANTED)
		return -ECANCELED;
	r = wish == OWN_CGROUP_ASKED ? 0 : own_cgroup_may_be_made(src, place, l->parent, l->is_v1, why);
	if (r < 0)
		return r;
	r = make(l, src);
	return r < 0 ? why_set(why, r, "cannot make a control group: %s", strerror(-r)) : 0;
}

static void add_usage(struct cgroup_counters *ret, bool is_v1, const char *text, ssize_t n)
{
	if (is_v1)
		cgroup_parse_number(ret, CGROUP_USAGE_NS, text, (size_t)n);
	else
		cgroup_parse_cpu_stat(ret, text, (size_t)n);
}

int own_cgroup_read(const struct own_cgroup *l, struct own_cgroup_usage *ret)
{
	static const uint64_t all = 1U << CGROUP_USAGE_NS | 1U << CGROUP_USER_NS | 1U << CGROUP_SYSTEM_NS;
	struct cgroup_counters now = { 0 };
	char text[1024];
	ssize_t n = pread(l->usage, text, sizeof text, 0);

	if (n < 0)
		return -errno;
	add_usage(&now, l->is_v1, text, n);
	if (l->is_v1) {
		n = pread(l->split, text, sizeof text, 0);
		if (n < 0)
			return -errno;
		cgroup_parse_cpuacct_stat(&now, text, (size_t)n, l->ticks_per_second);
	}
	if ((now.found & all) != all)
		return -EBADMSG;
	*ret = (struct own_cgroup_usage){
		now.value[CGROUP_USAGE_NS], now.value[CGROUP_USER_NS], now.value[CGROUP_SYSTEM_NS],
	};
	return 0;
}

int own_cgroup_read_above(const struct own_cgroup *l, uint64_t *ret_ns)
{
	struct cgroup_counters now = { 0 };
	char text[1024];
	ssize_t n = l->above >= 0 ? pread(l->above, text, sizeof text, 0) : -1;

	if (n < 0)
		return -ENODATA;
	add_usage(&now, l->above_is_v1, text, n);
	if (!(now.found & 1U << CGROUP_USAGE_NS))
		return -ENODATA;
	*ret_ns = now.value[CGROUP_USAGE_NS];
	return 0;
}

/* Whether the owner lives.  A process that started after the own group was created has a recycled pid. */
static bool is_alive(const struct source *src, struct text *text, pid_t pid, uint64_t made)
{
	char who[16];
	uint64_t now = 0;

	if (kill(pid, 0) < 0 && errno == ESRCH)
		return false;
	(void)snprintf(who, sizeof who, "%d", (int)pid);
	return start_of(&now, src, text, who) < 0 || now <= made;
}

/* Groups with processes cannot be removed, so an error does no harm. */
static void sweep(int group, const struct source *src)
{
	DIR *folder = source_open_folder(group, ".");
	uint64_t namespace = pid_namespace(src), made;
	struct text text = { 0 };
	struct dirent *entry;
	pid_t pid;

	while (folder && (entry = readdir(folder)) != NULL)
		if (own_cgroup_owner(entry->d_name, namespace, &pid, &made) && !is_alive(src, &text, pid, made))
			(void)unlinkat(group, entry->d_name, AT_REMOVEDIR);
	if (folder)
		(void)closedir(folder);
	text_release(&text);
}

static int remove_own_cgroup(struct own_cgroup *l, const struct source *src)
{
	int r = l->name[0] && unlinkat(l->parent, l->name, AT_REMOVEDIR) < 0 ? -errno : 0;

	if (r == -EBUSY && l->directory >= 0)
		sweep(l->directory, src);               /* a recorder inside may have died */
	for (int i = 0; i < TRIES && r == -EBUSY; i++) {        /* or a process may still be exiting */
		(void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 / TRIES }, NULL);
		r = unlinkat(l->parent, l->name, AT_REMOVEDIR) < 0 ? -errno : 0;
	}
	close_p(&l->usage);
	close_p(&l->split);
	close_p(&l->tasks);
	close_p(&l->directory);
	l->name[0] = '\0';
	return r;
}

void own_cgroup_give_up(struct own_cgroup *l, const struct source *src)
{
	(void)remove_own_cgroup(l, src);
	open_above(l, src);
	close_p(&l->parent);
}

/* If version 2 does not allow an own group, version 1 is not tried either. */
static bool is_no_use(int r)
{
	return r < 0 && r != -EPERM && r != -ECANCELED;
}

static void try_v1(struct own_cgroup *l, const struct source *src, enum own_cgroup_wish wish, int *ret,
		   struct text *text, struct why *why)
{
	struct own_cgroup v1 = closed;
	struct why reason = { "" };
	int r = open_below_own(&v1, src, wish, HIERARCHY_CPUACCT, text, &reason);

	(void)own_cgroup_close(r == 0 ? l : &v1, src);
	if (r == 0)
		*l = v1;
	if (*ret == -ENODATA)
		*why = reason;
	if (r == 0 || *ret == -ENODATA)
		*ret = r;
}

int own_cgroup_open(struct own_cgroup *ret, const struct source *src, enum own_cgroup_wish wish, struct why *why)
{
	struct own_cgroup l = closed;
	struct text text = { 0 };
	int r = open_below_own(&l, src, wish, HIERARCHY_V2, &text, why);

	if (is_no_use(r))
		try_v1(&l, src, wish, &r, &text, why);
	text_release(&text);
	if (r < 0)
		own_cgroup_give_up(&l, src);
	*ret = l;
	return r;
}

void own_cgroup_sweep(const struct own_cgroup *l, const struct source *src)
{
	sweep(l->parent, src);
}

int own_cgroup_close(struct own_cgroup *l, const struct source *src)
{
	int r = remove_own_cgroup(l, src);

	close_p(&l->parent);
	close_p(&l->above);
	return r;
}
