/*
 * verify.h - `resource-tracker verify`: the recorder beside loads whose use is known.
 *
 * A trial is one run of a built-in load (load.h) with the recorder around it.  The load writes down what it
 * used, by its own clocks and counts; the recorder's record says what it saw.  A figure is one quantity of a
 * trial, true and reported, and a verdict.
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
	enum total_metric lower, upper;         /* its bounds there; METRIC_NONE: it has none */
	enum total_metric missed;               /* or how much is missing at most; METRIC_NONE: not told */
	const char *truth;                      /* the load's word for it */
	const char *source;                     /* where the recorder has it from; NULL: the record says */
	enum unit unit;
	double relative, absolute;              /* the bound: the larger of both */
	double widest;                          /* or printed bounds that hold the truth and are no wider: this part
						   of it; short-lived CPU has its own */
	double farthest;                        /* and a value in them off by no more; 0: it claims nothing */
	const char *bound;                      /* the same for people */
	const char *doubt;                      /* why the answer may be an interval, for people; NULL: it never is */
};

extern const struct quantity_info verify_quantities[QUANTITY_COUNT];

enum verdict {
	VERDICT_GOOD,
	VERDICT_BROKEN,
	VERDICT_NOT_MEASURED,                   /* the recorder has no value, and says so */
	VERDICT_NOT_TESTED,                     /* the load cannot be run here */
	VERDICT_COUNT,
};
const char *verdict_name(enum verdict v);       /* "ok", "BROKEN", "not measured", "not tested" */

struct span { double low, high; };              /* NONE: not known */

struct figure {
	const char *load;                       /* name of the test case */
	enum quantity quantity;
	char   program[16];                     /* whose it is; "": of all */
	bool   has_hidden_ends;                 /* CPU of children whose last steps perf does not see */
	bool   has_no_count;                    /* of the processes that started: bounds allow for any number */
	bool   source_is_forced;                /* by --cpu-source: then it is held against what it cannot see, too */
	double truth;
	double whole;                           /* what the relative bound is a part of: the truth, or that of all */
	struct span true_span;                  /* the truth is somewhere in it */
	double reported;
	struct span printed;                    /* the bounds that the recorder itself gives */
	char   source[24];
	size_t samples, without_value;          /* that came while it was held, and those that had no value; the figure
						   is the worst of them.  0: no sample is needed */
	enum verdict verdict;
	struct why why;                         /* why it is not ok */
};

/* ---- judge.c: pure ---------------------------------------------------------------------- */

/* Sets verdict and why from the values; what is already not tested or not measured stays so. */
void figure_judge(struct figure *f);
double figure_error(const struct figure *f);    /* reported less true, 0 inside true_span; NONE: unknown */
bool   figure_is_near(const struct figure *f);  /* the value itself keeps the bound, not only the interval around it */
/* Judged good by its interval alone: that is the answer, and the value in it claims nothing. */
bool   figure_is_interval(const struct figure *f);
bool   figure_is_worse(const struct figure *f, const struct figure *than);      /* both judged */

/* ---- cases.c: the built-in loads --------------------------------------------------------- */

enum trait {
	PLAIN, HIDDEN_ENDS,                     /* children under 5 ms, or that no process waits for */
	ATTACHES,                               /* it runs when the recorder begins, which attaches to it */
};

struct test_case {
	const char *name, *what;                /* "short-children", and in a few words */
	const char *const *load;                /* words: the load and its options */
	enum trait trait;
	unsigned quantities;                    /* bit set of enum quantity */
	unsigned memory_mib;                    /* that it takes; 0: hardly any */
	double hold_seconds;                    /* it stays as it is for so long, for a sample; 0: none is needed */
};

extern const struct test_case test_cases[];
extern const size_t n_test_cases;

/* For how long the load holds what only a sample can see, so that one surely falls into it; 0: not at all. */
double case_hold(const struct test_case *c, double interval_seconds);

/* ---- surroundings.c: what trials run in ---------------------------------------------------- */

/* Bytes of memory that this machine and the control group of ours still have; NONE: unknown. */
double memory_room(void);

enum { BUSY_MAX = 256 };

struct busy { size_t n; pid_t pid[BUSY_MAX]; };

/* Begins n processes, at most BUSY_MAX, that only compute; they end with this one at the latest. */
int  busy_begin(struct busy *b, size_t n, struct why *why) must_use;
void busy_end(struct busy *b);

/* perf_event_open fails with EPERM from now on, for this process and all that it starts.  0 or -errno. */
int refuse_perf(void) must_use;

/* ---- trial.c: a load run under the recorder ---------------------------------------------- */

enum { LOAD_WORDS_MAX = 24, TRUTH_MAX = 2048 };

struct bench {                                  /* what all trials share */
	char   directory[4000];                 /* ours alone, removed at the end; file loads write here */
	const char *recorder, *self;            /* paths of the programs */
	const char *interval, *cpu_source, *perf_cpus;      /* as the recorder's options have them; NULL: its default */
	bool   without_perf;                    /* perf is refused to the recorder, as in a container */
	double interval_seconds;                /* the same, or the default if that is none */
	volatile int *stopped;                  /* the signal that ended it all, or 0 */
};

struct trial {
	struct json_value truth;                /* in text[]; an object */
	char   text[TRUTH_MAX];
	double began, ended;                    /* CLOCK_MONOTONIC, around the whole */
	bool   refused;                         /* the load said why it cannot run here */
	bool   not_started;                     /* the recorder said why it cannot run like this */
	struct why why;
};

int  bench_open(struct bench *b, struct why *why) must_use;     /* makes the directory */
void bench_close(struct bench *b);
/* Path of the record of the last trial. */
void bench_record(const struct bench *b, char *ret, size_t size);

enum recorded { BARE, AROUND, ATTACHED };       /* no recorder, it starts the load, it attaches to it */

/*
 * Runs it; hold_seconds, unless 0, is one more option of the load.
 * 0; -EINTR: stopped by a signal; else -errno with a sentence in ret->why, with `refused` set where it was the load's.
 */
int  trial_run(struct trial *ret, const struct bench *b, const char *const *load, double hold_seconds,
	       enum recorded recorded) must_use;
double trial_truth(const struct trial *t, const char *key);     /* NONE if the load did not say */

/* ---- record_figures.c: what record and load say ------------------------------------------------- */

/* What the recorder itself said it could not have, each sentence once. */
enum { NOTICES_MAX = 8 };
struct notices { struct why at[NOTICES_MAX]; size_t n; };

/* The recorder's own use over all trials. */
struct own_cost {
	double cpu_seconds, seconds;            /* of the recorder, of the runs */
	double rss_bytes;                       /* largest */
	double sample_seconds;                  /* longest time to take one sample */
	double interval_seconds;                /* as the recorder understood it */
};

/* Figures of a trial, one for each quantity of the case and each program, judged.  Returns how many: FIGURES_OF_MAX. */
enum { FIGURES_OF_MAX = 16 };
size_t figures_of(struct figure *ret, const struct test_case *c, const struct trial *t, int trial_result,
		  const struct bench *b, struct own_cost *own, struct notices *notices);

/* ---- cost.c: what the recorder costs the job ---------------------------------------------- */

struct cost {
	struct own_cost own;
	double start_seconds, end_seconds;      /* a command starts so much later; its end is told so much later */
	double longest_bare_seconds, longest_seconds;   /* the job's longest wait in mmap, without us and with */
	double speed;                           /* rounds of mmap with us for one without */
};

/* -EINTR if stopped; what could not be measured stays as it is. */
int cost_measure(struct cost *c, const struct bench *b) must_use;

/* ---- table.c, verify_json.c: what is printed ---------------------------------------------- */

struct verification {
	const struct figure *figures;
	size_t n;
	const struct cost *cost;                /* NULL: not measured */
	struct notices notices;
	double interval_seconds, seconds;       /* seconds: how long it all took */
	bool   root;                            /* we run as root */
};

void verify_table(struct buffer *out, const struct verification *v, const struct summary_style *style);
void verify_json(struct buffer *out, const struct verification *v);

#endif
