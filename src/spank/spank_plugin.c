/*
 * spank_plugin.c - Slurm's plugin: `srun --track` records each task of a step, and nothing of the job is changed.
 *
 * slurmstepd calls task_init in the process that becomes the task.  There we fork: the child goes on and becomes the
 * task, so TaskProlog, environment and PMI are as without us; slurmstepd waits for the parent, which becomes the
 * recorder of this child (--adopted-child, recorder/adopted_child.h) and ends as it does.
 *
 * Whatever fails, the task runs: without the recorder the child goes on at once, and the parent only waits for it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <slurm/slurm.h>
#include <slurm/spank.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#pragma GCC visibility push(default)
SPANK_PLUGIN(resource_tracker, 1)
spank_f slurm_spank_init, slurm_spank_task_init;
#pragma GCC visibility pop

#define VARIABLE "RESOURCE_TRACKER_TRACK"       /* carries --track of sbatch and salloc to the job's steps */

enum { ARGUMENTS_MAX = 4096 };

/* What plugstack.conf and --track ask for; one step in each slurmstepd. */
static struct {
	const char *program, *record;           /* of plugstack.conf; record NULL: the user's own place */
	bool always;                            /* of plugstack.conf: default=on */
	char asked[1024];                       /* --track[=DIR|off]; "": not given */
} plugin = { .program = RT_PROGRAM };

static int on_track(int value, const char *argument, int remote)
{
	(void)value;
	if (snprintf(plugin.asked, sizeof plugin.asked, "%s", argument ? argument : "on") >= (int)sizeof plugin.asked) {
		slurm_error("--track: the folder is too long");
		plugin.asked[0] = '\0';
		return -1;
	}
	if (!remote && spank_context() == S_CTX_ALLOCATOR)      /* srun hands its options on itself */
		(void)setenv(VARIABLE, plugin.asked, 1);
	return 0;
}

/* A wrong word is not worth a job: slurmd reports it in its log, once. */
static void read_arguments(int n, char **words, bool report)
{
	for (int i = 0; i < n; i++)
		if (strncmp(words[i], "program=", 8) == 0)
			plugin.program = words[i] + 8;
		else if (strncmp(words[i], "record=", 7) == 0)
			plugin.record = words[i] + 7;
		else if (strcmp(words[i], "default=on") == 0)
			plugin.always = true;
		else if (report && strcmp(words[i], "default=off") != 0)
			slurm_error("resource-tracker: plugstack.conf: '%s' is not program=FILE, record=PLACE or default=on|off",
				    words[i]);
}

int slurm_spank_init(spank_t spank, int n, char **words)
{
	static char name[] = "track", argument[] = "[DIR]",
		usage[] = "record what each task uses, into DIR; 'off' records nothing";
	struct spank_option option = { name, argument, usage, 2, 0, on_track };
	spank_context_t context = spank_context();

	read_arguments(n, words, context == S_CTX_SLURMD);
	if (context == S_CTX_LOCAL || context == S_CTX_ALLOCATOR || context == S_CTX_REMOTE)
		(void)spank_option_register(spank, &option);
	return 0;
}

/* ---- in the task ------------------------------------------------------------------------- */

static bool is_off(const char *word)
{
	static const char *const words[] = { "off", "no", "false", "0" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcasecmp(word, words[i]) == 0)
			return true;
	return false;
}

/* Tasks of numbered steps, and the batch script; not the steps that Slurm runs for itself. */
static bool is_wanted(spank_t spank, char *ret_place, size_t size)
{
	char value[sizeof plugin.asked];
	uint32_t step = 0;

	if (spank_get_item(spank, S_JOB_STEPID, &step) != ESPANK_SUCCESS ||
	    (step > SLURM_MAX_NORMAL_STEP_ID && step != SLURM_BATCH_SCRIPT))
		return false;
	if (spank_getenv(spank, "RESOURCE_TRACKER", value, sizeof value) == ESPANK_SUCCESS && is_off(value))
		return false;
	if (!plugin.asked[0] && spank_getenv(spank, VARIABLE, value, sizeof value) == ESPANK_SUCCESS)
		(void)snprintf(plugin.asked, sizeof plugin.asked, "%s", value);
	if (plugin.asked[0] ? is_off(plugin.asked) : !plugin.always)
		return false;

	if (step != SLURM_BATCH_SCRIPT)                 /* the script's steps need it, their tasks do not */
		(void)spank_unsetenv(spank, VARIABLE);

	bool named = plugin.asked[0] && strcmp(plugin.asked, "on") != 0;

	/* What --track names is a folder, whether it exists or not. */
	(void)snprintf(ret_place, size, "%s%s", named ? plugin.asked : plugin.record ? plugin.record : "", named ? "/" : "");
	return true;
}

/* Returns when the recorder measures, or is gone. */
static void wait_for(int go)
{
	char byte;

	while (read(go, &byte, 1) < 0 && errno == EINTR)
		;
	(void)close(go);
}

/* Ends as the task does: slurmstepd takes the status of this process for the one of the task. */
static _Noreturn void end_as(pid_t task)
{
	struct rlimit none = { 0, 0 };
	sigset_t all;
	int status = 0;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_SETMASK, &all, NULL);
	while (waitpid(task, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status)) {
		(void)setrlimit(RLIMIT_CORE, &none);
		(void)signal(WTERMSIG(status), SIG_DFL);
		(void)raise(WTERMSIG(status));
		(void)sigemptyset(&all);
		(void)sigprocmask(SIG_SETMASK, &all, NULL);
	}
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

/* Execs the recorder of `task`.  Returns if it cannot. */
static void become_recorder(spank_t spank, pid_t task, int go, const char *place)
{
	static char *words[ARGUMENTS_MAX + 16];
	char adopted[64], quiet[] = "--quiet", record[] = "--record", end[] = "--", *here, **environment = NULL, **argv = NULL;
	char *program = strdup(plugin.program);
	int n = 0, argc = 0;

	here = strdup(place);
	(void)snprintf(adopted, sizeof adopted, "--adopted-child=%d,%d", (int)task, go);
	if (!program || !here || spank_get_item(spank, S_JOB_ENV, &environment) != ESPANK_SUCCESS ||
	    spank_get_item(spank, S_JOB_ARGV, &argc, &argv) != ESPANK_SUCCESS || argc > ARGUMENTS_MAX || argc < 1)
		return;
	words[n++] = program;
	words[n++] = adopted;
	words[n++] = quiet;
	if (*place) {
		words[n++] = record;
		words[n++] = here;
	}
	words[n++] = end;
	for (int i = 0; i < argc; i++)
		words[n++] = argv[i];
	words[n] = NULL;
	(void)fcntl(go, F_SETFD, 0);
	(void)execve(program, words, environment);
}

int slurm_spank_task_init(spank_t spank, int n, char **words)
{
	char place[sizeof plugin.asked + 2];
	int go[2];
	pid_t task;

	(void)n;
	(void)words;
	if (!is_wanted(spank, place, sizeof place) || access(plugin.program, X_OK) < 0 || pipe2(go, O_CLOEXEC) < 0)
		return 0;
	task = fork();
	if (task <= 0) {
		(void)close(go[1]);
		if (task == 0)
			wait_for(go[0]);
		else
			(void)close(go[0]);
		return 0;
	}
	(void)close(go[0]);
	become_recorder(spank, task, go[1], place);
	(void)close(go[1]);
	end_as(task);
}
