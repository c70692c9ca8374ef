/* test_advice.c - advice on made-up facts. */
#include "fixture.h"

#include <string.h>

#include "advice/advice_parts.h"
#include "advice/adviser.h"
#include "advice/advice_words.h"

static const double MIB = 1048576, GIB = 1073741824;

/* A minute with one core of eight busy and a peak of 1.5 GiB. */
static struct run_use a_run(void)
{
	struct run_use u = { .state = STATE_OK, .tracked = true, .pss = true };

#define UNKNOWN(name) u.name = NONE;
	RUN_USE(UNKNOWN)
#undef UNKNOWN
	u.seconds = 60;
	u.samples = 60;
	u.cpu_mean_cores = 0.98;
	u.cpu_p95_cores = 1.03;
	u.cpu_peak_cores = 1.2;
	u.cpu_wanted_cores = 1.0;
	u.cpu_had_cores = u.cpu_machine_cores = 8;
	u.memory_peak_bytes = 1.4 * GIB;
	u.memory_process_peak_bytes = 1.5 * GIB;
	u.memory_machine_bytes = 64 * GIB;
	return u;
}

static struct advice advice_on(const struct run_use *runs, size_t n)
{
	struct advice a;

	advise(&a, runs, n);
	return a;
}

static void says(const char *text, const char *what)
{
	if (!strstr(text, what))
		fail_msg("'%s' does not say '%s'", text, what);
}

static void steps(void **state)
{
	(void)state;
	assert_near(advice_round_memory(1), 128 * MIB);
	assert_near(advice_round_memory(987 * MIB), 1024 * MIB);
	assert_near(advice_round_memory(1024 * MIB), 1024 * MIB);
	assert_near(advice_round_memory(1025 * MIB), 2 * GIB);
	assert_near(advice_round_memory(2.1 * GIB), 3 * GIB);
	assert_near(advice_round_memory(1000.5 * GIB), 1001 * GIB);
	assert_near(advice_round_time(3), 60);
	assert_near(advice_round_time(61), 120);
	assert_near(advice_round_time(3601), 4500);
	assert_near(advice_round_time(86401), 90000);
}

static void a_serial_job(void **state)
{
	struct run_use u = a_run();
	struct advice a = advice_on(&u, 1);

	(void)state;
	assert_near(a.of[ADVISED_CPU].amount, 1);
	assert_string_equal(a.of[ADVISED_CPU].value, "1 core");
	says(a.of[ADVISED_CPU].why, "serial: mean 0.98, p95 1.03, peak 1.20 of 8 cores");
	says(a.findings[FINDING_CPU_OVER], "could use all 8 cores of the machine and kept 0.98 busy");
	assert_near(a.of[ADVISED_MEMORY].amount, 2 * GIB);      /* the peak of a process, above all samples */
	says(a.of[ADVISED_MEMORY].why, "peak 1.50 GiB (of one process, kept by the kernel");
	assert_near(a.of[ADVISED_TIME].amount, 120);
	assert_int_equal(a.confidence, CONFIDENCE_MEDIUM);
	assert_string_equal(a.of[ADVISED_GPU].why, "");
	assert_string_equal(a.findings[FINDING_THROTTLED], "");
}

static void cores_cover_the_p95_and_the_waits(void **state)
{
	static const struct { double mean, p95, wanted, had, cores; } cases[] = {
		{ 3.0, 3.05, 3.1, 8, 3 }, { 3.0, 3.3, 3.3, 8, 4 }, { 0.3, 4, 0.3, 8, 4 }, { 0.01, 0.02, 0.02, 8, 1 },
		{ 1.2, 1.2, 2.0, 2, 2 },                                /* on a busy machine */
		{ 1.2, 1.3, 7.5, 2, 2 },                                /* more than the run had or got */
		{ 1.9, 2.0, 7.5, 2, 4 },                                /* all it had: the next try */
		{ 3.0, 3.0, NONE, 8, 3 }, { 3.0, 3.0, NONE, NONE, 3 },
	};

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct run_use u = a_run();

		u.cpu_mean_cores = cases[i].mean;
		u.cpu_p95_cores = cases[i].p95;
		u.cpu_wanted_cores = cases[i].wanted;
		u.cpu_had_cores = cases[i].had;
		if (advice_on(&u, 1).of[ADVISED_CPU].amount < cases[i].cores ||
		    advice_on(&u, 1).of[ADVISED_CPU].amount > cases[i].cores)
			fail_msg("case %zu: %s", i, advice_on(&u, 1).of[ADVISED_CPU].value);
	}
}

/* Regression: a job with unknown waits was called "serial", with confidence. */
static void unknown_waits_allow_no_conclusion(void **state)
{
	struct run_use runs[RUNS_FOR_HIGH];

	(void)state;
	for (size_t i = 0; i < RUNS_FOR_HIGH; i++)
		runs[i] = a_run();
	runs[0].cpu_wanted_cores = NONE;

	struct advice a = advice_on(runs, RUNS_FOR_HIGH);

	assert_near(a.of[ADVISED_CPU].amount, 1);
	assert_int_equal(a.confidence, CONFIDENCE_HIGH);
	assert_int_equal(a.of[ADVISED_CPU].confidence, CONFIDENCE_LOW);
	assert_int_equal(a.of[ADVISED_MEMORY].confidence, CONFIDENCE_HIGH);
	assert_int_equal(strncmp(a.of[ADVISED_CPU].why, "used: mean 0.98", 15), 0);
	says(a.of[ADVISED_CPU].why, "how long its threads waited for a CPU is not known");
	assert_string_equal(a.findings[FINDING_CPU_OVER], "");

	/* For a whole machine the waits do not matter. */
	runs[0].tracked = false;
	says(advice_on(&runs[0], 1).of[ADVISED_CPU].why, "serial: mean 0.98");
}

static void held_back_by_its_quota(void **state)
{
	struct run_use u = a_run();

	(void)state;
	u.cpu_mean_cores = 1.4;
	u.cpu_p95_cores = u.cpu_peak_cores = u.cpu_had_cores = u.cpu_quota_cores = 1.5;
	u.cpu_wanted_cores = 3.9;
	u.cpu_throttled_share = 0.8;

	struct advice a = advice_on(&u, 1);

	assert_near(a.of[ADVISED_CPU].amount, 4);
	assert_int_equal(a.of[ADVISED_CPU].confidence, CONFIDENCE_LOW);
	says(a.of[ADVISED_CPU].why, "held back: mean 1.40");
	says(a.of[ADVISED_CPU].why, "true need is unknown");
	says(a.findings[FINDING_THROTTLED], "quota of 1.50 cores held the job back in 80 % of its periods");
	says(a.findings[FINDING_CPU_SHORT], "it had 1.50 cores, and its threads wanted 3.90");
	assert_string_equal(a.findings[FINDING_CPU_OVER], "");
}

/* The Python tracker divides by 1024 once too often and makes 128 MiB of 10 GiB. */
static void memory_in_the_right_unit(void **state)
{
	struct run_use u = a_run();

	(void)state;
	u.memory_peak_bytes = 10 * GIB;
	assert_near(advice_on(&u, 1).of[ADVISED_MEMORY].amount, 12 * GIB);
	says(advice_on(&u, 1).of[ADVISED_MEMORY].why, "PSS of the tree in a sample; largest process 1.50 GiB");
	u.peak_missed = true;
	says(advice_on(&u, 1).of[ADVISED_MEMORY].why, "1.50 GiB; the peak of another process that ended is unknown)");
	u.peak_missed = false;
	u.memory_peak_bytes = 333.02 * MIB;
	u.memory_process_peak_bytes = NONE;
	assert_near(advice_on(&u, 1).of[ADVISED_MEMORY].amount, 512 * MIB);
	u.memory_swapped_bytes = 300 * MIB;
	assert_near(advice_on(&u, 1).of[ADVISED_MEMORY].amount, 1 * GIB);
	says(advice_on(&u, 1).findings[FINDING_SWAPPED], "the job had 300 MiB swapped out");
	u.memory_upper_bytes = 2 * GIB;
	assert_int_equal(advice_on(&u, 1).of[ADVISED_MEMORY].confidence, CONFIDENCE_LOW);
}

static void memory_against_its_limit(void **state)
{
	struct run_use u = a_run();

	(void)state;
	u.memory_limit_bytes = 16 * GIB;
	says(advice_on(&u, 1).findings[FINDING_MEMORY_OVER], "the memory limit was 16.0 GiB, the peak 9.4 % of it");
	u.memory_limit_bytes = 1.6 * GIB;
	says(advice_on(&u, 1).findings[FINDING_MEMORY_LIMIT], "memory came to its limit of 1.60 GiB");
	u.memory_limit_bytes = 3 * GIB;
	assert_string_equal(advice_on(&u, 1).findings[FINDING_MEMORY_LIMIT], "");
	assert_string_equal(advice_on(&u, 1).findings[FINDING_MEMORY_OVER], "");
	u.memory_limit_hits = 1;
	says(advice_on(&u, 1).findings[FINDING_MEMORY_LIMIT], "limit of 3.00 GiB");
}

static void the_next_try_after_memory_ran_out(void **state)
{
	struct run_use runs[] = { a_run(), a_run() };

	(void)state;
	runs[0].out_of_memory = true;
	runs[0].state = STATE_KILLED;
	runs[0].memory_limit_bytes = 1.6 * GIB;

	struct advice a = advice_on(runs, 1);

	assert_near(a.of[ADVISED_MEMORY].amount, 4 * GIB);
	assert_int_equal(a.of[ADVISED_MEMORY].confidence, CONFIDENCE_LOW);
	says(a.of[ADVISED_MEMORY].why, "memory ran out at 1.60 GiB, so its true need is unknown: the next try is twice that");
	says(a.findings[FINDING_OUT_OF_MEMORY], "in 1 of 1 run");
	assert_true(is_none(a.of[ADVISED_TIME].amount));
	runs[0].memory_limit_bytes = 8 * GIB;
	assert_near(advice_on(runs, 1).of[ADVISED_MEMORY].amount, 12 * GIB);
	/* Another run that used less shows nothing; one that had more memory does. */
	assert_near(advice_on(runs, 2).of[ADVISED_MEMORY].amount, 12 * GIB);
	runs[1].memory_peak_bytes = 9 * GIB;
	assert_near(advice_on(runs, 2).of[ADVISED_MEMORY].amount, 11 * GIB);
}

static void confidence_grows_with_runs(void **state)
{
	struct run_use runs[] = { a_run(), a_run(), a_run(), a_run(), a_run() };
	struct advice a;

	(void)state;
	a = advice_on(runs, 5);
	assert_int_equal(a.confidence, CONFIDENCE_HIGH);
	assert_near(a.of[ADVISED_TIME].amount, 120);            /* 75 s, not 90: there are five runs */
	runs[3].memory_process_peak_bytes = 3 * GIB;
	a = advice_on(runs, 5);
	assert_int_equal(a.confidence, CONFIDENCE_MEDIUM);
	says(a.confidence_why, "from 1.50 GiB to 3.00 GiB");
	assert_int_equal(advice_on(runs, 3).confidence, CONFIDENCE_MEDIUM);
	runs[0].seconds = 2;
	a = advice_on(runs, 1);
	assert_int_equal(a.confidence, CONFIDENCE_LOW);
	says(a.confidence_why, "took only 2.00s");
	runs[0].seconds = 60;
	runs[0].samples = 3;
	says(advice_on(runs, 1).confidence_why, "more than 3 samples");
	runs[0].samples = 60;
	runs[0].state = STATE_FAILED;
	a = advice_on(runs, 1);
	assert_int_equal(a.confidence, CONFIDENCE_LOW);
	assert_string_equal(a.of[ADVISED_TIME].value, "unknown");
	runs[0].tracked = false;
	says(advice_on(runs, 1).confidence_why, "only the machine was watched");
}

static void gpus(void **state)
{
	struct run_use u = a_run();

	(void)state;
	u.gpus_used = u.gpus_mean = u.gpu_memory_peak_bytes = 0;
	assert_string_equal(advice_on(&u, 1).of[ADVISED_GPU].why, "");         /* none there, as far as is known */
	u.gpus_had = 2;
	assert_near(advice_on(&u, 1).of[ADVISED_GPU].amount, 0);
	says(advice_on(&u, 1).findings[FINDING_GPU_IDLE], "busy in 0.00 % of the time");
	u.gpus_used = 1;
	u.gpus_mean = 0.9;
	u.gpu_memory_peak_bytes = 10 * GIB;
	assert_string_equal(advice_on(&u, 1).of[ADVISED_GPU].value, "1 GPU");
	assert_string_equal(advice_on(&u, 1).of[ADVISED_GPU_MEMORY].value, "12 GiB");
	assert_string_equal(advice_on(&u, 1).findings[FINDING_GPU_IDLE], "");
}

static void forms(const struct advised_run *run, const struct advice *a, const char *const expected[ADVICE_FORMS])
{
	struct advice_of of = { .title = "a\njob", .runs = run, .n = 1, .advice = a };

	for (size_t i = 0; i < ADVICE_FORMS; i++) {
		struct buffer out = { 0 }, notes = { 0 };
		const char *at;

		advice_forms[i].write(&out, &notes, &of);
		buffer_char(&out, '\0');
		for (at = out.at; *at == '#' && at[1] == ' ';)
			at = strchr(at, '\n') + 1;
		assert_string_equal(at, expected[i]);
		buffer_release(&out);
		buffer_release(&notes);
	}
}

static void ready_to_paste(void **state)
{
	static const char *const all[ADVICE_FORMS] = {
		"#SBATCH --cpus-per-task=1\n#SBATCH --mem=2G\n#SBATCH --gpus=1\n#SBATCH --time=1-13:00:00\n",
		"resources:\n  requests:\n    cpu: 1\n    memory: 2Gi\n  limits:\n    memory: 2Gi\n    nvidia.com/gpu: 1\n",
		"--cpus=1 --memory=2g --gpus=1\n",
		"@resources(cpu=1, memory=2048, gpu=1)\n@timeout(minutes=2220)\n",
	};
	static const char *const nothing[ADVICE_FORMS] = {
		"", "resources:\n  requests: {}\n  limits: {}\n", "\n", "@resources()\n",
	};
	struct advised_run run = { .use = a_run() };
	struct advice a;

	(void)state;
	run.use.gpus_used = 1;
	run.use.seconds = 88200;
	a = advice_on(&run.use, 1);
	forms(&run, &a, all);
	run.use = (struct run_use){ .state = STATE_TRUNCATED };
#define UNKNOWN(name) run.use.name = NONE;
	RUN_USE(UNKNOWN)
#undef UNKNOWN
	a = advice_on(&run.use, 1);
	for (enum advised i = 0; i < ADVISED_COUNT; i++)
		assert_true(is_none(a.of[i].amount));
	forms(&run, &a, nothing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps),
		cmocka_unit_test(a_serial_job),
		cmocka_unit_test(unknown_waits_allow_no_conclusion),
		cmocka_unit_test(cores_cover_the_p95_and_the_waits),
		cmocka_unit_test(held_back_by_its_quota),
		cmocka_unit_test(memory_in_the_right_unit),
		cmocka_unit_test(memory_against_its_limit),
		cmocka_unit_test(the_next_try_after_memory_ran_out),
		cmocka_unit_test(confidence_grows_with_runs),
		cmocka_unit_test(gpus),
		cmocka_unit_test(ready_to_paste),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
