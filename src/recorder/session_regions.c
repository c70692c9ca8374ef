/* session_regions.c - passes the command's regions on to the records and the summary. */
#include "session_regions.h"

#include <string.h>
#include <time.h>

/* At most LINES_MAX lines in LINES_NS, so that they do not displace rows in the record's queue. */
enum { LINES_MAX = 800 };

static const int64_t LINES_NS = 100000000;

/* A reading costs 0.1 ms, mostly for waking up.  Readings are spaced so that they use at most 0.1 % of a core. */
static const int64_t READING_EVERY_NS = 100000000, READING_COSTS = 1000, WAKING_NS = 60000;
static const int64_t CREDIT = 32;
static const double WORTH_NS = 10e6;            /* no readings for shorter regions */

/* Reading lines of text can use half of the recorder's budget. */
static const double LINE_SECONDS = 1e-6, LINES_SHARE = 0.5;

void session_regions_offer(struct session_regions *s, bool wanted)
{
	char address[64];

	(void)unsetenv(RT_REGION_VARIABLE);
	(void)unsetenv(REGION_LINES_VARIABLE);
	s->file.fd = s->file.watch = s->notifier.fd = -1;
	if (!wanted)
		return;
	if (channel_open_memory(&s->channel) == 0) {
		channel_address(address, sizeof address, &s->channel);
		(void)setenv(RT_REGION_VARIABLE, address, 1);
	}
	if (line_file_open(&s->file) == 0) {
		line_file_address(address, sizeof address, &s->file);
		(void)setenv(REGION_LINES_VARIABLE, address, 1);
	}
}

void session_regions_start(struct session_regions *s, const struct source *src, const struct tree *tree,
			   double max_overhead)
{
	s->file.lines_per_second = max_overhead * LINES_SHARE / LINE_SECONDS;
	s->lines.first_ns = src->monotonic_ns(src->clock);
	s->net_recv_bytes = s->net_sent_bytes = s->gpu_seconds = NONE;
	s->budget.every_ns = READING_EVERY_NS;
	s->channel.reported = s->lines.memory = &s->memory;
	channel_start(&s->channel, src, WORTH_NS);
	session_regions_reading(s, src, tree, NULL, s->lines.first_ns, NULL);
}

/* ---- called by the command --------------------------------------------------------------- */

/* Charges a reading.  false: the credit is used up, and calls have to wait for the next sample. */
static bool pay(struct reading_budget *b, int64_t now_ns, int64_t cost_ns)
{
	int64_t from = now_ns - CREDIT * b->every_ns;

	b->every_ns = cost_ns * READING_COSTS > READING_EVERY_NS ? cost_ns * READING_COSTS : READING_EVERY_NS;
	b->next_ns = (b->next_ns > from ? b->next_ns : from) + b->every_ns;
	return b->next_ns <= now_ns;
}

/* Answers the calls so far, and waits for the next. */
static void arm(struct session_regions *s)
{
	if (s->notifier.fd >= 0 && !s->notifier_armed)
		notifier_arm(&s->notifier, channel_answer(&s->channel, s->budget.every_ns));
	if (s->file.watch >= 0 && !s->watch_armed)
		line_file_watch(&s->file);
	s->notifier_armed = s->watch_armed = true;
}

void session_regions_listen(struct session_regions *s, int ret[2])
{
	ret[0] = ret[1] = -1;
	if (s->channel.memory && notifier_open(&s->notifier, channel_number(&s->channel)) == 0)
		channel_listen(&s->channel, CREDIT * s->budget.every_ns);
	line_file_watch(&s->file);
	s->watch_armed = true;
	arm(s);
	ret[0] = s->notifier.fd;
	ret[1] = s->file.watch;
}

static int64_t own_cpu_ns(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * NS_PER_SECOND + t.tv_nsec;
}

void session_regions_called(struct session_regions *s, const struct source *src, struct tree *tree,
			    struct session_records *records)
{
	int64_t began_ns = own_cpu_ns(), from_ns = src->monotonic_ns(src->clock);
	bool fired = notifier_fired(&s->notifier), changed = line_file_changed(&s->file);
	struct tree_sums sums;

	if (!fired && !changed)
		return;
	s->notifier_armed &= !fired;
	s->watch_armed &= !changed;
	if (tree)
		tree_poll(tree, &sums);
	session_regions_reading(s, src, tree, records, from_ns, NULL);
	if (pay(&s->budget, s->attribution.last.at_ns, own_cpu_ns() - began_ns + WAKING_NS))
		arm(s);
}

/* ---- events and readings ------------------------------------------------------------------ */

/* Events of one thread come from the outermost region to the innermost.  Takes the first thread's regions. */
static void see_open_at_the_end(struct session_regions *s, const char *path)
{
	size_t n = strlen(s->died_in);

	if (n == 0 || (strncmp(path, s->died_in, n) == 0 && path[n] == '/'))
		memcpy(s->died_in, path, strlen(path) + 1);
}

void session_regions_over(struct session_regions *s)
{
	s->over = true;
}

static void report(void *context, const struct region_event *event)
{
	struct session_regions *s = context;

	if (s->over && event->unfinished)
		see_open_at_the_end(s, event->path);
	if (event->kind == REGION_ENTRY)
		attribution_open(&s->attribution, event->path, event->monotonic_ns,
				 event->monotonic_ns + (int64_t)(event->seconds * 1e9));
	if (s->records && (s->reported++ < LINES_MAX || event->unfinished))
		session_records_region(s->records, event);
	else if (s->records)
		s->unreported++;
}

static void report_short(void *context, const char *path, int64_t ns)
{
	struct session_regions *s = context;

	attribution_short(&s->attribution, path, ns);
}

static void drain(struct session_regions *s, const struct source *src, struct session_records *records, bool last)
{
	struct region_event event;

	s->records = records;
	s->lines.now_ns = src->monotonic_ns(src->clock);
	if (s->lines.now_ns >= s->reported_ns + LINES_NS) {
		s->reported_ns = s->lines.now_ns;
		s->reported = 0;
	}
	channel_drain(&s->channel, src, last);
	while (channel_next_event(&s->channel, &event))
		report(s, &event);
	s->lines.source = src;
	region_lines_clock(&s->lines);
	s->lines.report = report;
	s->lines.report_short = report_short;
	s->lines.context = s;
	line_file_read(&s->file, &s->lines, last);
	if (last)
		region_lines_end(&s->lines);
	channel_share(&s->channel, &s->attribution);
	region_lines_share(&s->lines, &s->attribution);
}

static double so_far(double sum, double more)
{
	return is_none(more) ? sum : add_known(sum, more);
}

/*
 * A program's note of its memory gives the tree's memory if that of all other processes is known for that moment: if
 * there are none, or if they did not run since the reading before.
 */
static void read_notes(struct session_regions *s, const struct tree *tree, const struct region_reading *now)
{
	struct tree_others others;
	struct memory_note reported;

	while (memory_notes_next(&s->memory, now->at_ns, &reported)) {
		struct region_reading then = {
			.from_ns = reported.from_ns, .at_ns = reported.until_ns, .reported = true
		};
		bool sure = tree && tree_others(tree, reported.pid, &others) &&
			    (others.processes == 0 || (others.still && reported.until_ns <= now->from_ns));

		for (size_t k = 0; k < REGION_USES; k++)
			then.used[k] = NONE;
		then.used[REGION_RSS_CHANGE] = sure ? reported.rss_bytes + others.rss_bytes : NONE;
		if (sure)
			attribution_reading(&s->attribution, &then);
	}
}

/* Completes the reading `now`, of which only the times are set, and attributes it.  tree NULL: nothing is known. */
static void read_tree(struct session_regions *s, const struct tree *tree, struct region_reading now,
		      const struct sample *sample)
{
	struct tree_sums sums = { NONE, NONE, 0, NONE, NONE, 0 };

	if (tree)
		tree_sums(tree, &sums);
	if (!(sums.rss_bytes > 0))                      /* all processes have ended or are exiting */
		sums.rss_bytes = NONE;
	for (size_t k = 0; k < REGION_USES; k++)
		now.used[k] = NONE;
	now.rss_bytes = now.used[REGION_RSS_CHANGE] = sums.rss_bytes;
	now.largest_bytes = sums.largest_bytes;
	now.processes = sums.processes;
	now.used[REGION_TREE_CPU] = sums.cpu_seconds;
	now.used[REGION_DISK_READ] = sums.disk_read_bytes;
	now.used[REGION_DISK_WRITE] = sums.disk_write_bytes;
	if (sample) {
		const struct totals *t = &sample->total;

		s->net_recv_bytes = so_far(s->net_recv_bytes, t->process_net_recv_bytes);
		s->net_sent_bytes = so_far(s->net_sent_bytes, t->process_net_sent_bytes);
		s->gpu_seconds = so_far(s->gpu_seconds, t->gpu_total_utilization_gpus * sample->interval_seconds);
		now.used[REGION_NET_RECV] = s->net_recv_bytes;
		now.used[REGION_NET_SENT] = s->net_sent_bytes;
		now.used[REGION_GPU] = s->gpu_seconds;
		if (now.at_ns >= s->budget.next_ns)
			arm(s);
	}
	attribution_reading(&s->attribution, &now);
}

void session_regions_reading(struct session_regions *s, const struct source *src, const struct tree *tree,
			     struct session_records *records, int64_t from_ns, const struct sample *sample)
{
	struct region_reading now = { .from_ns = from_ns, .at_ns = src->monotonic_ns(src->clock) };

	/* After the clock was read: every begin and end up to that time must be known, or the bounds would be wrong. */
	drain(s, src, records, false);
	read_notes(s, tree, &now);
	read_tree(s, tree, now, sample);
}

void session_regions_finish(struct session_regions *s, const struct source *src, struct session_records *records)
{
	int64_t now_ns = src->monotonic_ns(src->clock);

	drain(s, src, records, true);
	read_tree(s, NULL, (struct region_reading){ now_ns, now_ns, .rss_bytes = NONE }, NULL);
	if (channel_totals(&s->totals, &s->channel, &s->lines.sums) < 0)
		return;
	s->totals.unreported += s->unreported;
	attribution_fill(&s->totals, &s->attribution);
	for (size_t i = 0; i < s->totals.n; i++)
		region_total_settle(&s->totals.at[i]);
}

void session_regions_close(struct session_regions *s)
{
	notifier_close(&s->notifier);
	region_totals_release(&s->totals);
	attribution_release(&s->attribution);
	region_lines_release(&s->lines);
	line_file_close(&s->file);
	channel_close(&s->channel);
}
