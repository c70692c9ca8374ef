/*
 * load.h - functions that the load programs share: burning CPU by its own clock, truth in shared memory, a time limit
 * for every process, and the line of JSON that reports what was used.
 *
 * A load uses a known amount of something, so that `verify` and the tests can compare the tracker's figures.  Seconds
 * and bytes everywhere.  What fails here ends the process by load_fail.  Memory is never freed.
 */
#ifndef RT_VERIFY_LOAD_H
#define RT_VERIFY_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * The loads: argv[0] is ignored, the options are listed at the head of each file.  Return 0, or 2 after a sentence on
 * stderr if the load cannot run here.
 */
int load_cpu(int argc, char **argv);
int load_memory(int argc, char **argv);
int load_io(int argc, char **argv);
int load_tcp(int argc, char **argv);
int load_mmap(int argc, char **argv);
int load_nothing(int argc, char **argv);
int load_pool(int argc, char **argv);
int load_leaderless(int argc, char **argv);
int load_switching(int argc, char **argv);
int load_build(int argc, char **argv);
int load_forkers(int argc, char **argv);

enum { LOAD_LIMIT_SECONDS = 3600, LOAD_ROWS = 4 };

/* Prints an error on stderr and exits with 2. */
_Noreturn void load_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Options are `--name value`, or `--name` alone if `flag` is set.  A flag's value is "1"; options not given keep the
 * value in the table, which can be NULL.
 */
struct load_option { const char *name; const char *value; bool flag; };
void load_options(struct load_option *options, size_t n, int argc, char **argv);
double load_number(const char *text);           /* NULL: 0 */

/*
 * Every process of a load calls this first: it dies with its parent (unless `orphan`) and after LOAD_LIMIT_SECONDS at
 * the latest, so that no load outlives the test that started it.  The limit allows for busy machines, on which
 * seconds become minutes.
 */
void load_limit(bool orphan);

double load_clock(clockid_t id);                /* seconds */
void load_sleep(double seconds);
void load_sleep_until(double monotonic_seconds);
/*
 * Sleeps for `seconds`, and, if `rows` names the file into which a recorder writes its samples, until it has
 * LOAD_ROWS more lines, so that the last but one began and ended meanwhile.
 */
void load_hold(double seconds, const char *rows);
/* Waits until the file has so many lines. */
void load_await(const char *rows, unsigned lines);

/* Burns CPU in user mode until the CPU clock `id` has advanced by `seconds`. */
void load_burn(clockid_t id, double seconds);

/* Zeroed memory, shared with all processes that are forked later. */
void *load_shared(size_t bytes);

/* Private memory in small pages, all of them written to. */
char *load_touched(size_t bytes);

double load_cpu_self(void);                     /* by getrusage: user + system */
double load_cpu_children(void);                 /* children that were waited for */
double load_switches(void);                     /* voluntary and involuntary: its own and those of children waited
						   for */
/* A field of /proc/FILE in its own unit, such as ("self/status", "VmHWM:"), within the first 8 KiB. */
double load_proc(const char *file, const char *key);

/* Writes a line, of at most 1022 bytes, and a newline with one write to the file, or to stdout if path is NULL. */
void load_emit(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
