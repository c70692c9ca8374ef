/* test_selection.c - runs selected by job, name and tag. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "history/selection.h"

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

static void a_job_is_found_by_each_of_its_names(void **state)
{
	static const struct { const char *variables, *is[8], *is_not[8]; } all[] = {
		{ "SLURM_JOB_ID=1235 SLURM_STEP_ID=4 SLURM_PROCID=3 SLURM_ARRAY_JOB_ID=1230 SLURM_ARRAY_TASK_ID=7",
		  { "1235", "1230", "1230_7", "1230_*", "123?", "1235.4", "*" }, { "123", "1230_8", "1235.0", "1", "1235_" } },
		{ "SLURM_JOB_ID=1235", { "1235", "12*" }, { "1235.0", "", "1235_0", "1235." } },
		{ "PBS_JOBID=1230[7].head PBS_ARRAY_ID=1230[].head PBS_ARRAY_INDEX=7",
		  { "1230", "1230[7].head", "1230[].head", "1230_7" }, { "1230[7]", "1230_8", "123", "7" } },
		{ "PBS_JOBID=1231.head", { "1231", "1231.head", "1231.*" }, { "1230" } },
		{ "KUBERNETES_SERVICE_HOST=x K8S_JOB_NAME=train-42 JOB_COMPLETION_INDEX=3",
		  { "train-42", "train-*", "train-42_3" }, { "train", "train-4" } },
		{ "PMI_RANK=0", { NULL }, { "*", "", "0" } },
	};

	(void)state;
	for (size_t i = 0; i < countof(all); i++) {
		assert_true(reported(all[i].variables));
		for (size_t n = 0; all[i].is[n]; n++)
			if (!job_is_called(&job, all[i].is[n]))
				fail_msg("%s is not '%s'", all[i].variables, all[i].is[n]);
		for (size_t n = 0; all[i].is_not[n]; n++)
			if (job_is_called(&job, all[i].is_not[n]))
				fail_msg("%s is '%s'", all[i].variables, all[i].is_not[n]);
	}
}

static void a_run_must_match_every_condition(void **state)
{
	static const char *const tags[] = { "model=resnet", "plain" };
	static const char *const both[] = { "model", "plain" }, *const other[] = { "model=vgg" };
	static const char *const pattern[] = { "model=res*", "plain" }, *const part[] = { "mod" };
	struct past_run run = { .run = { .job_name = "nightly", .tags = tags, .n_tags = 2 } };
	static const struct { struct selection asked; bool taken; } all[] = {
		{ { .job = NULL }, true }, { { .name = "nightly" }, true }, { { .name = "night*" }, true },
		{ { .name = "night" }, false }, { { .tags = both, .n_tags = 2 }, true },
		{ { .tags = pattern, .n_tags = 2 }, true }, { { .tags = other, .n_tags = 1 }, false },
		{ { .tags = part, .n_tags = 1 }, false }, { { .job = "1235" }, true }, { { .job = "1236" }, false },
		{ { .job = "1235", .name = "nightly", .tags = both, .n_tags = 1 }, true },
		{ { .job = "1235", .name = "daily" }, false },
	};

	(void)state;
	assert_true(reported("SLURM_JOB_ID=1235"));
	run.run.job = &job;
	for (size_t i = 0; i < countof(all); i++) {
		assert_int_equal(selection_takes(&all[i].asked, &run), all[i].taken);
		assert_int_equal(selection_asks(&all[i].asked), i > 0);
	}
	run.run = (struct run){ .interval_seconds = 1 };
	for (size_t i = 1; i < countof(all); i++)
		assert_false(selection_takes(&all[i].asked, &run));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_job_is_found_by_each_of_its_names),
		cmocka_unit_test(a_run_must_match_every_condition),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
