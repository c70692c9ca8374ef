/*
 * old_glibc.c - lets what is linked with a newer glibc load with one as old as 2.17.
 *
 * Linked with the options in old_glibc.wrap, which name each function below.  Those that have moved into libc.so since are
 * taken with the version that they had before: an older glibc has that in libpthread or libdl, which every interpreter has
 * loaded, and which a program must name.  The others were no functions then, and are system calls.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define BEFORE(x86_64) x86_64
#elif defined(__aarch64__)
#define BEFORE(x86_64) "GLIBC_2.17"             /* this architecture's first */
#endif

/* result, name, arguments as declared, arguments as given, x86_64's version */
#define MOVED(result, name, declared, given, version) \
	__asm__(".symver before_" #name ", " #name "@" BEFORE(version)); \
	result before_##name declared; \
	result __wrap_##name declared; \
	result __wrap_##name declared { return before_##name given; }

MOVED(int, pthread_create, (pthread_t *ret, const pthread_attr_t *a, void *(*run)(void *), void *context),
      (ret, a, run, context), "GLIBC_2.2.5")
MOVED(int, pthread_join, (pthread_t thread, void **ret), (thread, ret), "GLIBC_2.2.5")
MOVED(int, pthread_detach, (pthread_t thread), (thread), "GLIBC_2.2.5")
MOVED(int, pthread_attr_setstacksize, (pthread_attr_t *a, size_t size), (a, size), "GLIBC_2.2.5")
MOVED(int, pthread_condattr_setclock, (pthread_condattr_t *a, clockid_t clock), (a, clock), "GLIBC_2.3.3")
MOVED(int, pthread_setname_np, (pthread_t thread, const char *name), (thread, name), "GLIBC_2.12")
MOVED(void *, dlopen, (const char *path, int flags), (path, flags), "GLIBC_2.2.5")
MOVED(void *, dlsym, (void *library, const char *name), (library, name), "GLIBC_2.2.5")
MOVED(int, dlclose, (void *library), (library), "GLIBC_2.2.5")
MOVED(char *, dlerror, (void), (), "GLIBC_2.2.5")

ssize_t __wrap_getdents64(int fd, void *ret, size_t size);
int __wrap_fstatat(int folder, const char *path, struct stat *ret, int flags);
int __wrap_fstat(int fd, struct stat *ret);
int __wrap_stat(const char *path, struct stat *ret);
int __wrap_lstat(const char *path, struct stat *ret);
ssize_t __wrap_getrandom(void *ret, size_t size, unsigned flags);
void *__wrap_reallocarray(void *at, size_t n, size_t size);
void __wrap___explicit_bzero_chk(void *at, size_t n, size_t size);

ssize_t __wrap_getdents64(int fd, void *ret, size_t size)
{
	return syscall(SYS_getdents64, fd, ret, size);
}

int __wrap_fstatat(int folder, const char *path, struct stat *ret, int flags)
{
	return (int)syscall(SYS_newfstatat, folder, path, ret, flags);
}

int __wrap_fstat(int fd, struct stat *ret)
{
	return (int)syscall(SYS_fstat, fd, ret);
}

int __wrap_stat(const char *path, struct stat *ret)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, ret, 0);
}

int __wrap_lstat(const char *path, struct stat *ret)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, ret, AT_SYMLINK_NOFOLLOW);
}

ssize_t __wrap_getrandom(void *ret, size_t size, unsigned flags)
{
	return syscall(SYS_getrandom, ret, size, flags);
}

void *__wrap_reallocarray(void *at, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(at, bytes);
}

void __wrap___explicit_bzero_chk(void *at, size_t n, size_t size)
{
	(void)size;
	memset(at, 0, n);
	__asm__ volatile("" : : "r"(at) : "memory");    /* the zeros are not left out */
}
