/* member_files.c - the files of /proc of one member, and its CPU clock. */
#include "member_files.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>

#include "../kernel/folder.h"

enum { FDS_MAX = 3000 };

size_t fds_to_keep(const struct source *src, size_t taken)
{
	struct rlimit limit;

	if (!src->live || getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur < taken)
		return 0;
	return limit.rlim_cur == RLIM_INFINITY ? FDS_MAX : size_min((limit.rlim_cur - taken) / 2, FDS_MAX);
}

/* Makes room for other files: members without kept descriptors are read by openat, 3.4 us dearer. */
static void release_fds(struct tracked *t)
{
	t->fds.max = t->fds.kept / 2;
	for (size_t i = 0; i < t->members.n; i++)
		member_close(t, t->members.order[i]);
}

static int open_file(struct tracked *t, const struct member *m, enum member_file file)
{
	static const char *const names[] = { "stat", "statm", "io", "children" };
	char path[PROC_PATH];

	proc_path(path, m->pid, file == FILE_CHILDREN ? m->pid : file == FILE_STATM ? m->figures.speaker : 0,
		  names[file]);

	int fd = source_open_file(t->src->proc, path);

	if (fd < 0 && (errno == EMFILE || errno == ENFILE) && t->fds.kept > 0) {
		release_fds(t);
		fd = source_open_file(t->src->proc, path);
	}
	if (fd < 0 && (errno == EMFILE || errno == ENFILE)) {
		notices_add(&t->notices, &t->fds.noticed, "out of file descriptors: some processes are not read");
		return -EMFILE;
	}
	return fd < 0 ? -errno : fd;
}

static int read_file(struct tracked *t, int fd, enum member_file file)
{
	return file == FILE_CHILDREN ? text_read_list(&t->list, fd) : text_read(&t->text, fd);
}

/*
 * A kept descriptor of stat, statm, io or children survives exec and never reaches a recycled pid:
 * it answers ESRCH once the process is reaped.  A captured tree has no such descriptors.
 */
int member_text(struct tracked *t, struct member *m, enum member_file file)
{
	if (m->fd[file] >= 0)
		return read_file(t, m->fd[file], file);

	auto_close int fd = open_file(t, m, file);

	if (fd < 0)
		return fd;

	int r = read_file(t, fd, file);

	/*
	 * Most processes are read once: they end soon, or sleep from then on.  But the files of a zombie belong
	 * to root (task_dump_owner in fs/proc/base.c): the last I/O of a child of ours can only be read by
	 * others through a descriptor from before its end.
	 */
	bool early = file == FILE_IO && t->ours && m->parent == t->self;
	/* A thread may end, and its process live on. */
	bool lasts = t->src->live && !(file == FILE_STATM && m->figures.speaker);

	if (r == 0 && lasts && t->fds.kept < t->fds.max && (m->reads >= 2 || early) && fd <= INT16_MAX) {
		m->fd[file] = (int16_t)fd;
		fd = -1;
		t->fds.kept++;
	}
	return r;
}

void member_close_file(struct tracked *t, struct member *m, enum member_file file)
{
	if (m->fd[file] < 0)
		return;
	(void)close(m->fd[file]);
	m->fd[file] = -1;
	t->fds.kept--;
}

void member_close(struct tracked *t, struct member *m)
{
	for (enum member_file i = 0; i < MEMBER_FILES; i++)
		member_close_file(t, m, i);
}

/*
 * The CPU clock of any process can be read without privilege, for a tenth of what its stat costs,
 * in nanoseconds and with all threads (MAKE_PROCESS_CPUCLOCK in linux/posix-timers.h).
 */
bool member_clock(const struct tracked *t, pid_t pid, int64_t *ret_ns)
{
	enum { CPUCLOCK_SCHED = 2 };
	clockid_t id = (clockid_t)(~(unsigned)pid << 3 | CPUCLOCK_SCHED);
	struct timespec ts;

	if (!t->clocks || clock_gettime(id, &ts) < 0)
		return false;
	*ret_ns = ts.tv_sec * NS_PER_SECOND + ts.tv_nsec;
	return true;
}

bool member_is_ending(struct tracked *t, struct member *m)
{
	struct proc_stat stat;

	return member_text(t, m, FILE_STAT) < 0 || proc_parse_stat(&stat, t->text.at, t->text.len) < 0 ||
	       stat.start != m->start_ticks || stat.ending || stat.state == 'Z' || stat.state == 'X';
}

struct glance *member_glance(const struct tracked *t, const struct member *m)
{
	return &t->members.glance[m->at];
}

int thread_text(struct tracked *t, pid_t pid, pid_t thread, const char *name)
{
	char path[PROC_PATH];

	proc_path(path, pid, thread, name);
	return text_read_at(&t->text, t->src->proc, path);
}

struct proc_status thread_status(struct tracked *t, pid_t pid, pid_t thread)
{
	struct proc_status status;

	if (thread_text(t, pid, thread, "status") == 0 && proc_parse_status(&status, t->text.at, t->text.len) == 0)
		return status;
	return (struct proc_status){ 0 };
}

int64_t folder_entries(const struct tracked *t, const char *path)
{
	auto_close int folder = openat(t->src->proc, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct folder names = { .fd = folder };
	int64_t n = 0;

	if (folder < 0)
		return -errno;
	for (const char *name; (name = folder_next(&names)) != NULL;)
		n += name[0] >= '0' && name[0] <= '9';
	return n;
}
