/* report_kept.c - the events that a report keeps: processes and regions that used most, the first marks. */
#include "report_rows.h"

#include <string.h>

static bool used_more(const struct tree_exit *a, const struct tree_exit *b)
{
	double x = add_known(a->cpu_seconds, 0), y = add_known(b->cpu_seconds, 0);

	return x > y || (x >= y && add_known(a->peak_rss_bytes, 0) > add_known(b->peak_rss_bytes, 0));
}

void report_add_process(struct report_run *r, const struct tree_exit *e)
{
	size_t at = r->n_processes;

	r->processes_seen++;
	while (at > 0 && used_more(e, &r->processes[at - 1]))
		at--;
	if (at == REPORT_PROCESSES)
		return;
	r->n_processes = size_min(r->n_processes + 1, REPORT_PROCESSES);
	memmove(r->processes + at + 1, r->processes + at, (r->n_processes - at - 1) * sizeof *e);
	r->processes[at] = *e;
}

/* A heap with the shortest at its root, which is replaced next. */
static void sink(struct region_event *heap, size_t n, size_t at)
{
	for (;;) {
		size_t least = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < n; child++)
			if (heap[child].seconds < heap[least].seconds)
				least = child;
		if (least == at)
			return;

		struct region_event moved = heap[at];

		heap[at] = heap[least];
		heap[least] = moved;
		at = least;
	}
}

static void add_mark(struct report_run *r, const struct region_event *e)
{
	r->marks_seen++;
	if (!r->marks)
		r->marks = calloc(REPORT_MARKS, sizeof *r->marks);
	if (!r->marks)
		r->failed = true;
	else if (r->n_marks < REPORT_MARKS)
		r->marks[r->n_marks++] = *e;
}

static void add_entry(struct report_run *r, const struct region_event *e)
{
	if (e->kind != REGION_ENTRY || !(e->seconds >= 0))
		return;
	r->regions_seen++;
	if (!r->regions)
		r->regions = calloc(REPORT_REGIONS, sizeof *r->regions);
	if (!r->regions) {
		r->failed = true;
		return;
	}
	if (r->n_regions < REPORT_REGIONS) {
		r->regions[r->n_regions++] = *e;
		for (size_t i = r->n_regions / 2; r->n_regions == REPORT_REGIONS && i-- > 0;)
			sink(r->regions, r->n_regions, i);
	} else if (e->seconds > r->regions[0].seconds) {
		r->regions[0] = *e;
		sink(r->regions, r->n_regions, 0);
	}
}

void report_add_region(struct report_run *r, const struct region_event *e)
{
	if (e->kind == REGION_MARK)
		add_mark(r, e);
	else
		add_entry(r, e);
}

/* A region that begins together with its outer region comes after it. */
static int by_begin(const void *a, const void *b)
{
	const struct region_event *x = a, *y = b;
	int order = (x->monotonic_ns > y->monotonic_ns) - (x->monotonic_ns < y->monotonic_ns);

	return order != 0 ? order : (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

void report_sort_regions(struct report_run *r)
{
	if (r->n_regions > 0)
		qsort(r->regions, r->n_regions, sizeof *r->regions, by_begin);
}
