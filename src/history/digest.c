/* digest.c - the data of a recording that a summary, a comparison or an advice needs, in one pass. */
#include "digest.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "../text/human.h"
#include "history.h"
#include "record_ends.h"

enum { POINTS_MAX = 64 };                       /* samples in the coarsest row */

/* A row that stands for several samples also counts as several in the graph. */
static void add_points(struct digest *d, const struct totals *t, size_t samples, bool tracked)
{
	size_t n = size_min(size_max(samples, 1), POINTS_MAX);

	memcpy(d->cpu_source, t->process_cpu_source, sizeof d->cpu_source);
	if (t->process_gpu_source[0])
		memcpy(d->gpu_source, t->process_gpu_source, sizeof d->gpu_source);
	if (t->process_gpu_visible_by[0])
		memcpy(d->gpu_visible_by, t->process_gpu_visible_by, sizeof d->gpu_visible_by);
	for (size_t i = 0; i < n; i++) {
		spark_add(&d->cpu, tracked ? t->process_cpu_cores : t->cpu_utilization_cores);
		spark_add(&d->memory, tracked ? t->process_pss_bytes : t->memory_used_bytes);
		spark_add(&d->rss, t->process_rss_bytes);
	}
}

/* The graphs of a record of which only header and end were read. */
static void add_outline(struct digest *d, const struct outline *o, bool tracked)
{
	for (size_t k = 0; k < o->n; k++) {
		struct totals t;

		row_clear(TABLE_TOTAL, &t);
		for (size_t i = 0; i < OUTLINE_QUANTITIES; i++)
			memcpy((char *)&t + outline_metric(i)->offset, &o->at[k].value[i], sizeof(double));
		add_points(d, &t, 1, tracked);
	}
}

static void add_values(struct distribution *of, const struct sample *s)
{
	const struct table_info *info = &tables[TABLE_TOTAL];
	double seconds = s->interval_seconds;

	for (size_t i = 0; i < info->n_metrics; i++) {
		double value;

		memcpy(&value, (const char *)&s->total + info->metrics[i].offset, sizeof value);
		if (info->metrics[i].kind == KIND_AMOUNT)
			value /= seconds;
		if (info->metrics[i].kind != KIND_FIXED)
			distribution_add(&of[i], value, seconds);
	}
}

/* Reads what is open; *d becomes *ret, or is released. */
static int digest_items(struct digest *ret, struct digest *digest, const char *path, const struct digest_watch *watch,
			struct why *why)
{
	struct digest d = *digest;
	struct progress progress = progress_start("reading", strcmp(path, "-") == 0 ? "stdin" : path);
	size_t rows = 0;

	d.path = strdup(path);
	d.of = calloc(tables[TABLE_TOTAL].n_metrics, sizeof *d.of);
	if (!d.path || !d.of) {
		digest_release(&d);
		return why_set(why, -ENOMEM, "out of memory");
	}
	for (enum record_item item; (item = recording_next_item(d.recording)) != RECORD_OVER;) {
		const struct sample *s = recording_sample(d.recording);

		if (watch)
			watch->item(watch->context, d.recording, item);
		if (item != RECORD_ROW)
			continue;
		rows++;
		devices_see(&d.devices, s);
		add_points(&d, &s->total, recording_samples(d.recording), recording_facts(d.recording)->tracked);
		add_values(d.of, s);
		recording_progress(d.recording, &progress);
	}
	progress_end(&progress);
	if (recording_failed(d.recording, why)) {
		digest_release(&d);
		return -EBADMSG;
	}
	d.facts = recording_facts(d.recording);
	d.state = state_of_recording(d.facts, path);
	if (rows == 0 && d.facts->outline)
		add_outline(&d, d.facts->outline, d.facts->tracked);
	d.whole = recording_whole(d.recording);
	d.seconds = (double)d.facts->status.end_monotonic_ns / 1e9;
	quantities_read(&d.values, d.whole, d.seconds, d.facts->tracked, d.facts->moments,
			d.facts->n_moments);
	*ret = d;
	return 0;
}

int digest_read(struct digest *ret, const char *path, const struct digest_watch *watch, struct why *why)
{
	struct digest d = { .path = NULL };
	int r = recording_open(&d.recording, path, why);

	return r < 0 ? r : digest_items(ret, &d, path, watch, why);
}

/* Percentiles of what the points have: of the means over their times. */
static void add_outline_values(struct digest *d)
{
	const struct outline *o = d->facts->outline;

	for (size_t k = 0; o && k < o->n; k++)
		for (size_t i = 0; i < OUTLINE_QUANTITIES; i++) {
			const struct metric *m = outline_metric(i);
			double seconds = o->at[k].known_seconds[i], value = o->at[k].value[i];

			distribution_add(&d->of[m - tables[TABLE_TOTAL].metrics],
					 m->kind == KIND_AMOUNT ? value / seconds : value, seconds);
		}
}

int digest_read_ends(struct digest *ret, const char *path, struct why *why)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct digest d = { .path = NULL };
	struct stat status;
	int r;

	if (fd < 0 || fstat(fd, &status) < 0)
		return why_set(why, -errno, "cannot open %s: %s", path, strerror(errno));
	if (!S_ISREG(status.st_mode))
		return why_set(why, -EINVAL, "%s is not a regular file", path);
	r = record_ends(&d.ends, fd);
	if (r <= 0) {                           /* cut off, or of another tracker */
		buffer_release(&d.ends);
		return r < 0 ? why_set(why, r, "cannot read %s: %s", path, strerror(-r)) : digest_read(ret, path, NULL, why);
	}
	r = recording_of(&d.recording, path, d.ends.at, d.ends.len, why);
	if (r == 0)
		r = digest_items(&d, &d, path, NULL, why);
	else
		buffer_release(&d.ends);
	if (r < 0)
		return r;
	add_outline_values(&d);
	*ret = d;
	return 0;
}

int digest_named(struct digest *ret, const char *name, const char *place, struct why *why)
{
	auto_free char *path = run_path(name, place, why);

	return path ? digest_read(ret, path, NULL, why) : -ENOENT;
}

void digest_release(struct digest *d)
{
	for (size_t i = 0; d->of && i < tables[TABLE_TOTAL].n_metrics; i++)
		distribution_release(&d->of[i]);
	free(d->of);
	free(d->path);
	recording_close(d->recording);
	buffer_release(&d->ends);
	*d = (struct digest){ .path = NULL };
}

/* First what could not be measured, then what could not be read. */
static const char **all_notes(const struct recording_facts *f, size_t *n)
{
	const char **all = calloc(f->n_notices + f->n_problems + 2, sizeof *all);

	*n = 0;
	for (size_t i = 0; all && i < f->n_notices; i++)
		all[(*n)++] = f->notices[i];
	if (all && f->limit_reached)
		all[(*n)++] = "the record came to its largest size: its last rows are missing";
	for (size_t i = 0; all && i < f->n_problems; i++)
		all[(*n)++] = f->problems[i];
	return all;
}

/* Writes count and duration of each region of code. */
static void regions(struct buffer *out, const struct recording_facts *f, const struct summary_style *style)
{
	struct page p = { .out = out, .style = *style };
	struct buffer text = { 0 };

	for (size_t i = 0; i < f->n_regions; i++) {
		const struct region *r = &f->regions[i];

		buffer_clear(&text);
		page_label(&p, i == 0 ? "Regions" : "", INK_PLAIN);
		human_word(&text, r->name, strlen(r->name), style->utf8);
		buffer_text(&text, ": ");
		human_count(&text, (double)r->count, "time", "times");
		if (r->count > 0) {
			buffer_text(&text, ", mean ");
			human_seconds(&text, r->seconds / (double)r->count);
			buffer_text(&text, ", least ");
			human_seconds(&text, r->minimum_seconds);
			buffer_text(&text, ", most ");
			human_seconds(&text, r->maximum_seconds);
			buffer_text(&text, ", in all ");
			human_seconds(&text, r->seconds);
		}
		if (r->unfinished > 0)
			buffer_format(&text, ", %llu never left", (unsigned long long)r->unfinished);
		buffer_char(&text, '\0');
		page_words(&p, text.failed ? "" : text.at, INK_PLAIN);
		page_end(&p);
	}
	buffer_release(&text);
}

struct summary digest_summary(const struct digest *d, const char ***ret_notices)
{
	struct summary s = {
		.run = d->facts->run, .status = d->facts->status, .tracked = d->facts->tracked, .whole = d->whole,
		.cpu = d->cpu, .memory = d->memory, .rss = d->rss,
		.moments = d->facts->moments, .n_moments = d->facts->n_moments,
		.regions = d->facts->region_totals, .cost = d->cost,
		.record_path = strcmp(d->path, "-") == 0 ? NULL : d->path, .running = d->state == STATE_RUNNING,
	};

	*ret_notices = all_notes(d->facts, &s.n_notices);
	s.notices = *ret_notices;
	s.run.start_monotonic_ns = 0;
	memcpy(s.cpu_source, d->cpu_source, sizeof s.cpu_source);
	memcpy(s.gpu_source, d->gpu_source, sizeof s.gpu_source);
	memcpy(s.gpu_visible_by, d->gpu_visible_by, sizeof s.gpu_visible_by);
	return s;
}

void digest_text(struct buffer *out, const struct digest *d, const struct summary_style *style)
{
	const char **notices;
	struct summary s = digest_summary(d, &notices);

	if (d->facts->n_regions == 0 || aggregate_samples(d->whole) > 0)
		summary_write(out, &s, style);
	regions(out, d->facts, style);
	free(notices);
}
