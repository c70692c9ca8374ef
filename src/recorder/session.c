/* session.c - one recording: its sampler, outputs, records, statistics and summary. */
#include "session.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../record/collision.h"
#include "../text/sentence.h"
#include "own_cost.h"
#include "session_own_cgroup.h"
#include "session_outcome.h"
#include "session_records.h"
#include "session_regions.h"
#include "session_samples.h"
#include "session_summary.h"
#include "signals.h"

enum { NOTICES_MAX = 32 };

static const double LEAVE_SECONDS = 1;          /* longest wait for slow outputs at the end */
static const double BEGIN_SECONDS = 10;         /* longest wait for a record on a slow disk, by session_record_begun */

struct session {
	const struct options *options;
	enum mode mode;
	struct run run;                         /* options->run, completed by what is known so far */
	struct job job;
	pid_t command_pid;
	bool alone;                             /* the command is our only child */

	struct source source;
	struct why no_source;                   /* why `source` is not open; "": it is */
	struct session_own_cgroup own_cgroup;
	struct session_regions regions;
	struct sampler *sampler;                /* NULL: nothing is sampled */
	bool going;                             /* session_open_record was called: the end needs a footer and summary */
	struct sample *sample;
	struct session_outcome outcome;
	uint64_t taken, dropped_before;
	bool any_written;                       /* a closed output has written lines, or had none to write */

	struct session_samples samples;
	struct session_records records;
	struct session_summary summary;
	bool recorded;                          /* the run's own record was written */
	char host[64];                          /* the host name in the record's name; "": not chosen yet */

	struct why notices[NOTICES_MAX];
	size_t n_notices;
};

void session_notice(struct session *s, const char *sentence)
{
	if (s->n_notices == NOTICES_MAX)
		return;
	(void)why_set(&s->notices[s->n_notices++], 0, "%s", sentence);
	session_records_notice(&s->records, sentence);
	/* Stderr belongs to the command while it runs, so the summary prints its notices. */
	if (s->mode != MODE_COMMAND && !s->options->quiet)
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

static void fetch_notices(struct session *s)
{
	for (const char *sentence; (sentence = sampler_notice(s->sampler)) != NULL;)
		session_notice(s, sentence);
	if (session_tree(s))
		for (const char *sentence; (sentence = tree_notice(session_tree(s))) != NULL;)
			session_notice(s, sentence);
	for (struct why trouble; session_records_trouble(&s->records, &trouble);)
		session_notice(s, trouble.text);
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
		      strcmp(o->record, "none") != 0 || o->feeds.n + o->feed_programs.n > 0;

	session_regions_offer(&s->regions, !o->root && wanted);
}

/*
 * Sets the command's RECORD_VARIABLE.  A tracker inside a tracker replaces it by its own record, or removes it; so does one in the background
 * (detach.h).
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
	session_name_record(s);
	int r = session_records_open(&s->records, s->options, &s->run, s->host, sampler_source(s->sampler),
				     s->outcome.whole, signals, why, &note);

	if (note.text[0])
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
	fetch_notices(s);
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
	session_records_cancel(&s->records, LEAVE_SECONDS);
}

static uint64_t dropped_lines(struct session *s)
{
	const struct session_samples *samples = &s->samples;

	return (samples->output ? output_dropped(samples->output) : 0) + session_records_dropped(&s->records);
}

static void take_sample(struct session *s, int64_t due_ns, uint64_t missed, bool brief)
{
	int r = brief ? sampler_read_brief(s->sampler, s->sample) : sampler_read(s->sampler, s->sample);

	if (r < 0)
		return;

	struct totals *t = &s->sample->total;
	uint64_t dropped = dropped_lines(s);
	double late = (double)(s->sample->monotonic_ns - due_ns) / (double)NS_PER_SECOND;

	t->tracker_late_seconds = late > 0 ? late : 0;
	t->tracker_missed_samples = (double)missed;
	t->tracker_dropped_lines = (double)(dropped - s->dropped_before);
	s->dropped_before = dropped;
	s->taken++;
	session_outcome_sample(&s->outcome, s->sample, session_tree(s), s->run.n_pids > 0);
	session_samples_write(&s->samples, s->sample, &s->run);

	struct tree_exit ended;

	/* Exits and regions before the sample: they are part of its row. */
	while (session_tree(s) && tree_next_exit(session_tree(s), &ended))
		session_records_exit(&s->records, &ended);
	session_regions_reading(&s->regions, sampler_source(s->sampler), session_tree(s), &s->records,
				s->sample->monotonic_ns, s->sample);
	s->records.seconds = (double)(s->sample->monotonic_ns - s->run.start_monotonic_ns) / 1e9;
	session_records_sample(&s->records, s->sample);
	fetch_notices(s);
}

void session_sample(struct session *s, int64_t due_ns, uint64_t missed)
{
	if (s->sampler)
		take_sample(s, due_ns, missed, false);
}

void session_pause(struct session *s)
{
	session_records_wake(&s->records);
	if (s->samples.output)
		output_wake(s->samples.output);
}

void session_last_sample(struct session *s)
{
	session_regions_over(&s->regions);
	/*
	 * In a run shorter than an interval, only an output of samples uses the rows of devices.  An attached process
	 * lives on, so its memory is read as at any sample.
	 */
	bool brief = s->mode == MODE_COMMAND && s->taken == 0 && !s->samples.output;

	if (s->sampler)
		take_sample(s, session_now(s), 0, brief);
}

int64_t session_next_poll(const struct session *s, int64_t sample_ns)
{
	return last_minute_due(&s->outcome.last_minute, session_now(s), sample_ns);
}

void session_poll(struct session *s)
{
	const struct source *src = sampler_source(s->sampler);

	int64_t from_ns = src->monotonic_ns(src->clock);

	last_minute_poll(&s->outcome.last_minute, src, session_tree(s));
	session_regions_reading(&s->regions, src, session_tree(s), &s->records, from_ns, NULL);
}

void session_listen(struct session *s, int ret[2])
{
	ret[0] = ret[1] = -1;
	if (s->sampler)
		session_regions_listen(&s->regions, ret);
}

void session_called(struct session *s)
{
	session_regions_called(&s->regions, sampler_source(s->sampler), session_tree(s), &s->records);
}

struct ending_evidence *session_evidence(struct session *s)
{
	return &s->outcome.evidence;
}

void session_passed_on(struct session *s, const struct signalfd_siginfo *info)
{
	ending_passed(&s->outcome.evidence, s->sampler ? sampler_source(s->sampler) : NULL, info);
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

static void write_summary(struct session *s, const struct run_status *status)
{
	const char *notices[NOTICES_MAX];
	struct moment moments[MOMENTS];
	char *name_alone[] = { s->run.command ? s->run.command[0] : NULL, NULL };
	struct summary summary = {
		.run = s->run, .status = *status, .record_path = s->recorded ? s->records.place.path : NULL,
		.notices = notices, .n_notices = s->n_notices, .regions = s->regions.totals,
	};

	if (s->run.command && s->options->record_command == COMMAND_NAME)
		summary.run.command = name_alone;
	for (size_t i = 0; i < s->n_notices; i++)
		notices[i] = s->notices[i].text;
	session_outcome_describe(&s->outcome, &summary, s->sample, moments);
	session_summary_write(&s->summary, s->options, &summary, s->records.place.prune, LEAVE_SECONDS);
}

/*
 * Reports what an output lost.  A reader that stopped reading is not a loss.  If neither this last output nor any
 * before wrote a line, *ret_nothing gets the sentence and the recorder fails with it; not around a command, as the
 * command's own status matters more.
 */
static void report_loss(struct session *s, const struct output_end *end, uint64_t lost, const char *name, bool last,
			struct why *ret_nothing)
{
	bool all = lost > 0 && end->written == 0 && !end->reader_gone;

	s->any_written = s->any_written || !all;
	if (all && last && !s->any_written && s->mode != MODE_COMMAND)
		(void)(end->failure.text[0] ? why_set(ret_nothing, 0, "%s; nothing was written", end->failure.text)
					    : why_set(ret_nothing, 0, "no process read %s; nothing was written", name));
	else if (end->failure.text[0] && !end->reader_gone)
		session_notice(s, end->failure.text);
}

/* Closes the feeds first: the record contains notices about them. */
static void close_records(struct session *s, struct run_status *status, struct why *ret_nothing)
{
	struct moment moments[MOMENTS];
	struct session_end last = {
		.moments = moments, .n_moments = session_outcome_moments(&s->outcome, status, moments),
		.regions = &s->regions.totals, .status = status,
	};
	struct output_end end = { 0 };

	session_records_finish_feeds(&s->records, &last, LEAVE_SECONDS);
	for (struct why trouble; session_records_trouble(&s->records, &trouble);)
		session_notice(s, trouble.text);
	if (!session_records_has_output(&s->records))
		return;

	s->recorded = session_records_has_own(&s->records);
	uint64_t lost = session_records_finish(&s->records, &last, LEAVE_SECONDS, &end);

	if (end.failure.text[0])                /* becomes a notice: a failed record cannot count its losses */
		s->recorded = false;
	else
		status->dropped_lines += lost;
	report_loss(s, &end, lost, s->records.place.path, true, ret_nothing);
}

/* Call it before close_records: the record contains this output's losses. */
static void close_samples(struct session *s, struct run_status *status, struct why *ret_nothing)
{
	struct output_end end = { 0 };
	uint64_t lost = output_close(s->samples.output, LEAVE_SECONDS, &end);

	s->samples.output = NULL;
	status->dropped_lines += lost;
	report_loss(s, &end, lost, s->options->output ? s->options->output : "stdout",
		    !session_records_has_output(&s->records), ret_nothing);
}

static void notice_lost_lines(struct session *s)
{
	struct why notice = { "" };
	const struct line_file *f = &s->regions.file;

	if (f->lost_bytes == 0)
		return;
	(void)why_set(&notice, 0, "regions: lines came faster than they are read (%.0f a second, by --max-overhead): %.3g MB of "
		      "them are left out, so counts and times of regions are not complete",
		      f->lines_per_second, (double)f->lost_bytes / 1e6);
	session_notice(s, notice.text);
}

void session_finish(struct session *s, struct run_status *status, struct why *ret_nothing)
{
	struct why failure;

	if (session_own_cgroup_close(&s->own_cgroup, &failure) < 0)
		session_notice(s, failure.text);
	if (s->samples.output)
		close_samples(s, status, ret_nothing);
	if (s->going) {
		status->end_wall_ns = sampler_source(s->sampler)->wall_ns(sampler_source(s->sampler)->clock);
		status->end_monotonic_ns = session_now(s);
		ending_count(&s->outcome.evidence, status, s->outcome.whole, sampler_source(s->sampler));
		ending_judge(&status->reason, &s->outcome.evidence);
		session_regions_finish(&s->regions, sampler_source(s->sampler), &s->records);
		notice_lost_lines(s);
		if (status->reason.cause[0] && s->regions.died_in[0])
			ending_died_in(&status->reason, s->regions.died_in);
		session_outcome_own_cost(&s->outcome, own_cost_seconds() + sampler_programs_cpu_seconds(s->sampler));
		close_records(s, status, ret_nothing);
		write_summary(s, status);
	} else if (!s->options->quiet && s->mode == MODE_COMMAND && status->end != RUN_RUNNING) {
		for (size_t i = 0; i < s->n_notices; i++)
			sentence_print(NULL, "%s", s->notices[i].text);
	}
}

void session_close(struct session *s)
{
	session_summary_close(&s->summary);
	session_outcome_close(&s->outcome);
	session_samples_close(&s->samples);
	session_regions_close(&s->regions);
	session_records_close(&s->records);
	sampler_close(s->sampler);
	if (!s->no_source.text[0])
		source_close(&s->source);
	free(s->sample);
	free(s);
}
