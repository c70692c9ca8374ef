/* tracker.c - the recorder's own cost. */
#include <time.h>

#include "../core/collector.h"
#include "../core/scan.h"

enum { RESIDENT_AGAIN = 5 };                    /* samples between two readings of its own size */

struct tracker {
	int      statm;
	bool     primed;
	int64_t  was_ns;
	unsigned countdown;                     /* to the next reading of statm */
	double   resident_bytes;                /* as last read */
};

static int tracker_start(void *state, const struct setup *setup, struct why *why)
{
	struct tracker *t = state;

	(void)why;
	t->statm = -1;
	t->resident_bytes = NONE;
	if (!setup->src->live)
		return -ENODATA;                /* this process is not on a captured machine */
	t->statm = source_open_file(setup->src->proc, "self/statm");
	return 0;
}

static double read_resident(struct tracker *t, struct tick *tick)
{
	uint64_t pages;

	if (t->statm < 0 || text_read(tick->text, t->statm) < 0)
		return NONE;

	struct scan s = scan_of(tick->text->at, tick->text->len);

	return scan_skip(&s, 1) && scan_u64(&s, &pages) ? (double)pages * (double)tick->src->page_bytes : NONE;
}

static int tracker_read(void *state, struct tick *tick)
{
	struct tracker *t = state;
	struct totals *out = &tick->out->total;
	struct timespec used;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0) {
		int64_t programs_ns = (int64_t)(tick->programs_cpu_seconds * 1e9);
		int64_t now_ns = used.tv_sec * NS_PER_SECOND + used.tv_nsec + programs_ns;

		if (t->primed)
			out->tracker_cpu_seconds = (double)(now_ns - t->was_ns) / (double)NS_PER_SECOND;
		t->was_ns = now_ns;
		t->primed = true;
	}
	if (t->countdown == 0) {
		t->resident_bytes = read_resident(t, tick);
		t->countdown = RESIDENT_AGAIN;
	}
	t->countdown--;
	out->tracker_rss_bytes = t->resident_bytes + tick->programs_rss_bytes;
	return 0;
}

static void tracker_stop(void *state)
{
	struct tracker *t = state;

	close_p(&t->statm);
}

const struct collector collector_tracker = {
	.state_size = sizeof(struct tracker),
	.start = tracker_start,
	.read = tracker_read,
	.stop = tracker_stop,
};
