/*
 * verify_main.c - `resource-tracker verify`: runs the recorder on loads of known use, on this machine, and reports
 * the accuracy of its figures.
 */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "../core/companion.h"
#include "../core/scan.h"
#include "../summary/summary.h"
#include "../text/did_you_mean.h"
#include "../text/sentence.h"
#include "../text/values.h"
#include "load.h"
#include "verify.h"

enum { BOUND_BROKEN = 1, OWN_FAILURE = 125, FIGURES_MAX = 128 };

static const char help[] =
	"Usage: resource-tracker verify [options]\n"
	"\n"
	"Runs the recorder around built-in programs with known use of CPU, memory, disk\n"
	"and network, on this machine, and compares. Takes 50 seconds, more on a\n"
	"busy machine, and 600 MiB of memory; files are written below TMPDIR\n"
	"(/var/tmp) and removed.\n"
	"Some of the programs live until a sample has seen them: 15 times, so with\n"
	"-i 10s it takes more than three minutes.\n"
	"\n"
	"  -i, --interval TIME     time between samples; default 1 s\n"
	"      --cpu-source SOURCE auto, cgroup, perf, ledger or visible: the source of\n"
	"                          CPU time; default: the best available\n"
	"      --perf-cpus N       perf reports processes on at most N CPUs: 1 to 16\n"
	"      --without-perf      perf is refused to the recorder, as in most containers\n"
	"      --busy N            beside N processes that only compute\n"
	"      --only LIST         only these tests, separated by commas\n"
	"      --list              the names of the tests\n"
	"      --json              the result as JSON\n"
	"      --recorder PROGRAM  another recorder than the one that this belongs to\n"
	"  -h, --help              this text\n"
	"\n"
	"Exit status: 0 if all figures are within their bounds, 1 if not, 125 if nothing\n"
	"could be verified.\n";

static volatile int stopped;

static void stop(int number)
{
	stopped = number;
}

static int complain(const char *sentence)
{
	sentence_print("verify", "%s", sentence);
	return OWN_FAILURE;
}

static int print(struct buffer *text)
{
	bool ok = !text->failed && (text->len == 0 || fwrite(text->at, 1, text->len, stdout) == text->len) &&
		  fflush(stdout) == 0;

	buffer_release(text);
	return ok ? 0 : complain("cannot write to stdout");
}

/* ---- options ------------------------------------------------------------------------------ */

struct settings {
	const char *interval, *cpu_source, *perf_cpus, *busy, *only, *recorder;
	bool without_perf, json, list, help;
};

static bool same_name(const struct test_case *c, struct word name)
{
	return word_is(name, c->name);
}

static bool is_wanted(const struct settings *s, const struct test_case *c)
{
	const char *list = s->only;
	struct word name;

	if (!list)
		return true;
	while (list_next(&list, &name))
		if (same_name(c, name))
			return true;
	return false;
}

static int check_names(const char *list, struct why *why)
{
	struct word name;

	while (list && list_next(&list, &name)) {
		bool known = false;
		char text[64];

		(void)word_copy(name, text, sizeof text);

		struct guess g = { .word = text };

		for (size_t i = 0; i < n_test_cases; i++) {
			known = known || same_name(&test_cases[i], name);
			guess_consider(&g, test_cases[i].name);
		}
		if (!known && g.best)
			return why_set(why, -EINVAL, "--only: there is no test '%s'; did you mean %s?", text, g.best);
		if (!known)
			return why_set(why, -EINVAL, "--only: there is no test '%s'; --list names them", text);
	}
	return 0;
}

static int read_options(struct settings *s, int argc, char **argv, struct why *why)
{
	const struct { const char *name, *letter; const char **value; bool *flag; } options[] = {
		{ "--interval", "-i", &s->interval, NULL }, { "--cpu-source", NULL, &s->cpu_source, NULL },
		{ "--perf-cpus", NULL, &s->perf_cpus, NULL }, { "--busy", NULL, &s->busy, NULL },
		{ "--without-perf", NULL, NULL, &s->without_perf }, { "--only", NULL, &s->only, NULL }, { "--recorder", NULL, &s->recorder, NULL },
		{ "--json", NULL, NULL, &s->json }, { "--list", NULL, NULL, &s->list },
		{ "--help", "-h", NULL, &s->help },
	};

	for (int i = 1; i < argc; i++) {
		size_t o = 0, n = strcspn(argv[i], "=");

		for (; o < countof(options); o++)
			if ((strlen(options[o].name) == n && strncmp(argv[i], options[o].name, n) == 0) ||
			    (options[o].letter && strcmp(argv[i], options[o].letter) == 0))
				break;
		if (o == countof(options))
			return why_set(why, -EINVAL, "there is no option '%s'; --help names them", argv[i]);
		if (options[o].flag && argv[i][n])
			return why_set(why, -EINVAL, "%s takes no value", options[o].name);
		if (options[o].flag)
			*options[o].flag = true;
		else if (argv[i][n])
			*options[o].value = argv[i] + n + 1;
		else if (i + 1 < argc)
			*options[o].value = argv[++i];
		else
			return why_set(why, -EINVAL, "%s wants a value", options[o].name);
	}
	return check_names(s->only, why);
}

static int print_list(void)
{
	struct buffer text = { 0 };

	for (size_t i = 0; i < n_test_cases; i++)
		buffer_format(&text, "%-16s %s\n", test_cases[i].name, test_cases[i].what);
	return print(&text);
}

/* ---- the loads, each in a process of its own ----------------------------------------------- */

static int run_load(int argc, char **argv)
{
	static const struct { const char *name; int (*main)(int argc, char **argv); } loads[] = {
		{ "cpu", load_cpu }, { "memory", load_memory }, { "io", load_io }, { "tcp", load_tcp },
		{ "mmap", load_mmap }, { "nothing", load_nothing }, { "pool", load_pool }, { "build", load_build },
		{ "leaderless", load_leaderless }, { "switching", load_switching }, { "forkers", load_forkers },
	};

	for (size_t i = 0; argc > 0 && i < countof(loads); i++)
		if (strcmp(argv[0], loads[i].name) == 0)
			_exit(loads[i].main(argc, argv));       /* exit handlers are not part of the truth */
	return complain("load: none has this name");
}

/* ---- the tests ------------------------------------------------------------------------------ */

static struct figure figures[FIGURES_MAX];

static void progress(const struct settings *s, const struct test_case *c)
{
	static size_t done;

	/* Progress for a terminal; the table serves all other readers. */
	if (!s->json && isatty(STDERR_FILENO))
		(void)fprintf(stderr, "\r\033[K%2zu/%zu %s", ++done, n_test_cases, c ? c->what : "what it costs");
}

static void end_progress(const struct settings *s)
{
	if (!s->json && isatty(STDERR_FILENO))
		(void)fprintf(stderr, "\r\033[K");
}

static int run_trial(struct trial *t, const struct bench *b, const struct test_case *c)
{
	double room = c->memory_mib > 0 ? memory_room() : NONE;

	if (!(room < 2.0 * 1024 * 1024 * c->memory_mib))
		return trial_run(t, b, c->load, case_hold(c, b->interval_seconds),
				 c->trait == ATTACHES ? ATTACHED : AROUND);
	*t = (struct trial){ .refused = true };
	return why_set(&t->why, -ENOMEM, "it takes %u MiB of memory, and %.0f MiB are free", c->memory_mib,
		       room / 1024 / 1024);
}

static bool any_is_doubtful(const struct figure *at, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any = any || figure_is_doubtful(&at[i]);
	return any;
}

/*
 * Runs one test and adds its figures; a second time if one is doubtful, which then counts.  -EINTR: stopped; -EPROTO:
 * the recorder does not start, `why` has the reason.
 */
static int test(const struct bench *b, const struct test_case *c, struct verification *v, struct own_cost *own,
		struct why *why)
{
	static struct trial t;
	size_t n = 0;

	for (int trial = 0; trial == 0 || (trial == 1 && any_is_doubtful(figures + v->n, n)); trial++) {
		int result = run_trial(&t, b, c);

		if (result == -EINTR)
			return result;
		if (t.not_started) {
			*why = t.why;
			return -EPROTO;
		}
		n = figures_of(figures + v->n, c, &t, result, b, own, &v->notices);
	}
	v->n += n;
	return 0;
}

static int run_tests(const struct settings *s, const struct bench *b, struct verification *v, struct cost *cost,
		     struct why *why)
{
	int result = 0;

	for (size_t i = 0; result == 0 && i < n_test_cases; i++)
		if (is_wanted(s, &test_cases[i])) {
			progress(s, &test_cases[i]);
			result = test(b, &test_cases[i], v, &cost->own, why);
		}
	if (result == 0 && !s->only) {
		progress(s, NULL);
		result = cost_measure(cost, b);
	}
	end_progress(s);
	return result;
}

static int read_busy(const struct settings *s, size_t *ret, struct why *why)
{
	uint64_t n = 0;

	if (s->busy && (!value_u64(s->busy, &n) || n > BUSY_MAX))
		return why_set(why, -EINVAL, "--busy: '%s' is not a whole number up to %d", s->busy, BUSY_MAX);
	*ret = (size_t)n;
	return 0;
}

static int verify(const struct settings *s, struct bench *b, struct why *why)
{
	static struct busy busy;
	struct cost cost = { .own = { NONE, 0, NONE, NONE, NONE }, .start_seconds = NONE, .end_seconds = NONE,
			     .longest_bare_seconds = NONE, .longest_seconds = NONE, .speed = NONE };
	struct verification v = { .figures = figures, .cost = &cost, .root = geteuid() == 0 };
	double began = load_clock(CLOCK_MONOTONIC);
	struct buffer text = { 0 };
	size_t beside = 0;
	int result = read_busy(s, &beside, why);

	if (result == 0)
		result = bench_open(b, why);
	if (result < 0)
		return result;
	result = busy_begin(&busy, beside, why);
	if (result == 0)
		result = run_tests(s, b, &v, &cost, why);
	busy_end(&busy);
	bench_close(b);
	if (result < 0)
		return result;
	v.seconds = load_clock(CLOCK_MONOTONIC) - began;
	v.interval_seconds = cost.own.interval_seconds;
	if (s->json) {
		verify_json(&text, &v);
	} else {
		struct summary_style style = summary_style(STDOUT_FILENO);

		verify_table(&text, &v, &style);
	}
	if (print(&text) != 0)
		return OWN_FAILURE;
	for (size_t i = 0; i < v.n; i++)
		if (v.figures[i].verdict == VERDICT_BROKEN)
			return BOUND_BROKEN;
	return 0;
}

/* Removes all variables with which the caller configures the recorder for runs of his own. */
static void clean_environment(char **environment)
{
	for (size_t i = 0; environment[i];) {
		char name[128];
		struct word w = { environment[i], strcspn(environment[i], "=") };

		if ((word_starts(w, "RESOURCE_TRACKER_") || word_is(w, "RESOURCE_TRACKER") ||
		     word_starts(w, "TRACKER_")) &&
		    word_copy(w, name, sizeof name) && unsetenv(name) == 0)
			continue;               /* the next variable has moved here */
		i++;
	}
}

int main(int argc, char **argv, char **environment)
{
	static struct bench b = { .stopped = &stopped };
	static char recorder[PATH_MAX], self[PATH_MAX];
	struct sigaction on_stop = { .sa_handler = stop };
	struct settings s = { .interval = NULL };
	struct why why = { "" };
	int result;

	if (argc > 1 && strcmp(argv[1], "load") == 0)
		return run_load(argc - 2, argv + 2);
	if (read_options(&s, argc, argv, &why) < 0)
		return complain(why.text);
	if (s.help)
		return fputs(help, stdout) >= 0 && fflush(stdout) == 0 ? 0 : complain("cannot write to stdout");
	if (s.list)
		return print_list();
	if (program_path(self, sizeof self) < 0)
		return complain("cannot find itself");
	if (s.recorder ? !realpath(s.recorder, recorder)
		       : !companion_path(recorder, sizeof recorder, RT_BINDIR, "resource-tracker")) {
		(void)why_set(&why, 0, "%s: %s", s.recorder ? s.recorder : recorder, strerror(errno));
		return complain(why.text);
	}
	b.recorder = recorder;
	b.self = self;
	b.interval = s.interval;
	b.interval_seconds = 1;
	/* If it is not valid, the recorder will report it. */
	if (s.interval)
		(void)value_duration(s.interval, &b.interval_seconds);
	b.cpu_source = s.cpu_source;
	b.perf_cpus = s.perf_cpus;
	b.without_perf = s.without_perf;
	clean_environment(environment);
	(void)sigaction(SIGINT, &on_stop, NULL);
	(void)sigaction(SIGTERM, &on_stop, NULL);
	(void)sigaction(SIGHUP, &on_stop, NULL);

	result = verify(&s, &b, &why);
	if (result == -EINTR && stopped) {
		(void)signal(stopped, SIG_DFL);
		(void)raise(stopped);
	}
	return result < 0 ? complain(why.text[0] ? why.text : strerror(-result)) : result;
}
