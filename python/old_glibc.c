/*
 * old_glibc.c - lets the extension load with a glibc as old as 2.17, whatever newer one it was linked with.
 *
 * build_wheel.py links it with --wrap=NAME for each function below.  Those that have moved into libc.so since are taken
 * with the version that they had before: an older glibc finds that in libpthread or libdl, which every interpreter has
 * loaded.  The others were no functions then, and are system calls.
 */
#include <fcntl.h>
#include <pthread.h>
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
