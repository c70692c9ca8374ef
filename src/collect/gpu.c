/* gpu.c - graphics processors: sends requests to the readers of src/gpu/, and fills in their answers. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "../core/collector.h"
#include "../gpu/gpu_attribution.h"
#include "../gpu/reader.h"
#include "../gpu/select.h"
#include "../tree/tree.h"

enum { READERS_MAX = 4 };

/* The limit for opening a driver; some need seconds if no other process uses them. */
static const int64_t OPEN_NS = 10 * NS_PER_SECOND;
static const double LEAVE_SECONDS = 0.1, GIVE_UP_SECONDS = 0.01;
/*
 * A reading begins ahead of the next sample by the time that readings take, half as much again, and, since threads
 * can wake up late, a tenth of the interval or this, whichever is less.
 */
static const double LEAD_SECONDS = 0.05;
/* A late reading is used in the next sample; until then the previous values are, unless they are older than this. */
static const double OLD_SECONDS = 1, OLD_INTERVALS = 2;

struct watched {                                /* a reader, and what was reported about it */
	struct gpu_reader *reader;              /* NULL: it found no device, or was given up */
	bool nothing;                           /* it found no device */
	bool listed;                            /* its devices are known; they match ... */
	uint64_t matched;                       /* ... these items of --gpus */
	size_t devices;
	bool asked, late_noted;
	double cpu_seconds, rss_bytes;          /* of its program, as last reported */
	unsigned readings;
	double spacing_seconds;                 /* between readings, so that they cost no more than they may */
};

struct gpu {
	struct watched at[READERS_MAX];
	size_t n;
	pid_t *job;
	size_t job_room;
	pid_t root;                             /* the process with the environment that counts; 0: none */
	struct gpu_visible visible;             /* the job's environment restricts GPUs to these ... */
	bool visible_known, off;                /* ... once that is known; off: --gpus none */
	const char *wanted;                     /* --gpus; NULL: all, or unmatched items were already reported */
	double interval_seconds, max_overhead;
	int64_t started_ns;
};

static void give_up(struct watched *w)
{
	gpu_reader_close(w->reader, GIVE_UP_SECONDS);
	w->reader = NULL;
}

/* Once the devices of all readers are known: reports the items of --gpus that match none of them. */
static void note_unmatched(struct gpu *g, struct why *why)
{
	uint64_t matched = 0;
	size_t devices = 0;
	char names[128];

	for (size_t i = 0; i < g->n; i++) {
		if (!g->at[i].listed)
			return;
		matched |= g->at[i].matched;
		devices += g->at[i].devices;
	}
	if (!g->wanted || why->text[0])
		return;
	if (gpu_select_unmatched(names, sizeof names, g->wanted, matched) > 0)
		(void)(devices > 0 ? why_set(why, 0, "--gpus: there is no GPU %s among the %zu of this machine", names, devices)
				   : why_set(why, 0, "--gpus: there is no GPU %s: none was found on this machine", names));
	g->wanted = NULL;
}

static int gpu_start(void *state, const struct setup *setup, struct why *why)
{
	const struct gpu_driver *present[READERS_MAX];
	const struct source *src = setup->src;
	struct gpu *g = state;

	g->off = setup->gpus && strcmp(setup->gpus, "none") == 0;
	g->root = setup->tree ? setup->pid : 0;
	g->interval_seconds = setup->interval_seconds;
	g->max_overhead = setup->max_overhead;
	g->started_ns = src->monotonic_ns(src->clock);
	g->n = g->off ? 0 : gpu_drivers_present(present, READERS_MAX, src);
	for (size_t i = 0; i < g->n; i++)
		(void)!gpu_reader_open(&g->at[i].reader, present[i], src, setup->gpus, setup->gpu_serve, why);
	g->wanted = g->off ? NULL : setup->gpus;
	note_unmatched(g, why);
	return 0;
}

static void gpu_stop(void *state)
{
	struct gpu *g = state;

	for (size_t i = 0; i < g->n; i++)
		gpu_reader_close(g->at[i].reader, LEAVE_SECONDS);
	free(g->job);
	g->n = 0;
}

/* Reads the environment with which the job was started: its first process has the command's after exec. */
static void read_visible(struct gpu *g, struct tick *tick)
{
	char path[32];

	if (g->visible_known || g->root == 0)
		return;
	(void)snprintf(path, sizeof path, "%d/environ", (int)g->root);
	if (text_read_at(tick->text, tick->src->proc, path) < 0)
		return;
	g->visible_known = true;
	gpu_visible_parse(&g->visible, tick->text->at, tick->text->len);
}

static const char *program_of(const void *context, pid_t pid)
{
	return tree_program(context, pid);
}

static size_t list_job(struct gpu *g, const struct tree *tree)
{
	size_t n = tree ? tree_pids(tree, g->job, g->job_room) : 0;

	if (n > g->job_room) {
		pid_t *at = realloc(g->job, 2 * n * sizeof *at);

		if (!at)
			return g->job_room;
		g->job = at;
		g->job_room = 2 * n;
		n = tree_pids(tree, g->job, g->job_room);
	}
	return n;
}

/* The CPU time of a reading, in the driver for the most part, decides.  The first one also lists the devices. */
static void space(struct watched *w, const struct gpu *g, double cpu_seconds)
{
	if (g->max_overhead > 0 && w->readings > 1)
		w->spacing_seconds = (cpu_seconds - w->cpu_seconds) / g->max_overhead;
	w->readings++;
}

/* The whole intervals between readings; 0 without an interval.  Not by ceil(), which clang takes from libm. */
static double intervals_between(const struct gpu *g, const struct watched *w)
{
	double intervals = g->interval_seconds > 0 ? double_max(w->spacing_seconds / g->interval_seconds, 1) : 0;
	double whole = (double)(int64_t)intervals;

	return whole < intervals ? whole + 1 : whole;
}

/*
 * Early enough that the answer is there for the next sample, or for a later one by which the reading may cost what it
 * does; at once with a test's clock, or without an interval.
 */
static int64_t due_ns(const struct gpu *g, const struct tick *tick, const struct watched *w)
{
	double lead = 1.5 * gpu_reader_status(w->reader)->seconds + double_min(LEAD_SECONDS, g->interval_seconds / 10);
	double wait = tick->src->clock ? 0 : intervals_between(g, w) * g->interval_seconds - lead;

	return tick->out->monotonic_ns + (int64_t)(wait > 0 ? wait * 1e9 : 0);
}

static void fill(const struct gpu *g, const struct watched *w, struct tick *tick, struct gpu_sums *sums,
		 const struct gpu_answer *a, bool again)
{
	struct gpu_membership members = { tick->tree ? program_of : NULL, tick->tree };
	const char *by = NULL;
	double visible[GPU_MAX];

	for (size_t i = 0; i < a->n; i++)
		visible[i] = NONE;
	if (g->visible_known)
		by = gpu_visible_match(visible, &g->visible, a->device, a->n);
	if (by)
		(void)snprintf(tick->out->total.process_gpu_visible_by,
			       sizeof tick->out->total.process_gpu_visible_by, "%s", by);
	gpu_attribute(tick->out, sums, a, gpu_reader_driver(w->reader)->lists_all, again, visible, &members);
}

static bool is_old(const struct gpu *g, const struct watched *w, const struct tick *tick, const struct gpu_answer *a)
{
	double age = (double)(tick->out->monotonic_ns - a->began_ns) / 1e9;

	return age > OLD_SECONDS + OLD_INTERVALS * g->interval_seconds + w->spacing_seconds;
}

/* Busy: opening, or late.  The sample does not wait for it; a reader that does not finish opening is given up. */
static bool use_last_answer(const struct gpu *g, struct watched *w, struct tick *tick, struct gpu_sums *sums)
{
	const struct gpu_answer *a = gpu_reader_answer(w->reader);
	const char *name = gpu_reader_driver(w->reader)->name;

	if (a && !is_old(g, w, tick, a)) {
		fill(g, w, tick, sums, a, true);
		return true;
	}
	if (!w->asked && tick->out->monotonic_ns - g->started_ns >= OPEN_NS) {
		(void)why_set(tick->why, 0, "GPUs (%s) are not read: the driver did not begin within %d s", name,
			      (int)(OPEN_NS / NS_PER_SECOND));
		give_up(w);
	} else if (w->asked && !w->late_noted) {
		(void)why_set(tick->why, 0, "GPUs (%s): the driver takes seconds to answer; samples meanwhile go without "
			      "its values", name);
		w->late_noted = true;
	}
	return false;
}

/* Whether this reader's values are known by now, or that it has no GPUs. */
static bool take_answer(struct gpu *g, struct watched *w, struct tick *tick, struct gpu_sums *sums, size_t n_job)
{
	const struct gpu_status *status;
	const struct gpu_answer *a;

	if (!w->reader)
		return w->nothing;
	if (gpu_reader_busy(w->reader))
		return use_last_answer(g, w, tick, sums);
	status = gpu_reader_status(w->reader);
	if (status->why.text[0])
		(void)why_set(tick->why, 0, "%s", status->why.text);
	w->listed = status->state != GPU_FAILED;
	w->devices = status->devices;
	w->matched = status->matched;
	space(w, g, status->cpu_seconds);
	w->cpu_seconds = status->cpu_seconds;
	w->rss_bytes = status->rss_bytes;
	if (status->state != GPU_READING) {
		w->nothing = status->state == GPU_NONE;
		w->rss_bytes = 0;
		give_up(w);
		return w->nothing;
	}
	a = gpu_reader_answer(w->reader);
	if (a)
		fill(g, w, tick, sums, a, false);
	gpu_reader_ask(w->reader, due_ns(g, tick, w), g->job, n_job);
	w->asked = true;
	return a != NULL;
}

static int gpu_read(void *state, struct tick *tick)
{
	struct gpu *g = state;
	struct gpu_sums sums;
	bool known = true;

	if (g->off)
		return 0;
	gpu_sums_begin(&sums);
	read_visible(g, tick);

	size_t n_job = g->n > 0 ? list_job(g, tick->tree) : 0;

	for (size_t i = 0; i < g->n; i++) {
		known = take_answer(g, &g->at[i], tick, &sums, n_job) && known;
		tick->programs_cpu_seconds += g->at[i].cpu_seconds;
		tick->programs_rss_bytes += g->at[i].rss_bytes;
	}
	note_unmatched(g, tick->why);
	/* Zeros would be wrong if a GPU is present that is not read. */
	if (known || sums.total.gpu_total_count > 0)
		gpu_sums_end(tick->out, &sums);
	return 0;
}

const struct collector collector_gpu = {
	.state_size = sizeof(struct gpu),
	.start = gpu_start,
	.read = gpu_read,
	.stop = gpu_stop,
};
