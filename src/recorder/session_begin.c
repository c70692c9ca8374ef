/* session_begin.c - opens a session: its sampler, outputs and records, and the first samples. */
#include "session_state.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../record/collision.h"
#include "../text/sentence.h"
#include "signals.h"

static const double BEGIN_SECONDS = 10;         /* longest wait for a record on a slow disk, by session_record_begun */

void session_notice(struct session *s, const char *sentence)
{
	if (s->n_notices == NOTICES_MAX)
		return;
	(void)why_set(&s->notices[s->n_notices++], 0, "%s", sentence);
	session_records_notice(&s->records, sentence);
	/* Stderr belongs to the command, or to the view, while it runs: its notices are printed at the end. */
	if (s->mode != MODE_COMMAND && !s->options->quiet && !s->options->view)
		sentence_print(NULL, "%s", sentence);
}

/* A wrong --root is a wrong option: it is an error before anything starts. */
static int check_root(const struct options *o, struct why *why)
{
	struct source source;
	int r = o->root ? source_open(&source, o->root, why) : 0;

	if (o->root && r == 0)
		source_close(&source);
	return r;
}

int session_open(struct session **ret, const struct options *o, struct why *why)
{
	struct session *s = calloc(1, sizeof *s);
	struct why note = { "" }, summary_note = { "" };

	if (!s)
		return why_set(why, -ENOMEM, "out of memory");
	s->options = o;
	s->summary = (struct session_summary){ -1, -1 };
	session_regions_offer(&s->regions, false);
	s->outcome.evidence = ending_nothing();
	s->mode = options_mode(o);
	s->run = o->run;
	if (job_from_environment(&s->job, environ))
		s->run.job = &s->job;

	int r = check_root(o, why);

	if (r == 0)
		r = collision_check(o, why);
	if (r == 0)
		r = session_records_prepare(&s->records, o, why, &note);
	if (r == 0)
		r = session_summary_open(&s->summary, o, why, &summary_note);
	if (r == 0)
		r = session_samples_open(&s->samples, o, why, &note);
	if (r < 0) {
		session_summary_close(&s->summary);
		session_records_close(&s->records);
		free(s);
		return r;
	}
	/* After the outputs: a user can name a closed descriptor.  Without /proc a command can still be run. */
	(void)!source_open(&s->source, o->root ? o->root : "/", &s->no_source);
	if (note.text[0])
		session_notice(s, note.text);
	if (summary_note.text[0])
		session_notice(s, summary_note.text);
	*ret = s;
	return 0;
}

void session_fetch_notices(struct session *s)
{
	for (const char *sentence; (sentence = sampler_notice(s->sampler)) != NULL;)
		session_notice(s, sentence);
	if (session_tree(s))
		for (const char *sentence; (sentence = tree_notice(session_tree(s))) != NULL;)
			session_notice(s, sentence);
	for (struct why trouble; session_records_trouble(&s->records, &trouble);)
		session_notice(s, trouble.text);
	for (struct why trouble; session_hooks_trouble(&s->hooks, &trouble);)
		session_notice(s, trouble.text);
}

void session_take_cloud(struct session *s, bool wait)
{
	struct why trouble;
	struct cloud found;

	if (!discovery_answer(&s->discovery, wait, &found, &trouble))
		return;
	if (trouble.text[0])
		session_notice(s, trouble.text);
	else
		session_records_cloud(&s->records, &found);
}

struct child_group session_cgroup(struct session *s)
{
	static const struct child_group none = { -1, -1 };

	return s->no_source.text[0] ? none : session_own_cgroup_open(&s->own_cgroup, &s->source, s->options);
}

void session_offer_regions(struct session *s)
{
	const struct options *o = s->options;
	bool wanted = !o->quiet || s->summary.file >= 0 || s->samples.output || !o->record ||
		      strcmp(o->record, "none") != 0 || o->status ||
		      o->feeds.n + o->feed_programs.n + options_push(o) > 0;

	session_regions_offer(&s->regions, !o->root && wanted);
}

/*
 * Sets the command's RECORD_VARIABLE.  A tracker inside a tracker replaces it by its own record, or removes it; so does
 * one in the background (detach.h).
 */
static void set_record_variable(const struct session *s)
{
	char path[PATH_MAX];

	if (!s->no_source.text[0] && record_address(path, sizeof path, s->options, &s->run, s->host))
		(void)setenv(RECORD_VARIABLE, path, 1);
	else
		(void)unsetenv(RECORD_VARIABLE);
}

void session_name_record(struct session *s)
{
	struct timespec now = { 0 };

	if (s->run.named_wall_ns)
		return;
	(void)gethostname(s->host, sizeof s->host - 1);
	(void)clock_gettime(CLOCK_REALTIME, &now);
	s->run.named_wall_ns = (int64_t)now.tv_sec * NS_PER_SECOND;
	if (s->mode == MODE_COMMAND || (s->options->detach && (s->mode == MODE_ATTACH || s->options->record)))
		set_record_variable(s);
}

void session_forked(struct session *s, bool in_cgroup, bool alone)
{
	struct why why = { "" };

	s->alone = alone;
	session_own_cgroup_forked(&s->own_cgroup, s->options, in_cgroup, &why);
	if (why.text[0])
		session_notice(s, why.text);
}

/* Time that the machine was suspended since boot: CLOCK_BOOTTIME minus CLOCK_MONOTONIC. */
static int64_t suspended_ns(void)
{
	struct timespec boot, monotonic;

	(void)clock_gettime(CLOCK_MONOTONIC, &monotonic);
	(void)clock_gettime(CLOCK_BOOTTIME, &boot);
	return (boot.tv_sec - monotonic.tv_sec) * NS_PER_SECOND + boot.tv_nsec - monotonic.tv_nsec;
}

int session_begin(struct session *s, pid_t pid, struct why *why)
{
	const struct options *o = s->options;
	struct tree_options tree = {
		.roots = o->run.pids, .n_roots = o->run.n_pids, .no_children = o->no_children, .pss = o->pss,
		.cpu = o->cpu_source, .perf_cpus = (unsigned)o->perf_cpus,
		.own_cgroup = session_own_cgroup_of(&s->own_cgroup), .signal = signal_of_rings(),
		.starter = o->detach ? getppid() : 0, .peaks_from_baseline = o->detach,
	};

	if (pid > 0) {
		s->command_pid = pid;
		s->run.pids = tree.roots = &s->command_pid;
		s->run.n_pids = tree.n_roots = 1;
		tree.ours = true;
		tree.alone = s->alone;
	}

	struct sampler_options options = {
		.source = &s->source, .pid = s->run.n_pids > 0 ? s->run.pids[0] : 0,
		.interval_seconds = o->run.interval_seconds, .max_overhead = o->max_overhead_pct / 100,
		.only = o->only, .without = o->without, .gpus = o->gpus, .nvml = o->nvml,
		.tree = s->run.n_pids > 0 ? &tree : NULL, .tree_first = pid > 0,
	};

	if (s->no_source.text[0])
		return why_set(why, -ENOENT, "%s", s->no_source.text);
	if (!s->sample && !(s->sample = calloc(1, sizeof *s->sample)))
		return why_set(why, -ENOMEM, "out of memory");
	if (session_outcome_open(&s->outcome) < 0)
		return why_set(why, -ENOMEM, "out of memory");
	int r = sampler_open(&s->sampler, &options, why);

	if (r < 0)
		return r;
	if (pid > 0)
		sampler_read_tree(s->sampler, s->sample);
	else
		r = sampler_read(s->sampler, s->sample);
	if (r < 0)
		return why_set(why, r, "cannot take a sample: %s", strerror(-r));
	session_regions_start(&s->regions, sampler_source(s->sampler), session_tree(s), options.max_overhead);
	s->run.start_wall_ns = s->sample->wall_ns;
	s->run.start_monotonic_ns = s->sample->monotonic_ns;
	if (s->run.n_pids > 0)
		s->run.start_boot_ns = s->sample->monotonic_ns + suspended_ns();
	return 0;
}

int session_open_record(struct session *s, const struct inherited_signals *signals, struct why *why)
{
	struct why note = { "" };

	s->going = true;
	session_hooks_open(&s->hooks, s->options, signals);
	session_name_record(s);
	int r = session_records_open(&s->records, s->options, &s->run, s->host, sampler_source(s->sampler),
				     s->outcome.whole, signals, why, &note);

	if (note.text[0])
		session_notice(s, note.text);
	note.text[0] = '\0';
	if (r == 0)
		s->upload = session_upload_open(s->options, s->records.place.path, signals, &note);
	if (note.text[0])
		session_notice(s, note.text);
	if (s->options->discover && discovery_open(&s->discovery, s->options->root, &note) < 0)
		session_notice(s, note.text);
	return r;
}

int session_record_begun(struct session *s, struct why *why)
{
	return session_records_begun(&s->records, BEGIN_SECONDS, why);
}

void session_write_now(struct session *s)
{
	session_records_write_now(&s->records);
}

void session_go(struct session *s, bool over)
{
	struct why note = { "" };

	if (!over)
		session_records_start(&s->records, &note);
	if (note.text[0])
		session_notice(s, note.text);
	if (s->mode == MODE_COMMAND) {
		if (!over && session_tree(s))
			tree_listen(session_tree(s));
		/* A missing GPU that the user asked for is reported even after the shortest run. */
		if (!over || s->options->gpus)
			sampler_open_rest(s->sampler);
		(void)!sampler_read_brief(s->sampler, s->sample);
		if (!over)
			session_own_cgroup_sweep(&s->own_cgroup);
	}
	session_fetch_notices(s);
	aggregate_add(s->outcome.whole, s->sample);
	if (s->mode == MODE_COMMAND && session_tree(s))
		last_minute_open(&s->outcome.last_minute, s->run.start_monotonic_ns,
				 s->sample->total.cgroup_memory_limit_bytes);
	session_records_sample(&s->records, s->sample);
}

void session_cancel(struct session *s)
{
	s->going = false;
	s->n_notices = 0;
	session_upload_go(s->upload, false);
	session_records_cancel(&s->records, LEAVE_SECONDS);
}

struct ending_evidence *session_evidence(struct session *s)
{
	return &s->outcome.evidence;
}

static bool is_from_slurm(const struct session *s, const struct signalfd_siginfo *info)
{
	char path[32], name[32];

	if (strcmp(s->job.scheduler, "slurm") != 0 || !*s->job.step || info->ssi_pid == 0 || s->no_source.text[0])
		return false;
	(void)snprintf(path, sizeof path, "%d/comm", (int)info->ssi_pid);
	return source_read_line(name, sizeof name, s->source.proc, path) == 0 && strcmp(name, "slurmstepd") == 0;
}

bool session_signalled(struct session *s, const struct signalfd_siginfo *info)
{
	bool slurm = is_from_slurm(s, info);
	struct timespec now = { 0 };

	ending_passed(&s->outcome.evidence, s->sampler ? sampler_source(s->sampler) : NULL, info);
	(void)clock_gettime(CLOCK_REALTIME, &now);
	s->outcome.evidence.passed_how =
		!slurm ? NULL : s->job.limit_unix_seconds > 0 && now.tv_sec >= s->job.limit_unix_seconds
		       ? " to all processes of the step, at the time limit of the job" : " to all processes of the step";
	return !slurm;
}

struct tree *session_tree(struct session *s)
{
	return s->sampler ? sampler_tree(s->sampler) : NULL;
}

int64_t session_now(const struct session *s)
{
	const struct source *src = sampler_source(s->sampler);

	return src->monotonic_ns(src->clock);
}

bool session_has_output(const struct session *s)
{
	return s->samples.output != NULL;
}

uint64_t session_taken(const struct session *s)
{
	return s->taken;
}

bool session_reader_gone(struct session *s)
{
	return s->samples.output && output_reader_gone(s->samples.output);
}
