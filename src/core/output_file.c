/* output_file.c - opens an output file that the user named. */
#include "output_file.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "scan.h"

struct place {
	int folder;                             /* AT_FDCWD, or to be closed */
	const char *name;                       /* in it */
	bool shared;                            /* every user can make files there */
	uid_t owner;                            /* of the folder */
};

static int find_place(struct place *ret, const char *path)
{
	const char *slash = strrchr(path, '/');
	struct place p = { .folder = AT_FDCWD, .name = slash ? slash + 1 : path };
	struct stat status;

	if (!*path)
		return -ENOENT;
	if (!*p.name)
		return -EISDIR;
	if (slash) {
		auto_free char *folder = strndup(path, size_max(1, (size_t)(slash - path)));

		p.folder = folder ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
		if (p.folder < 0)
			return folder ? -errno : -ENOMEM;
	}
	if (fstatat(p.folder, slash ? "" : ".", &status, slash ? AT_EMPTY_PATH : 0) == 0) {
		p.shared = (status.st_mode & S_ISVTX) && (status.st_mode & S_IWOTH);
		p.owner = status.st_uid;
	}
	*ret = p;
	return 0;
}

int output_file_descriptor(const char *name)
{
	static const struct { const char *name; int fd; } standard[] = {
		{ "-", STDOUT_FILENO }, { "/dev/stdout", STDOUT_FILENO }, { "/dev/stderr", STDERR_FILENO },
	};
	static const char *const folders[] = { "/dev/fd/", "/proc/self/fd/" };

	for (size_t i = 0; i < countof(standard); i++)
		if (strcmp(name, standard[i].name) == 0)
			return standard[i].fd;
	for (size_t i = 0; i < countof(folders); i++) {
		size_t n = strlen(folders[i]);
		struct scan s = scan_of(name + size_min(n, strlen(name)), strlen(name) - size_min(n, strlen(name)));
		uint64_t fd;

		if (strncmp(name, folders[i], n) == 0 && scan_u64(&s, &fd) && s.at == s.end && fd <= INT_MAX)
			return (int)fd;
	}
	return -1;
}

static void leave_place(struct place *p)
{
	if (p->folder >= 0)
		close_p(&p->folder);
}

static bool is_planted(const struct place *p, const struct stat *status)
{
	return p->shared && status->st_uid != geteuid() && status->st_uid != p->owner;
}

/* Opens an existing file, perhaps a link or FIFO.  Checks use the opened file, so it cannot be exchanged meanwhile. */
static int open_there(const struct place *p, mode_t mode, bool wait, bool append)
{
	int flags = O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC | O_NONBLOCK | (p->shared ? O_NOFOLLOW : 0);
	int fd = openat(p->folder, p->name, flags, mode);
	struct stat status;

	/* Our own link: in such a folder no other user can exchange it. */
	if (fd < 0 && errno == ELOOP && p->shared) {
		if (fstatat(p->folder, p->name, &status, AT_SYMLINK_NOFOLLOW) < 0)
			return -errno;
		if (is_planted(p, &status))
			return -EACCES;
		flags &= ~O_NOFOLLOW;
		fd = openat(p->folder, p->name, flags, mode);
	}
	if (fd < 0 && errno == ENXIO && wait && fstatat(p->folder, p->name, &status, 0) == 0 &&
	    S_ISFIFO(status.st_mode)) {
		if (is_planted(p, &status))
			return -EACCES;
		fd = openat(p->folder, p->name, flags & ~(O_CREAT | O_NONBLOCK));
	}
	if (fd < 0)
		return -errno;

	int r = fstat(fd, &status) < 0 ? -errno : 0;

	if (r == 0 && (flags & O_NOFOLLOW) && !S_ISCHR(status.st_mode) && is_planted(p, &status))
		r = -EACCES;
	if (r == 0 && S_ISREG(status.st_mode) && !append && ftruncate(fd, 0) < 0)
		r = -errno;
	if (r < 0) {
		(void)close(fd);
		return r;
	}
	(void)fcntl(fd, F_SETFL, 0);            /* writes can block from now on */
	return fd;
}

int output_file_look(const char *path, mode_t *ret_type, struct why *reason)
{
	struct stat status;
	struct place p;
	int r = find_place(&p, path);

	*ret_type = 0;
	if (r < 0)
		return why_set(reason, r, "%s", strerror(-r));
	if (fstatat(p.folder, p.name, &status, AT_SYMLINK_NOFOLLOW) < 0)
		r = errno == ENOENT ? 0 : why_set(reason, -errno, "%s", strerror(errno));
	else if (is_planted(&p, &status))
		r = why_set(reason, -EACCES, "it belongs to another user, in a folder in which every user can create files");
	else
		*ret_type = status.st_mode & S_IFMT;
	leave_place(&p);
	return r;
}

static int open_file(const char *path, mode_t mode, bool wait, bool append, struct why *reason)
{
	mode_t type;
	struct place p;
	int fd = find_place(&p, path);

	if (fd == 0) {
		fd = openat(p.folder, p.name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		fd = fd >= 0 ? fd : errno == EEXIST ? open_there(&p, mode, wait, append) : -errno;
		leave_place(&p);
	}
	if (fd >= 0) {
		if (append)
			(void)fcntl(fd, F_SETFL, O_APPEND);
		return fd;
	}
	if (fd == -EACCES && output_file_look(path, &type, reason) == -EACCES)
		return fd;
	return why_set(reason, fd, "%s", fd == -ENXIO ? "nothing reads from it" : strerror(-fd));
}

int output_file_open(const char *path, mode_t mode, bool wait, struct why *reason)
{
	return open_file(path, mode, wait, false, reason);
}

int output_file_append(const char *path, mode_t mode, struct why *reason)
{
	return open_file(path, mode, false, true, reason);
}

void output_file_hold(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	(void)fcntl(fd, F_OFD_SETLK, &lock);
}

bool output_file_is_held(int fd)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}
