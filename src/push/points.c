/* points.c - rows into series of points. */
#include "points.h"

#include <stdio.h>
#include <string.h>

#include "../core/aggregate.h"
#include "../core/json_write.h"
#include "../export/export.h"

struct keyed_row { char *key; uint32_t *series; };      /* by metric: number of its series plus 1; 0: none */

/* In this order, if series are too many.  Roots are pids, and collectors are ours: both are left out. */
static const enum table pushed[] = {
	TABLE_TOTAL, TABLE_GPU, TABLE_PROGRAM, TABLE_DISK, TABLE_NETWORK, TABLE_MOUNT, TABLE_CORE,
};

static const int64_t MILLISECOND_NS = NS_PER_SECOND / 1000;

/* A value of a label: valid UTF-8, cut to fit before a character. */
static void label_text(char *ret, size_t size, const char *text)
{
	struct buffer clean = { 0 };
	size_t n;

	utf8_write(&clean, text, strlen(text));
	n = clean.failed ? 0 : size_min(clean.len, size - 1);
	while (n > 0 && n < clean.len && ((unsigned char)clean.at[n] & 0xc0) == 0x80)
		n--;
	if (n > 0)
		memcpy(ret, clean.at, n);
	ret[n] = '\0';
	buffer_release(&clean);
}

/* The name that was given, else the scheduler's id, else the program. */
static const char *job_of(const struct run *run)
{
	if (run->job_name && *run->job_name)
		return run->job_name;
	if (run->job && run->job->id[0])
		return run->job->id;
	if (run->command && run->command[0]) {
		const char *slash = strrchr(run->command[0], '/');

		return slash && slash[1] ? slash + 1 : run->command[0];
	}
	return "resource-tracker";
}

void points_open(struct points *p, const struct record_facts *facts)
{
	const struct run *run = &facts->run;

	*p = (struct points){ .start_wall_ns = run->start_wall_ns, .last_ms = INT64_MIN };
	label_text(p->labels.run, sizeof p->labels.run, facts->id);
	label_text(p->labels.host, sizeof p->labels.host, facts->host.name);
	label_text(p->labels.job, sizeof p->labels.job, job_of(run));
	if (run->job && run->job->rank >= 0)
		(void)snprintf(p->labels.rank, sizeof p->labels.rank, "%lld", (long long)run->job->rank);
}

void points_close(struct points *p)
{
	for (enum table t = 0; t < TABLE_COUNT; t++) {
		for (size_t i = 0; i < p->n_rows[t]; i++) {
			free(p->rows[t][i].key);
			free(p->rows[t][i].series);
		}
		free(p->rows[t]);
	}
	free(p->series);
	free(p->at);
	free(p->moments);
}

/* Room for one more of `n` items; NULL: out of memory, and `failed` is set. */
static void *grown(struct points *p, void *at, size_t n, size_t *size, size_t item)
{
	size_t more = *size ? 2 * *size : 64;

	if (n < *size)
		return at;

	void *larger = reallocarray(at, more, item);

	if (!larger)
		p->failed = true;
	else
		*size = more;
	return larger;
}

static struct keyed_row *find_row(const struct points *p, enum table t, const char *key, size_t hint)
{
	struct keyed_row *rows = p->rows[t];

	if (hint < p->n_rows[t] && strcmp(rows[hint].key, key) == 0)
		return &rows[hint];
	for (size_t i = 0; i < p->n_rows[t]; i++)
		if (strcmp(rows[i].key, key) == 0)
			return &rows[i];
	return NULL;
}

/* NULL: there are too many rows, or memory is short. */
static struct keyed_row *keyed_row(struct points *p, enum table t, const char *key, size_t hint)
{
	struct keyed_row *found = find_row(p, t, key, hint), *rows = p->rows[t];
	size_t n = p->n_rows[t];
	char clean[MOUNT_KEY_SIZE];

	if (found)
		return found;
	label_text(clean, sizeof clean, key);
	found = find_row(p, t, clean, hint);
	if (found)
		return found;
	if (n == size_max(tables[t].max, AGGREGATE_ROWS_MAX)) {
		p->left_out++;
		return NULL;
	}
	rows = reallocarray(rows, n + 1, sizeof *rows);
	if (rows)
		p->rows[t] = rows;

	struct keyed_row row = {
		rows ? strdup(clean) : NULL, rows ? calloc(tables[t].n_metrics, sizeof *row.series) : NULL,
	};

	if (!row.key || !row.series) {
		free(row.key);
		free(row.series);
		p->failed = true;
		return NULL;
	}
	rows[n] = row;
	p->n_rows[t]++;
	return &rows[n];
}

/* The sum of a counter in the whole run; NONE: unknown. */
static double total_of(const struct series *s, const struct aggregate *totals)
{
	return s->table == TABLE_TOTAL ? aggregate_total(totals, s->metric).sum :
	       aggregate_row(totals, s->table, aggregate_find(totals, s->table, s->key, 0), s->metric).sum;
}

/* The series of a metric of a row, new if need be; NULL: there are too many, or memory is short. */
static struct series *series_of(struct points *p, enum table t, struct keyed_row *row, size_t k)
{
	if (row->series[k])
		return &p->series[row->series[k] - 1];
	if (p->n_series == PUSH_SERIES_MAX) {
		p->left_out++;
		return NULL;
	}

	struct series *series = grown(p, p->series, p->n_series, &p->series_size, sizeof *series);

	if (!series)
		return NULL;
	p->series = series;
	series += p->n_series++;
	*series = (struct series){ .metric = &tables[t].metrics[k], .table = t, .key = row->key,
				   .most = (double)INFINITY, .first = POINTS_END, .last = POINTS_END };
	if (p->exact)
		series->most = least_known(total_of(series, p->exact), series->most);
	row->series[k] = (uint32_t)p->n_series;
	return series;
}

struct series *points_series(struct points *p, enum table t, const char *key, size_t k)
{
	struct keyed_row *row = keyed_row(p, t, key, 0);

	return row ? series_of(p, t, row, k) : NULL;
}

static void add_point(struct points *p, struct series *s, double value)
{
	struct point *at = grown(p, p->at, p->n, &p->size, sizeof *at);
	uint32_t number = (uint32_t)p->n;

	if (!at)
		return;
	p->at = at;
	p->n++;
	at[number] = (struct point){ value, (uint32_t)p->n_moments - 1, POINTS_END };
	if (s->first == POINTS_END)
		s->first = number;
	else
		at[s->last].next = number;
	s->last = number;
	s->newest = value;
	s->newest_ms = p->last_ms;
}

/* A counter never falls: that would read as a restart, and its whole value as an increase. */
static void add_sum(struct points *p, struct series *s, double sum)
{
	s->sum = sum;
	s->least = double_max(s->least, double_min(sum, s->most));
	add_point(p, s, s->least);
}

static bool add_moment(struct points *p, int64_t wall_ns)
{
	int64_t *moments = grown(p, p->moments, p->n_moments, &p->moments_size, sizeof *moments);
	int64_t ms = wall_ns / MILLISECOND_NS;

	if (!moments)
		return false;
	p->moments = moments;
	p->last_ms = ms > p->last_ms ? ms : p->last_ms + 1;
	moments[p->n_moments++] = p->last_ms;
	return true;
}

static void add_row(struct points *p, enum table t, struct rows rows, size_t i, struct rows sums)
{
	const char *key = row_key(rows, i);
	struct keyed_row *row = keyed_row(p, t, key, i);
	ptrdiff_t same = row ? row_find(sums, key, i) : -1;

	for (size_t k = 0; row && k < tables[t].n_metrics; k++) {
		const struct metric *m = &tables[t].metrics[k];
		double value = row_value(rows, i, m);
		struct series *series;

		if (!export_metric(m) || !isfinite(value) || !(series = series_of(p, t, row, k)))
			continue;
		if (m->kind != KIND_AMOUNT)
			add_point(p, series, value);
		else if (same >= 0)
			add_sum(p, series, row_value(sums, (size_t)same, m));
		else
			add_sum(p, series, series->sum + double_max(value, 0));
	}
}

void points_add(struct points *p, const struct sample *row, const struct sample *sums)
{
	static const struct rows none = { NULL, 0, 0 };

	if (!add_moment(p, p->start_wall_ns + row->monotonic_ns))
		return;
	if (p->ended.path[0])
		p->exemplar = p->ended;
	p->ended = (struct region_exemplar){ .path = "" };
	for (size_t t = 0; t < countof(pushed); t++) {
		struct rows rows = sample_rows(row, pushed[t]);

		for (size_t i = 0; i < rows.n; i++)
			add_row(p, pushed[t], rows, i, sums ? sample_rows(sums, pushed[t]) : none);
	}
}

void points_add_region(struct points *p, const struct region_event *e)
{
	region_exemplar_consider(&p->ended, e, p->start_wall_ns);
}

void points_add_totals(struct points *p, const struct aggregate *totals, int64_t end_ns)
{
	bool moment = false;

	for (size_t i = 0; totals && i < p->n_series; i++) {
		double sum = total_of(&p->series[i], totals);

		if (p->series[i].metric->kind != KIND_AMOUNT || !isfinite(sum) || sum <= p->series[i].least)
			continue;
		if (!moment && !add_moment(p, p->start_wall_ns + end_ns))
			return;
		moment = true;
		add_sum(p, &p->series[i], sum);
	}
}

void points_clear(struct points *p)
{
	for (size_t i = 0; i < p->n_series; i++)
		p->series[i].first = p->series[i].last = POINTS_END;
	p->n = p->n_moments = 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct label_pair *)a)->name, ((const struct label_pair *)b)->name);
}

size_t points_labels(struct label_pair ret[LABELS_MAX], const struct points *p, const struct series *s)
{
	const struct label_pair all[] = {
		{ "host", p->labels.host }, { "job", p->labels.job }, { "rank", p->labels.rank },
		{ "run", p->labels.run }, { s->table == TABLE_TOTAL ? "" : tables[s->table].name, s->key },
	};
	size_t n = 0;

	_Static_assert(countof(all) <= LABELS_MAX, "room for all labels");
	for (size_t i = 0; i < countof(all); i++)
		if (all[i].name[0] && all[i].value[0])
			ret[n++] = all[i];
	qsort(ret, n, sizeof *ret, by_name);
	return n;
}
