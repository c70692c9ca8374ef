/* leaf.c - a control group of the tree's own. */
#include "leaf.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>

#include "../collect/cgroup.h"
#include "../collect/cgroup_path.h"
#include "../core/scan.h"
#include "proc_parse.h"

enum { TRIES = 5 };                             /* to remove a leaf, in a millisecond */

static const char prefix[] = "resource-tracker-";

bool leaf_is_unit(const char *name, size_t n)
{
	static const char *const kinds[] = { ".service", ".scope", ".slice", ".mount", ".socket", ".swap" };

	for (size_t i = 0; i < countof(kinds); i++) {
		size_t length = strlen(kinds[i]);

		if (n > length && memcmp(name + n - length, kinds[i], length) == 0)
			return true;
	}
	return false;
}

bool leaf_owner(const char *name, uint64_t pid_namespace, pid_t *ret_pid, uint64_t *ret_made)
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

/* ---- whether the hierarchy is ours to write -------------------------------------------- */

/* systemd marks what it has made over to others (its documentation: CGROUP_DELEGATION). */
static bool is_delegated(int group)
{
	char yes = '\0';

	return (fgetxattr(group, "user.delegate", &yes, 1) == 1 && yes == '1') ||
	       (fgetxattr(group, "trusted.delegate", &yes, 1) == 1 && yes == '1');
}

/* From the group (`own`) upwards: the first that is delegated or a unit decides, at last the hierarchy's top. */
static bool is_managed(const struct source *src, const struct cgroup_place *place, int own)
{
	size_t whole = strlen(place->path), length = whole;

	for (;; length = cgroup_parent(place, length)) {
		auto_close int above = length < whole ? cgroup_open(src, place, length, ".") : -1;
		int group = length < whole ? above : own;
		size_t parent = length > 0 ? cgroup_parent(place, length) : 0;

		if (group >= 0 && is_delegated(group))
			return false;
		if (length == 0)
			return group >= 0 && faccessat(group, "init.scope", F_OK, 0) == 0;
		if (leaf_is_unit(place->path + parent + 1, length - parent - 1))
			return true;
	}
}

/* Programs that size themselves by their limits (JVMs, for one) read them in their own group alone. */
bool leaf_hides_limits(int group)
{
	static const char *const files[] = { "memory.max", "memory.high", "cpu.max" };
	char line[64];

	for (size_t i = 0; i < countof(files); i++)
		if (source_read_line(line, sizeof line, group, files[i]) == 0 && strncmp(line, "max", 3) != 0)
			return true;
	return false;
}

/* ---- making, reading, removing --------------------------------------------------------- */

static uint64_t pid_namespace(const struct source *src)
{
	struct stat st;

	return fstatat(src->proc, "self/ns/pid", &st, 0) == 0 ? st.st_ino : 0;
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

static int make(struct leaf *l, const struct source *src)
{
	(void)snprintf(l->name, sizeof l->name, "%s%llu-%d-%llu", prefix, (unsigned long long)pid_namespace(src),
		       (int)getpid(), (unsigned long long)ticks_since_boot(src));
	if (mkdirat(l->parent, l->name, 0755) < 0)
		return -errno;
	l->directory = openat(l->parent, l->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (l->directory >= 0)
		l->usage = openat(l->directory, "cpu.stat", O_RDONLY | O_CLOEXEC);
	return l->usage < 0 ? -errno : 0;
}

/* The root of version 2 has no count of its own, only ticks (root_cgroup_cputime in kernel/cgroup/rstat.c). */
static void open_above(struct leaf *l, const struct source *src)
{
	struct cgroup_finder finder = { .src = src };
	const struct cgroup_place *v1 = &finder.place[HIERARCHY_CPUACCT];
	struct text text = { 0 };

	if (l->parent >= 0 && faccessat(l->parent, "cgroup.events", F_OK, 0) == 0)
		l->above = openat(l->parent, "cpu.stat", O_RDONLY | O_CLOEXEC);
	if (l->above < 0 && src->live && cgroup_find(&finder, &text) >= 0 && cgroup_is_found(v1)) {
		l->above = cgroup_open(src, v1, strlen(v1->path), "cpuacct.usage");
		l->above_is_v1 = true;
	}
	text_release(&text);
}

static int open_below_own(struct leaf *l, const struct source *src, enum leaf_wish wish, struct text *text,
			  struct why *why)
{
	bool asked = wish == LEAF_ASKED;
	struct cgroup_finder finder = { .src = src, .only_v2 = true };
	const struct cgroup_place *place = &finder.place[HIERARCHY_V2];
	int r = src->live ? cgroup_find(&finder, text) : -ENODATA;

	if (r >= 0 && cgroup_is_found(place))
		l->parent = cgroup_open(src, place, strlen(place->path), ".");
	if (r < 0 || !cgroup_is_found(place))
		return why_set(why, -ENODATA, "there is no control group version 2 here");
	if (l->parent < 0)
		return why_set(why, l->parent, "cannot open our control group: %s", strerror(-l->parent));
	if (wish == LEAF_UNWANTED)
		return -ECANCELED;
	if (!asked && is_managed(src, place, l->parent))
		return why_set(why, -EPERM, "our control group is a service manager's, and not delegated");
	if (!asked && leaf_hides_limits(l->parent))
		return why_set(why, -EPERM, "our control group has limits, which the command would not find below it");
	r = make(l, src);
	return r < 0 ? why_set(why, r, "cannot make a control group: %s", strerror(-r)) : 0;
}

int leaf_read(const struct leaf *l, struct leaf_usage *ret)
{
	static const uint64_t all = 1U << CGROUP_USAGE_NS | 1U << CGROUP_USER_NS | 1U << CGROUP_SYSTEM_NS;
	struct cgroup_counters now = { 0 };
	char text[1024];
	ssize_t n = pread(l->usage, text, sizeof text, 0);

	if (n < 0)
		return -errno;
	cgroup_parse_cpu_stat(&now, text, (size_t)n);
	if ((now.found & all) != all)
		return -EBADMSG;
	*ret = (struct leaf_usage){
		now.value[CGROUP_USAGE_NS], now.value[CGROUP_USER_NS], now.value[CGROUP_SYSTEM_NS],
	};
	return 0;
}

int leaf_read_above(const struct leaf *l, uint64_t *ret_ns)
{
	struct cgroup_counters now = { 0 };
	char text[1024];
	ssize_t n = l->above >= 0 ? pread(l->above, text, sizeof text, 0) : -1;

	if (n < 0)
		return -ENODATA;
	if (l->above_is_v1)
		cgroup_parse_number(&now, CGROUP_USAGE_NS, text, (size_t)n);
	else
		cgroup_parse_cpu_stat(&now, text, (size_t)n);
	if (!(now.found & 1U << CGROUP_USAGE_NS))
		return -ENODATA;
	*ret_ns = now.value[CGROUP_USAGE_NS];
	return 0;
}

/* A process that began after it was made has its pid from somebody else. */
static bool is_alive(const struct source *src, struct text *text, pid_t pid, uint64_t made)
{
	char who[16];
	uint64_t now = 0;

	if (kill(pid, 0) < 0 && errno == ESRCH)
		return false;
	(void)snprintf(who, sizeof who, "%d", (int)pid);
	return start_of(&now, src, text, who) < 0 || now <= made;
}

/* Groups with processes cannot be removed, so the worst that can happen is nothing. */
static void sweep(int group, const struct source *src)
{
	DIR *folder = source_open_folder(group, ".");
	uint64_t namespace = pid_namespace(src), made;
	struct text text = { 0 };
	struct dirent *entry;
	pid_t pid;

	while (folder && (entry = readdir(folder)) != NULL)
		if (leaf_owner(entry->d_name, namespace, &pid, &made) && !is_alive(src, &text, pid, made))
			(void)unlinkat(group, entry->d_name, AT_REMOVEDIR);
	if (folder)
		(void)closedir(folder);
	text_release(&text);
}

static int remove_leaf(struct leaf *l, const struct source *src)
{
	int r = l->name[0] && unlinkat(l->parent, l->name, AT_REMOVEDIR) < 0 ? -errno : 0;

	if (r == -EBUSY && l->directory >= 0)
		sweep(l->directory, src);               /* a recorder inside may have died */
	for (int i = 0; i < TRIES && r == -EBUSY; i++) {        /* and a process be on its way out */
		(void)nanosleep(&(struct timespec){ .tv_nsec = 1000000 / TRIES }, NULL);
		r = unlinkat(l->parent, l->name, AT_REMOVEDIR) < 0 ? -errno : 0;
	}
	close_p(&l->usage);
	close_p(&l->directory);
	l->name[0] = '\0';
	return r;
}

void leaf_give_up(struct leaf *l, const struct source *src)
{
	(void)remove_leaf(l, src);
	open_above(l, src);
	close_p(&l->parent);
}

int leaf_open(struct leaf *ret, const struct source *src, enum leaf_wish wish, struct why *why)
{
	struct leaf l = { .parent = -1, .directory = -1, .usage = -1, .above = -1 };
	struct text text = { 0 };
	int r = open_below_own(&l, src, wish, &text, why);

	text_release(&text);
	if (r < 0)
		leaf_give_up(&l, src);
	*ret = l;
	return r;
}

void leaf_sweep(const struct leaf *l, const struct source *src)
{
	sweep(l->parent, src);
}

int leaf_close(struct leaf *l, const struct source *src)
{
	int r = remove_leaf(l, src);

	close_p(&l->parent);
	close_p(&l->above);
	return r;
}
