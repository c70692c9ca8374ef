/* session_sampling.c - takes the samples of a session, and the polls between them. */
#include "session_state.h"

static uint64_t dropped_lines(struct session *s)
{
	const struct session_samples *samples = &s->samples;

	return (samples->output ? output_dropped(samples->output) : 0) + session_records_dropped(&s->records);
}

struct hook_facts session_facts(const struct session *s, const struct run_status *status, double seconds)
{
	return (struct hook_facts){
		.value = NONE, .host = s->host, .record = s->records.place.path[0] ? s->records.place.path : NULL,
		.run = &s->run, .record_command = s->options->record_command, .status = status,
		.whole = s->outcome.whole, .seconds = seconds,
	};
}

static void check_limits(struct session *s)
{
	static const struct run_status running = { .end = RUN_RUNNING };

	if (s->hooks.n_limits == 0)
		return;

	struct hook_facts facts = session_facts(s, &running, s->records.seconds);

	session_hooks_sample(&s->hooks, &s->sample->total, &facts);
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
	session_take_cloud(s, false);
	check_limits(s);
	session_fetch_notices(s);
}

void session_sample(struct session *s, int64_t due_ns, uint64_t missed)
{
	if (s->sampler)
		take_sample(s, due_ns, missed, false);
}

void session_stops(struct session *s)
{
	session_records_hide_status(&s->records);
}

void session_continues(struct session *s)
{
	session_records_show_status(&s->records);
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
