/* lines.c - regions reported as lines of text. */
#include "lines.h"

#include <string.h>

#include "../core/scan.h"

/* The parameters before the verb of a line. */
struct params {
	int64_t at_ns;
	double cpu_seconds;
	uint32_t tid;
	struct rt_region_block sum;             /* of `entries` */
};

void region_lines_release(struct region_lines *l)
{
	free(l->threads);
	region_sums_release(&l->sums);
	*l = (struct region_lines){ 0 };
}

/* A new thread takes the place of one that has no region open.  NULL: no place, or no memory. */
static struct lines_thread *thread_of(struct region_lines *l, uint32_t tid)
{
	struct lines_thread *idle = NULL;

	if (!l->threads && !(l->threads = calloc(LINES_THREADS, sizeof *l->threads)))
		return NULL;
	for (size_t i = 0; i < l->n_threads; i++) {
		if (l->threads[i].tid == tid)
			return &l->threads[i];
		if (l->threads[i].depth == 0)
			idle = &l->threads[i];
	}
	if (l->n_threads < LINES_THREADS)
		idle = &l->threads[l->n_threads++];
	if (idle)
		*idle = (struct lines_thread){ .tid = tid };
	return idle;
}

static size_t length_at(const struct lines_thread *t, uint32_t depth)
{
	return depth > 0 ? t->open[depth - 1].length : 0;
}

/* The name of the region that began at this depth. */
static struct word name_at(const struct lines_thread *t, uint32_t depth)
{
	if (t->open[depth].recursed)
		depth = t->open[depth].outer;

	size_t from = length_at(t, depth), to = length_at(t, depth + 1);

	from += from > 0 && to > from;          /* the slash */
	return (struct word){ t->path + from, to - from };
}

static bool same(struct word a, struct word b)
{
	return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

static struct word cut(struct word name)
{
	name.len = size_min(name.len, LINES_NAME);
	return name;
}

static void put_path(char ret[REGION_PATH_SIZE], const struct lines_thread *t, uint32_t depth)
{
	size_t n = length_at(t, depth);

	memcpy(ret, t->path, n);
	ret[n] = '\0';
}

static void begin(struct region_lines *l, const struct params *params, struct word name)
{
	struct lines_thread *t = thread_of(l, params->tid);
	size_t from = t ? length_at(t, t->depth) : 0;

	name = cut(name);
	if (!t || t->depth == LINES_DEPTH || from + 1 + name.len >= REGION_PATH_SIZE) {
		l->sums.lost++;
		return;
	}

	struct lines_open open = {
		.begin_ns = params->at_ns, .cpu_seconds = params->cpu_seconds, .length = (uint16_t)from,
	};
	size_t to = from;

	/* Within a region of the same name it is a part of that. */
	for (uint32_t i = 0; i < t->depth; i++)
		if (!t->open[i].recursed && same(name_at(t, i), name)) {
			open.recursed = true;
			open.outer = (uint16_t)i;
		}
	if (!open.recursed) {
		if (to > 0)
			t->path[to++] = '/';
		memcpy(t->path + to, name.at, name.len);
		open.length = (uint16_t)(to + name.len);
	}
	t->open[t->depth++] = open;
}

static void end_innermost(struct region_lines *l, struct lines_thread *t, const struct params *params, bool unfinished)
{
	const struct lines_open *o = &t->open[t->depth - 1];
	struct region_event e = {
		.kind = REGION_ENTRY, .monotonic_ns = o->begin_ns, .tid = t->tid, .unfinished = unfinished,
	};
	int64_t ns = params->at_ns > o->begin_ns ? params->at_ns - o->begin_ns : 0;
	double cpu = params->cpu_seconds - o->cpu_seconds;

	e.seconds = (double)ns / 1e9;
	e.cpu_seconds = cpu >= 0 && cpu < 1e9 ? cpu : NONE;
	put_path(e.path, t, o->recursed ? o->outer + 1U : t->depth);
	t->depth--;
	if (o->recursed) {
		region_sums_add_recursed(&l->sums, e.path);
		return;
	}
	region_sums_add(&l->sums, e.path, &(struct region_visit){
		.wall = (uint64_t)ns, .cpu = is_none(e.cpu_seconds) ? 0 : (uint64_t)(e.cpu_seconds * 1e9),
		.cpu_unknown = is_none(e.cpu_seconds) && !unfinished, .unfinished = unfinished,
	});
	l->report(l->context, &e);
}

/* Ends the innermost region (of this name, if given) with all that is open in it.  false: no such region is open. */
static bool end(struct region_lines *l, const struct params *params, struct word name)
{
	struct lines_thread *t = thread_of(l, params->tid);
	uint32_t to = t ? t->depth : 0;

	name = cut(name);
	while (to > 0 && name.len > 0 && !same(name_at(t, to - 1), name))
		to--;
	if (to == 0)
		return false;
	while (t->depth >= to)
		end_innermost(l, t, params, false);
	return true;
}

static void note(struct region_lines *l, const struct params *params, enum region_event_kind kind, struct word text,
		 double value)
{
	const struct lines_thread *t = thread_of(l, params->tid);
	struct region_event e = {
		.kind = kind, .monotonic_ns = params->at_ns, .tid = params->tid, .value = value, .seconds = NONE,
		.cpu_seconds = NONE,
	};

	if (t)
		put_path(e.path, t, t->depth);
	(void)word_copy(text, e.text, sizeof e.text);
	l->report(l->context, &e);
}

/* Adds entries that the program has summed up.  false: the sums are impossible. */
static bool entries(struct region_lines *l, const struct params *params, struct word name)
{
	const struct lines_thread *t = thread_of(l, params->tid);
	const struct rt_region_block *sum = &params->sum;
	size_t n = t ? length_at(t, t->depth) : 0;
	uint64_t run = l->now_ns > l->first_ns ? (uint64_t)(l->now_ns - l->first_ns) : 0;
	char path[REGION_PATH_SIZE];

	if (sum->count > run || sum->recursed > run || sum->wall > run || sum->longest > run ||
	    sum->shortest > sum->longest || (sum->count == 0 && sum->recursed == 0))
		return false;
	name = cut(name);
	if (!t || n + 1 + name.len >= sizeof path) {
		l->sums.lost += sum->count;
		return true;
	}
	put_path(path, t, t->depth);
	if (n > 0)
		path[n++] = '/';
	memcpy(path + n, name.at, name.len);
	path[n + name.len] = '\0';
	region_sums_add_block(&l->sums, path, sum, is_none(params->cpu_seconds) && sum->count > 0);
	l->report_short(l->context, path, (int64_t)sum->wall);
	return true;
}

/* PID BYTES. */
static bool memory(struct region_lines *l, const struct params *params, struct word text)
{
	struct scan s = scan_of(text.at, text.len);
	uint64_t pid, bytes;

	if (!scan_u64(&s, &pid) || !scan_u64(&s, &bytes) || s.at != s.end || pid == 0 || pid > INT32_MAX ||
	    bytes == 0 || bytes > INT64_MAX)
		return false;
	if (l->memory)
		memory_notes_add(l->memory, &(struct memory_note){
			.pid = (pid_t)pid, .from_ns = params->at_ns, .until_ns = params->at_ns,
			.rss_bytes = (double)bytes,
		});
	return true;
}

static struct word rest_of(struct scan *s)
{
	scan_blanks(s);

	struct word w = { s->at, (size_t)(s->end - s->at) };

	while (w.len > 0 && (w.at[w.len - 1] == ' ' || w.at[w.len - 1] == '\t' || w.at[w.len - 1] == '\r'))
		w.len--;
	return w;
}

/* Removes the last word of the text, which must be a number.  false: it is not, or no text is left. */
static bool number_at_end(struct word *text, double *ret)
{
	size_t n = text->len;
	bool minus = false;

	while (n > 0 && text->at[n - 1] != ' ' && text->at[n - 1] != '\t')
		n--;

	struct scan s = scan_of(text->at + n, text->len - n);
	uint64_t power = 0;
	bool small = false;

	minus = scan_literal(&s, "-");
	if (!scan_decimal(&s, ret))
		return false;
	if (scan_literal(&s, "e") || scan_literal(&s, "E")) {
		small = scan_literal(&s, "-");
		(void)!scan_literal(&s, "+");
		if (!scan_u64(&s, &power) || power > 400)
			return false;
	}
	if (s.at != s.end || n == 0)
		return false;
	for (; power > 0; power--)
		*ret *= small ? 0.1 : 10;
	*ret = minus ? -*ret : *ret;
	while (n > 0 && (text->at[n - 1] == ' ' || text->at[n - 1] == '\t'))
		n--;
	text->len = n;
	return n > 0;
}

/* NUMBER:NUMBER,... until a blank. */
static bool read_buckets(struct scan *s, uint32_t ret[RT_REGION_BUCKETS])
{
	uint64_t bucket, n;

	do {
		if (!scan_u64(s, &bucket) || !scan_literal(s, ":") || !scan_u64(s, &n))
			return false;
		if (n > UINT32_MAX)
			return false;
		if (bucket < RT_REGION_BUCKETS)
			ret[bucket] = (uint32_t)n;
	} while (scan_literal(s, ","));
	return true;
}

/* Seconds as ns; UINT64_MAX for more than any clock shows. */
static bool read_ns(struct scan *s, uint64_t *ret)
{
	double seconds;

	if (!scan_decimal(s, &seconds))
		return false;
	*ret = seconds < 9e9 ? (uint64_t)(seconds * 1e9 + 0.5) : UINT64_MAX;
	return true;
}

static void take_time(struct params *params, const struct region_lines *l, int64_t ns)
{
	if (ns >= l->first_ns && ns <= l->now_ns)
		params->at_ns = ns;
}

static bool read_one(struct params *params, struct scan *s, const struct region_lines *l)
{
	uint64_t n;

	if (scan_literal(s, "t=") && read_ns(s, &n)) {
		take_time(params, l, n < INT64_MAX ? (int64_t)n : 0);
		return true;
	}
	if (scan_literal(s, "unix=") && read_ns(s, &n)) {
		take_time(params, l, n <= (uint64_t)l->wall_ns ? l->now_ns - (l->wall_ns - (int64_t)n) : 0);
		return true;
	}
	if (scan_literal(s, "tid=") && scan_u64(s, &n)) {
		params->tid = (uint32_t)n;
		return true;
	}
	if (scan_literal(s, "cpu=") && scan_decimal(s, &params->cpu_seconds)) {
		params->sum.cpu = params->cpu_seconds < 1e9 ? (uint64_t)(params->cpu_seconds * 1e9 + 0.5) : 0;
		return true;
	}
	return (scan_literal(s, "count=") && scan_u64(s, &params->sum.count)) ||
	       (scan_literal(s, "recursed=") && scan_u64(s, &params->sum.recursed)) ||
	       (scan_literal(s, "wall=") && read_ns(s, &params->sum.wall)) ||
	       (scan_literal(s, "min=") && read_ns(s, &params->sum.shortest)) ||
	       (scan_literal(s, "max=") && read_ns(s, &params->sum.longest)) ||
	       (scan_literal(s, "at=") && read_buckets(s, params->sum.buckets));
}

void region_lines_clock(struct region_lines *l)
{
	if (!l->source)
		return;
	l->now_ns = l->source->monotonic_ns(l->source->clock);
	l->wall_ns = l->source->wall_ns(l->source->clock);
}

/* Reads the words before the verb. */
static void read_params(struct region_lines *l, struct params *ret, struct scan *s)
{
	struct scan before = *s;

	for (; read_one(ret, s, l); before = *s)
		scan_blanks(s);
	*s = before;
}

void region_line(struct region_lines *l, const char *line, size_t n)
{
	struct params params = { .at_ns = l->now_ns, .cpu_seconds = NONE };
	struct scan s = scan_of(line, n);
	struct word verb, text;
	double value;
	bool good = false;

	scan_blanks(&s);
	read_params(l, &params, &s);
	/* A name ends at a NUL byte, and can so be empty. */
	if (!memchr(line, '\0', n) && scan_word(&s, &verb)) {
		text = rest_of(&s);
		good = text.len > 0;
		if (word_is(verb, "begin") && good)
			begin(l, &params, text);
		else if (word_is(verb, "end"))
			good = end(l, &params, text);
		else if (word_is(verb, "entries") && good)
			good = entries(l, &params, text);
		else if (word_is(verb, "rss"))
			good = memory(l, &params, text);
		else if (word_is(verb, "mark") && good)
			note(l, &params, REGION_MARK, text, NONE);
		else if (word_is(verb, "value") && good && number_at_end(&text, &value))
			note(l, &params, REGION_VALUE, text, value);
		else
			good = false;
	}
	l->wrong += !good;
}

void region_lines_share(const struct region_lines *l, struct attribution *to)
{
	char path[REGION_PATH_SIZE];

	for (size_t i = 0; i < l->n_threads; i++) {
		const struct lines_thread *t = &l->threads[i];

		for (uint32_t k = 0; k < t->depth; k++) {
			if (t->open[k].recursed)
				continue;
			put_path(path, t, k + 1);
			attribution_open(to, path, t->open[k].begin_ns, INT64_MAX);
		}
	}
}

void region_lines_gap(struct region_lines *l)
{
	for (size_t i = 0; i < l->n_threads; i++) {
		l->sums.lost += l->threads[i].depth;
		l->threads[i].depth = 0;
	}
}

void region_lines_end(struct region_lines *l)
{
	struct params now = { .at_ns = l->now_ns, .cpu_seconds = NONE };

	for (size_t i = 0; i < l->n_threads; i++)
		while (l->threads[i].depth > 0)
			end_innermost(l, &l->threads[i], &now, true);
}
