/* test_job.c - the job found in an environment: by scheduler, checked, and in words. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "core/job.h"
#include "text/job_words.h"

static struct job job;

/* Variables between single blanks. */
static bool reported(const char *variables)
{
	static char text[2048], *environment[64];
	size_t n = 0;

	(void)snprintf(text, sizeof text, "%s", variables);
	for (char *next = text; next && *next && n + 1 < countof(environment); n++) {
		environment[n] = next;
		next = strchr(next, ' ');
		if (next)
			*next++ = '\0';
	}
	environment[n] = NULL;
	return job_from_environment(&job, environment);
}

static const char *in_words(void)
{
	static char text[512];
	struct buffer out = { 0 };

	job_words(&out, &job);
	buffer_char(&out, '\n');
	job_short_words(&out, &job);
	(void)snprintf(text, sizeof text, "%.*s", (int)out.len, out.at);
	buffer_release(&out);
	return text;
}

#define SLURM "SLURM_JOB_ID=1235 SLURM_JOBID=1 SLURMD_NODENAME=n2 "
#define STEP "SLURM_STEP_ID=4 SLURM_PROCID=3 SLURM_NTASKS=9 SLURM_STEP_NUM_TASKS=8 SLURM_LOCALID=1 SLURM_NODEID=2 "
#define OPENMPI "PMIX_NAMESPACE=3455254529 PMIX_HOSTNAME=h OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=6 " \
	"OMPI_COMM_WORLD_LOCAL_RANK=0 OMPI_COMM_WORLD_NODE_RANK=7 "

static void each_scheduler_is_known_by_its_variables(void **state)
{
	static const struct { const char *variables, *words; } all[] = {
		{ SLURM "SLURM_PROCID=0 SLURM_NTASKS=4 SLURM_LOCALID=0 SLURM_NODEID=0", "slurm 1235, node n2\n1235" },
		{ SLURM STEP, "slurm 1235, step 4, rank 3 of 8, node n2\n1235 rank 3" },
		{ "SLURM_JOB_ID=1 SLURM_STEP_ID=1 SLURM_PROCID=0", "slurm 1, step 1, rank 0\n1 rank 0" },
		{ SLURM STEP "SLURM_ARRAY_JOB_ID=1230 SLURM_ARRAY_TASK_ID=7",
		  "slurm 1235, task 7 of array 1230, step 4, rank 3 of 8, node n2\n1230_7 rank 3" },
		{ "PBS_JOBID=1230[7].head PBS_ARRAY_ID=1230[].head PBS_ARRAY_INDEX=7 PBS_NODENUM=1",
		  "pbs 1230[7].head, task 7 of array 1230[].head, node 1\n1230[7].head" },
		{ "LSB_JOBID=77 LSB_JOBINDEX=0", "lsf 77\n77" },
		{ "LSB_JOBID=77 LSB_JOBINDEX=2", "lsf 77, task 2\n77_2" },
		{ "GITHUB_ACTIONS=true GITHUB_RUN_ID=99 GITHUB_JOB=build", "github 99, step build\n99" },
		{ "GITLAB_CI=true CI_JOB_ID=12 CI_NODE_INDEX=2 CI_JOB_NAME=test:py", "gitlab 12, task 2, step test:py\n12_2" },
		{ "KUBERNETES_SERVICE_HOST=10.0.0.1 POD_NAME=train-0-x JOB_COMPLETION_INDEX=0 NODE_NAME=w1",
		  "kubernetes train-0-x, task 0, node w1\ntrain-0-x task 0" },
		{ "KUBERNETES_SERVICE_HOST=10.0.0.1 K8S_JOB_NAME=train K8S_POD_NAME=train-x",
		  "kubernetes train, step train-x\ntrain" },
		{ OPENMPI, "openmpi 3455254529, rank 5 of 6, node h\n3455254529 rank 5" },
		{ "PMI_RANK=1 PMI_SIZE=2 MPI_LOCALRANKID=1", "rank 1 of 2 by mpich\nrank 1" },
		{ "PMIX_RANK=4", "rank 4 by pmix\nrank 4" },
	};

	(void)state;
	for (size_t i = 0; i < countof(all); i++) {
		assert_true(reported(all[i].variables));
		assert_string_equal(in_words(), all[i].words);
	}
}

/* mpirun's daemons have Slurm ranks, which its ranks inherit; srun --mpi=pmi2 sets the variables of Hydra as well. */
static void the_innermost_counts_ranks(void **state)
{
	(void)state;
	assert_true(reported(SLURM STEP OPENMPI));
	assert_string_equal(in_words(), "slurm 1235, rank 5 of 6 by openmpi, node n2\n1235 rank 5");
	assert_string_equal(job.launch, "3455254529");
	assert_string_equal(job.step, "");
	assert_int_equal(job.node_number, -1);
	assert_true(reported(SLURM STEP "PMI_RANK=3 PMI_SIZE=8 PMIX_RANK=3 PMIX_NAMESPACE=slurm.pmix.1235.4"));
	assert_string_equal(job.launcher, "slurm");
	assert_string_equal(job.step, "4");
	assert_true(reported(SLURM STEP "PMI_RANK=0 PMI_SIZE=2 MPI_LOCALRANKID=0"));
	assert_string_equal(job.launcher, "mpich");
}

/* A CI submits jobs, which inherit its variables; its runner can be a pod. */
static void the_innermost_names_the_job(void **state)
{
	(void)state;
	assert_true(reported("GITLAB_CI=true CI_JOB_ID=12 KUBERNETES_SERVICE_HOST=x POD_NAME=runner " SLURM));
	assert_string_equal(job.scheduler, "slurm");
	assert_true(reported("GITLAB_CI=true CI_JOB_ID=12 KUBERNETES_SERVICE_HOST=x POD_NAME=runner"));
	assert_string_equal(job.scheduler, "gitlab");
	assert_true(reported("KUBERNETES_SERVICE_HOST=x K8S_JOB_NAME=train " OPENMPI));
	assert_string_equal(job.scheduler, "kubernetes");
}

static void other_variables_name_no_job(void **state)
{
	(void)state;
	assert_false(reported(""));
	assert_false(reported("PATH=/bin POD_NAME=x NODE_NAME=y CI_JOB_ID=5 GITHUB_RUN_ID=7 JOB_COMPLETION_INDEX=1"));
	assert_false(reported("SLURM_JOB_ID SLURM_JOB_IDX=1 XSLURM_JOB_ID=2 SLURM_PROCID=1 SLURM_JOB_USER=me"));
	assert_false(reported("OMPI_COMM_WORLD_SIZE=3 PMI_SIZE=3 PMIX_NAMESPACE=x"));
	assert_string_equal(job.scheduler, "");
	assert_int_equal(job.rank, -1);
	assert_int_equal(job.size, -1);
}

static void impossible_values_are_left_out(void **state)
{
	static const char *const ids[] = {
		"", "x", "12a", "-1", "+1", "0x10", "1.5", "123456789012345678901", "1\n2", "\x1b[31m", "12\xc3\xa4",
	};
	static const char *const numbers[] = {
		"", "-1", "x", "1x", "4294967294", "18446744073709551616", "99999999999999999999999", "1e3", "0x1", "NaN",
	};
	char text[512], longest[JOB_TEXT_SIZE + 1];

	(void)state;
	for (size_t i = 0; i < countof(ids); i++) {
		(void)snprintf(text, sizeof text, "SLURM_JOB_ID=%s", ids[i]);
		assert_false(reported(text));
		(void)snprintf(text, sizeof text, "SLURM_JOB_ID=%s SLURM_JOBID=5", ids[i]);
		assert_true(reported(text));                /* the older name of the same variable */
		assert_string_equal(job.id, "5");
	}
	for (size_t i = 0; i < countof(numbers); i++) {
		(void)snprintf(text, sizeof text, SLURM "SLURM_ARRAY_TASK_ID=%s SLURM_STEP_ID=1 SLURM_PROCID=%s",
			       numbers[i], numbers[i]);
		assert_true(reported(text));
		assert_int_equal(job.array_task, -1);
		assert_int_equal(job.rank, -1);
		assert_string_equal(job.launcher, "");
	}
	assert_true(reported(SLURM "SLURM_STEP_ID=1 SLURM_PROCID=2147483647"));
	assert_int_equal(job.rank, INT32_MAX);
	for (size_t n = JOB_TEXT_SIZE - 1; n <= JOB_TEXT_SIZE; n++) {
		memset(longest, 'a', n);
		longest[n] = '\0';
		(void)snprintf(text, sizeof text, "PBS_JOBID=%s", longest);
		assert_int_equal(reported(text), n < JOB_TEXT_SIZE);
	}
	static const char *const texts[] = { "a\nb", "a\tb", "\x1b[31m", "a\x7f", "\xc3\xa4", "\xff", "" };

	for (size_t i = 0; i < countof(texts); i++) {
		(void)snprintf(text, sizeof text, "PBS_JOBID=%s", texts[i]);
		assert_false(reported(text));
	}

	char blank[] = "PBS_JOBID=a b", *leading[] = { blank, NULL };

	assert_true(job_from_environment(&job, leading));
	blank[10] = ' ';
	assert_false(job_from_environment(&job, leading));
}

static void contradicting_numbers_are_left_out(void **state)
{
	(void)state;
	assert_true(reported(SLURM "SLURM_STEP_ID=0 SLURM_PROCID=8 SLURM_NTASKS=8 SLURM_LOCALID=0"));
	assert_int_equal(job.rank, -1);
	assert_int_equal(job.size, -1);
	assert_int_equal(job.local_rank, -1);
	assert_string_equal(job.launcher, "");          /* which requires a rank in the record's schema */
	assert_string_equal(job.step, "");
	assert_true(reported(SLURM "SLURM_STEP_ID=0 SLURM_PROCID=0 SLURM_NTASKS=1 SLURM_LOCALID=1"));
	assert_int_equal(job.rank, -1);
	assert_false(reported("PMI_RANK=4 PMI_SIZE=2"));
	assert_string_equal(job.launcher, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_scheduler_is_known_by_its_variables),
		cmocka_unit_test(the_innermost_counts_ranks),
		cmocka_unit_test(the_innermost_names_the_job),
		cmocka_unit_test(other_variables_name_no_job),
		cmocka_unit_test(impossible_values_are_left_out),
		cmocka_unit_test(contradicting_numbers_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
