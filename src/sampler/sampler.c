/* sampler.c - one tick of all collectors. */
#include "sampler.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../collect/process.h"
#include "../core/collector.h"
#include "../core/scan.h"
#include "governor.h"

static const struct named_collector { const char *name; const struct collector *is; } collectors[] = {
#define COLLECTOR(name, what) { #name, &collector_##name },
#include "../core/collectors.def"
};

enum { NOTICES_MAX = 16 };

struct slot {
	const struct collector *collector;      /* NULL: not in use */
	const char *name;
	void *state;
	bool reported;                          /* its failure is reported once, until it works again */
};

struct sampler {
	struct source source;
	bool source_is_lent;
	struct text text;
	struct setup setup;
	const char *only, *without;
	struct slot slots[countof(collectors)];
	bool tree_read;                         /* its baseline was taken before the machine's */
	uint64_t seq, forks_at_first;
	int64_t forks_first_ns;
	int64_t last_ns;
	struct governor governor;
	bool shared_process;
	int64_t sampling_ns;                    /* CPU time of the thread in all samples; only for a shared process */
	int64_t used_ns;                        /* our CPU time at the last sample */
	double programs_cpu_seconds;
	struct why notices[NOTICES_MAX];        /* pending: [reported, n_notices) */
	size_t n_notices, reported;
};

static void notice(struct sampler *s, const char *collector, const char *reason)
{
	if (s->reported == s->n_notices)
		s->reported = s->n_notices = 0;
	if (s->n_notices < NOTICES_MAX)
		(void)why_set(&s->notices[s->n_notices++], 0, "%s: %s", collector, reason);
}

const char *sampler_notice(struct sampler *s)
{
	return s->reported < s->n_notices ? s->notices[s->reported++].text : NULL;
}

static bool listed(const char *list, const char *name)
{
	struct word item;

	while (list_next(&list, &item))
		if (word_is(item, name))
			return true;
	return false;
}

static bool is_collector(struct word name)
{
	for (size_t i = 0; i < countof(collectors); i++)
		if (word_is(name, collectors[i].name))
			return true;
	return false;
}

static int check_list(const char *list, struct why *why)
{
	struct word item;

	while (list_next(&list, &item))
		if (!is_collector(item))
			return why_set(why, -EINVAL, "there is no collector '%.*s'", (int)item.len, item.at);
	return 0;
}

static bool wanted(const struct sampler *s, const struct named_collector *c)
{
	if (c->is == &collector_process && !s->setup.tree)
		return false;
	return (!s->only || listed(s->only, c->name)) && !(s->without && listed(s->without, c->name));
}

static int start_collector(struct sampler *s, struct slot *slot, const struct named_collector *named,
			   struct why *why)
{
	const struct collector *c = named->is;
	void *state = calloc(1, c->state_size);

	int r = state ? c->start(state, &s->setup, why) : why_set(why, -ENOMEM, "out of memory");

	if (r != -ENODATA && why->text[0])
		notice(s, named->name, why->text);
	if (r < 0) {
		if (state)
			c->stop(state);
		free(state);
		/* Without its tree a tracker has nothing to do; after any other failure values are missing. */
		return c == &collector_process ? r : 0;
	}
	*slot = (struct slot){ .collector = c, .name = named->name, .state = state };
	return 0;
}

static bool of_the_machine(const struct collector *c)
{
	return c != &collector_process && c != &collector_tracker;
}

static int start_collectors(struct sampler *s, bool ours, bool machine, struct why *why)
{
	for (size_t i = 0; i < countof(collectors); i++) {
		const struct named_collector *c = &collectors[i];
		int r = 0;

		why->text[0] = '\0';
		if ((of_the_machine(c->is) ? machine : ours) && wanted(s, c))
			r = start_collector(s, &s->slots[i], c, why);
		if (r < 0)
			return r;
	}
	return 0;
}

void sampler_open_rest(struct sampler *s)
{
	struct why why;

	(void)start_collectors(s, false, true, &why);
}

int sampler_open(struct sampler **ret, const struct sampler_options *options, struct why *why)
{
	struct why ignored;

	if (!why)
		why = &ignored;
	if ((options->only && check_list(options->only, why) < 0) ||
	    (options->without && check_list(options->without, why) < 0))
		return -EINVAL;

	struct sampler *s = calloc(1, sizeof *s);

	if (!s)
		return why_set(why, -ENOMEM, "out of memory");

	int r = options->source ? 0 : source_open(&s->source, options->root ? options->root : "/", why);

	if (r < 0) {
		free(s);
		return r;
	}
	s->source_is_lent = options->source != NULL;
	if (s->source_is_lent)
		s->source = *options->source;
	if (options->monotonic_ns)
		s->source.monotonic_ns = options->monotonic_ns;
	if (options->wall_ns)
		s->source.wall_ns = options->wall_ns;
	s->source.clock = options->clock;
	if (options->nvml) {
		s->source.nvml = options->nvml;
		s->source.nvml_given = true;
	}

	governor_init(&s->governor, options->max_overhead);
	s->shared_process = options->shared_process;
	s->only = options->only;
	s->without = options->without;
	s->setup = (struct setup){ .src = &s->source, .pid = options->pid, .tree = options->tree,
				   .interval_seconds = options->interval_seconds,
				   .max_overhead = options->max_overhead, .gpus = options->gpus,
				   .gpu_serve = options->gpu_serve };
	r = start_collectors(s, true, !options->tree_first, why);
	if (r < 0) {
		sampler_close(s);
		return r;
	}
	*ret = s;
	return 0;
}

void sampler_close(struct sampler *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < countof(collectors); i++)
		if (s->slots[i].collector) {
			s->slots[i].collector->stop(s->slots[i].state);
			free(s->slots[i].state);
		}
	text_release(&s->text);
	if (!s->source_is_lent)
		source_close(&s->source);
	free(s);
}

static void read_slot(struct sampler *s, struct slot *slot, struct tick *tick)
{
	struct why why = { "" };

	tick->why = &why;

	int r = slot->collector->read(slot->state, tick);

	if (r < 0 ? !slot->reported : why.text[0] != '\0')
		notice(s, slot->name, why.text[0] ? why.text : strerror(-r));
	slot->reported = r < 0;
}

void sampler_read_tree(struct sampler *s, struct sample *scratch)
{
	struct tick tick = { .src = &s->source, .text = &s->text, .out = scratch, .brief = true };

	sample_clear(scratch);
	scratch->monotonic_ns = s->last_ns = s->source.monotonic_ns(s->source.clock);
	scratch->wall_ns = s->source.wall_ns(s->source.clock);
	for (size_t i = 0; i < countof(collectors); i++)
		if (s->slots[i].collector == &collector_process)
			read_slot(s, &s->slots[i], &tick);
	s->tree_read = true;
}

static int64_t cpu_ns(clockid_t clock)
{
	struct timespec used = { 0 };

	(void)clock_gettime(clock, &used);
	return used.tv_sec * NS_PER_SECOND + used.tv_nsec;
}

/* The CPU time until now is input of the next sample's decision.  Readers of GPUs have a limit of their own. */
static void govern(struct sampler *s, struct sample *out)
{
	if (s->governor.budget <= 0)
		return;

	int64_t now_ns = s->shared_process ? s->sampling_ns : cpu_ns(CLOCK_PROCESS_CPUTIME_ID);
	double cpu_seconds = (double)(now_ns - s->used_ns) / (double)NS_PER_SECOND;

	if (out->interval_seconds > 0 && s->used_ns > 0)
		governor_step(&s->governor, cpu_seconds, out->interval_seconds);
	s->used_ns = now_ns;
	out->total.tracker_slowdown = s->governor.slowdown;
}

static int take_sample(struct sampler *s, struct sample *out, bool brief)
{
	struct tick tick = { .src = &s->source, .text = &s->text, .out = out, .brief = brief, .tree = sampler_tree(s),
			     .spare = s->seq % s->governor.slowdown != 0, .slowdown = s->governor.slowdown,
			     .forks_at_first = s->forks_at_first, .forks_first_ns = s->forks_first_ns };
	int64_t began = s->source.monotonic_ns(s->source.clock);

	sample_clear(out);
	out->monotonic_ns = began;
	out->wall_ns = s->source.wall_ns(s->source.clock);
	out->seq = s->seq;
	bool tree_was_first = s->seq == 0 && s->tree_read;

	if (s->seq++ > 0)
		out->interval_seconds = (double)(began - s->last_ns) / (double)NS_PER_SECOND;
	if (!tree_was_first)
		s->last_ns = began;
	govern(s, out);

	for (size_t i = 0; i < countof(collectors); i++) {
		struct slot *slot = &s->slots[i];

		if (!slot->collector || (tree_was_first && slot->collector == &collector_process))
			continue;
		read_slot(s, slot, &tick);

		int64_t ended = s->source.monotonic_ns(s->source.clock);
		struct collector_row *row = sample_add_collector(out, slot->name);

		if (row)
			row->seconds = (double)(ended - began) / (double)NS_PER_SECOND;
		began = ended;
	}
	s->programs_cpu_seconds = tick.programs_cpu_seconds;
	if (s->forks_at_first == 0) {
		s->forks_at_first = tick.forks_since_boot;
		s->forks_first_ns = began;
	}
	out->total.tracker_sample_seconds = (double)(began - out->monotonic_ns) / (double)NS_PER_SECOND;
	return 0;
}

int sampler_read(struct sampler *s, struct sample *out)
{
	if (s->governor.budget <= 0 || !s->shared_process)
		return take_sample(s, out, false);

	int64_t began = cpu_ns(CLOCK_THREAD_CPUTIME_ID);
	int r = take_sample(s, out, false);

	s->sampling_ns += cpu_ns(CLOCK_THREAD_CPUTIME_ID) - began;
	return r;
}

int sampler_read_brief(struct sampler *s, struct sample *out)
{
	return take_sample(s, out, true);
}

double sampler_programs_cpu_seconds(const struct sampler *s)
{
	return s->programs_cpu_seconds;
}

struct tree *sampler_tree(struct sampler *s)
{
	for (size_t i = 0; i < countof(collectors); i++)
		if (s->slots[i].collector == &collector_process)
			return ((struct process *)s->slots[i].state)->tree;
	return NULL;
}

const struct source *sampler_source(const struct sampler *s)
{
	return &s->source;
}
