/*
 * load.h - what the load programs share: burning CPU by its own clock, truth kept in shared memory,
 * an end for every process, and the one line of JSON that says what was used.
 */
#ifndef RT_VERIFY_LOAD_H
#define RT_VERIFY_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * The loads: argv[0] is not looked at, the options stand at the head of each file.  0, or 2 after a sentence
 * on stderr why it cannot be done here.
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

/* Says what is wrong on stderr and leaves with 2. */
_Noreturn void load_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Options are `--name value`, or `--name` alone for those whose `flag` is set.  A flag's value is
 * "1"; what was not given keeps the value it has in the table, which may be NULL.
 */
struct load_option { const char *name; const char *value; bool flag; };
void load_options(struct load_option *options, size_t n, int argc, char **argv);
double load_number(const char *text);

/*
 * Every process of a load calls this first: it dies with its parent (unless `orphan`) and after
 * LOAD_LIMIT_SECONDS at the latest, so that no load outlives the test that started it.  What takes seconds
 * on a calm machine takes minutes on a busy one.
 */
void load_limit(bool orphan);

double load_clock(clockid_t id);                /* seconds */
void load_sleep(double seconds);
void load_sleep_until(double monotonic_seconds);
/*
 * Sleeps for `seconds`, and if `rows` names the file into which a recorder writes its samples, until it has
 * written LOAD_ROWS more, of which the last but one began and ended meanwhile.
 */
void load_hold(double seconds, const char *rows);
/* Until the file has so many lines. */
void load_await(const char *rows, unsigned lines);

/* Burns in user mode until the CPU clock `id` has moved on by `seconds`. */
void load_burn(clockid_t id, double seconds);

/* Zeroed memory that all processes forked later share. */
void *load_shared(size_t bytes);

/* Memory of this process alone, in small pages, each of them written to. */
char *load_touched(size_t bytes);

double load_cpu_self(void);                     /* by getrusage: user + system */
double load_cpu_children(void);                 /* those waited for */
double load_switches(void);                     /* voluntary and involuntary: of its own and of those waited for */
/* A field of /proc/FILE in its own unit, such as ("self/status", "VmHWM:"). */
double load_proc(const char *file, const char *key);

/* Writes `line` and a newline at once to the file, or to stdout if path is NULL. */
void load_tell(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
