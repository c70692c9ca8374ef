/*
 * verify.h - `resource-tracker verify`: runs the recorder on loads of known use.
 *
 * A trial is one run of a built-in load (load.h) under the recorder.  The load reports what it used, by its own
 * clocks and counts; the recorder's record has the measured values.  A figure is one quantity of a trial: the true
 * and the reported value, and a verdict.
 */
#ifndef RT_VERIFY_H
#define RT_VERIFY_H

#include "../core/buffer.h"
#include "../core/json_read.h"
#include "../core/metrics.h"
#include "../core/why.h"
#include "../text/page.h"

enum quantity {
	QUANTITY_CPU, QUANTITY_PROGRAM, QUANTITY_STARTED, QUANTITY_SWITCHES, QUANTITY_PEAK, QUANTITY_PSS,
	QUANTITY_WRITTEN, QUANTITY_READ, QUANTITY_SENT, QUANTITY_RECEIVED, QUANTITY_COUNT,
};

struct quantity_info {
	const char *name, *key;                 /* for people, for JSON */
	enum total_metric metric;               /* in the record */
	enum total_metric also;                 /* added to it; METRIC_NONE: nothing */
	enum total_metric lower, upper;         /* its bounds there; METRIC_NONE: none */
	enum total_metric missed;               /* or the most that can be missing; METRIC_NONE: not reported */
	const char *truth;                      /* the key in the load's report */
	const char *source;                     /* the recorder's source; NULL: named in the record */
	enum unit unit;
	double relative, absolute;              /* the bound: the larger of both */
	double widest;                          /* or reported bounds that hold the truth and are at most this part
						   of it wide; short-lived CPU has a width of its own */
	double farthest;                        /* and a value within them is off by at most this part; 0: the value
						   is not judged */
	const char *bound;                      /* the same for people */
	const char *doubt;                      /* why the answer can be an interval, for people; NULL: it never is */
};

extern const struct quantity_info verify_quantities[QUANTITY_COUNT];

enum verdict {
	VERDICT_GOOD,
	VERDICT_BROKEN,
	VERDICT_NOT_MEASURED,                   /* the recorder has no value, and reports that */
	VERDICT_NOT_TESTED,                     /* the load cannot be run here */
	VERDICT_COUNT,
};
const char *verdict_name(enum verdict v);       /* "ok", "BROKEN", "not measured", "not tested" */

struct span { double low, high; };              /* NONE: not known */

struct figure {
	const char *load;                       /* name of the test case */
	enum quantity quantity;
	char   program[16];                     /* of this program; "": of all */
	bool   has_hidden_ends;                 /* CPU of children with ends that perf does not see */
	bool   has_no_count;                    /* the number of started processes is unknown: bounds allow for any */
	bool   source_is_forced;                /* by --cpu-source: then it is also judged by what it cannot see */
	double truth;
	double whole;                           /* the relative bound is a part of this: the truth, or that of all
						   programs */
	struct span true_span;                  /* the truth is somewhere in it */
	double reported;
	struct span printed;                    /* the bounds that the recorder reports */
	char   source[24];
	size_t samples, without_value;          /* taken while it was held, and those without a value; the figure is
						   the worst of them.  0: no sample is needed */
	enum verdict verdict;
	struct why why;                         /* why it is not ok */
};

/* ---- judge.c: pure ---------------------------------------------------------------------- */

/* Sets verdict and why from the values; verdicts "not tested" and "not measured" stay. */
void figure_judge(struct figure *f);
double figure_error(const struct figure *f);    /* reported minus true, 0 inside true_span; NONE: unknown */
bool   figure_is_near(const struct figure *f);  /* the value itself is within the bound, not only the interval */
/*
 * CPU time is near, but outside of the recorder's bounds: that is an error, or the machine took the CPU from the load
 * for milliseconds in its last moments, which count as its use and which it cannot measure.
 */
bool   figure_is_doubtful(const struct figure *f);
/* Good only because of its interval: that is the answer, and the value in it is not judged. */
bool   figure_is_interval(const struct figure *f);
bool   figure_is_worse(const struct figure *f, const struct figure *than);      /* both are judged */

/* ---- cases.c: the built-in loads --------------------------------------------------------- */

enum trait {
	PLAIN, HIDDEN_ENDS,                     /* children under 5 ms, or that no process waits for */
	ATTACHES,                               /* it already runs when the recorder starts and attaches to it */
};

struct test_case {
	const char *name, *what;                /* "short-children", and a short description */
	const char *const *load;                /* words: the load and its options */
	enum trait trait;
	unsigned quantities;                    /* bit set of enum quantity */
	unsigned memory_mib;                    /* that it needs; 0: hardly any */
	double hold_seconds;                    /* its use stays constant for so long, for a sample; 0: no sample is
						   needed */
};

extern const struct test_case test_cases[];
extern const size_t n_test_cases;

/* For how long the load holds a quantity that only a sample can see, so that a sample falls into it; 0: not at all. */
double case_hold(const struct test_case *c, double interval_seconds);

/* ---- surroundings.c: the conditions for trials -------------------------------------------- */

/* Bytes of memory that this machine and our control group have left; NONE: unknown. */
double memory_room(void);

enum { BUSY_MAX = 256 };

struct busy { size_t n; pid_t pid[BUSY_MAX]; };

/*
 * Starts n processes, at most BUSY_MAX, that only compute; they end with this one at the latest.  -errno with a
 * sentence, and none runs.
 */
int  busy_begin(struct busy *b, size_t n, struct why *why) must_use;
void busy_end(struct busy *b);

/* From now on perf_event_open fails with EPERM for this process and all its descendants.  0 or -errno. */
int refuse_perf(void) must_use;

/* ---- trial.c: a load run under the recorder ---------------------------------------------- */

enum { LOAD_WORDS_MAX = 24, TRUTH_MAX = 2048 };

struct bench {                                  /* what all trials share */
	char   directory[4000];                 /* private, removed at the end; file loads write here */
	const char *recorder, *self;            /* paths of the programs */
	const char *interval, *cpu_source, *perf_cpus;      /* as for the recorder's options; NULL: its default */
	bool   without_perf;                    /* perf is refused to the recorder, as in a container */
	double interval_seconds;                /* the same in seconds, or the default if it is not valid */
	volatile int *stopped;                  /* the signal that ended the verification, or 0 */
};

struct trial {
	struct json_value truth;                /* in text[]; an object */
	char   text[TRUTH_MAX];
	double began, ended;                    /* CLOCK_MONOTONIC, around the whole trial */
	bool   refused;                         /* the load reported that it cannot run here */
	bool   not_started;                     /* the recorder reported that it cannot run like this */
	struct why why;
};

int  bench_open(struct bench *b, struct why *why) must_use;     /* creates the directory.  -errno with a sentence */
void bench_close(struct bench *b);                              /* removes it, with its files */
/* The path of the record of the last trial. */
void bench_record(const struct bench *b, char *ret, size_t size);

enum recorded { BARE, AROUND, ATTACHED };       /* without recorder; started by it; attached to */

/*
 * Runs the load; hold_seconds, unless 0, is passed as one more option.
 * 0; -EINTR: stopped by a signal; else -errno with a sentence in ret->why, and `refused` set if it came from the
 * load.  *ret is written in any case.  Waits for both to end.
 */
int  trial_run(struct trial *ret, const struct bench *b, const char *const *load, double hold_seconds,
	       enum recorded recorded) must_use;
double trial_truth(const struct trial *t, const char *key);     /* NONE if the load did not report it, or nothing */

/* ---- record_figures.c: figures from load and record --------------------------------------- */

/* The recorder's own notices of what it could not measure, each once. */
enum { NOTICES_MAX = 8 };
struct notices { struct why at[NOTICES_MAX]; size_t n; };

/* The recorder's own use over all trials. */
struct own_cost {
	double cpu_seconds, seconds;            /* of the recorder, of the runs */
	double rss_bytes;                       /* largest */
	double sample_seconds;                  /* longest time to take one sample */
	double interval_seconds;                /* as the recorder reported it */
};

/* Judges a figure for each quantity of the case and each program.  Returns how many: at most FIGURES_OF_MAX. */
enum { FIGURES_OF_MAX = 16 };
size_t figures_of(struct figure *ret, const struct test_case *c, const struct trial *t, int trial_result,
		  const struct bench *b, struct own_cost *own, struct notices *notices);

/* ---- cost.c: the recorder's cost for the job ---------------------------------------------- */

struct cost {
	struct own_cost own;
	double start_seconds, end_seconds;      /* how much later a command starts, and its end is passed on */
	double longest_bare_seconds, longest_seconds;   /* the job's longest wait in mmap, without the recorder and
							   with it */
	double speed;                           /* rounds of mmap with the recorder, relative to those without */
};

/* -EINTR if stopped; quantities that could not be measured stay as they are. */
int cost_measure(struct cost *c, const struct bench *b) must_use;

/* ---- table.c, verify_json.c: the output --------------------------------------------------- */

struct verification {
	const struct figure *figures;
	size_t n;
	const struct cost *cost;                /* NULL: not measured */
	struct notices notices;
	double interval_seconds, seconds;       /* seconds: duration of the whole verification */
	bool   root;                            /* this process runs as root */
};

void verify_table(struct buffer *out, const struct verification *v, const struct summary_style *style);
void verify_json(struct buffer *out, const struct verification *v);

#endif
