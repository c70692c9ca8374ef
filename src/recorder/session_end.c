/* session_end.c - ends a session: last lines of the outputs, footers of the records, the summary. */
#include "session_state.h"

#include <stdlib.h>

#include "../text/sentence.h"
#include "live_view.h"
#include "own_cost.h"

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
	struct program_tree programs = { .n = 0 };
	struct session_end last = {
		.moments = moments, .n_moments = session_outcome_moments(&s->outcome, status, moments),
		.regions = &s->regions.totals, .programs = &programs, .status = status,
	};
	struct output_end end = { 0 };

	if (session_tree(s) && tree_programs(session_tree(s), &programs) < 0)
		session_notice(s, "out of memory: the record lacks the tree of programs");
	session_take_cloud(s, true);
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

/* The notice is in the summary: the record is finished. */
static void wait_for_upload(struct session *s, double until)
{
	struct why trouble;

	session_upload_wait(s->upload, until, &trouble);
	if (trouble.text[0])
		session_notice(s, trouble.text);
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

static void print_notices(const struct session *s)
{
	for (size_t i = 0; i < s->n_notices; i++)
		sentence_print(NULL, "%s", s->notices[i].text);
}

/* The record is complete, so they can read it. */
static void start_hooks(struct session *s, const struct run_status *status)
{
	double seconds = (double)(status->end_monotonic_ns - s->run.start_monotonic_ns) / 1e9;
	struct hook_facts facts = session_facts(s, status, seconds);

	if (!s->recorded)
		facts.record = NULL;
	session_hooks_end(&s->hooks, &facts);
}

/* They get what outputs get; then they go on by themselves.  The summary is written: what went wrong is printed. */
static void leave_hooks(struct session *s)
{
	size_t left = hooks_wait(&s->hooks.calls, LEAVE_SECONDS);

	for (struct why trouble; session_hooks_trouble(&s->hooks, &trouble);)
		if (!s->options->quiet)
			sentence_print(NULL, "%s", trouble.text);
	if (left > 0 && !s->options->quiet)
		sentence_print(NULL, "--on-end, --on-limit: %zu of their programs still ran when recording ended, and go on", left);
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
		/* What is pushed and what is uploaded have this time together. */
		double until = seconds_now() + LEAVE_SECONDS + s->options->push_drain_seconds;

		close_records(s, status, ret_nothing);
		session_upload_go(s->upload, true);
		start_hooks(s, status);
		wait_for_upload(s, until);
		live_view_wait(s->options);
		write_summary(s, status);
		if (s->options->view && s->mode == MODE_WATCH)          /* without a summary */
			print_notices(s);
		leave_hooks(s);
	} else if (!s->options->quiet && s->mode == MODE_COMMAND && status->end != RUN_RUNNING) {
		print_notices(s);
	}
}

void session_close(struct session *s)
{
	discovery_close(&s->discovery);
	session_upload_go(s->upload, false);
	session_upload_close(s->upload);
	session_summary_close(&s->summary);
	session_outcome_close(&s->outcome);
	session_samples_close(&s->samples);
	session_regions_close(&s->regions);
	session_records_close(&s->records);
	sampler_close(s->sampler);
	if (!s->no_source.text[0])
		source_close(&s->source);
	free(s->sample);
	hooks_close(&s->hooks.calls);
	free(s);
}
