/* ranks_map.c - all ranks over the time of their job. */
#include "ranks_map.h"

#include <math.h>

#include "../report/line_code.h"
#include "../report/report_lines.h"

enum { POINTS_MOST = OUTLINE_POINTS, RATIO_DECIMALS = 3, FLOOR_DECIMALS = 9, SECONDS_DECIMALS = 3 };

/* Values below this part of the highest are in steps of equal size. */
static const double FLOOR = 1e-3;
/* From fine to coarse: the first form that fits is taken. */
static const struct form { size_t points; double ratio; } forms[] = {
	{ POINTS_MOST, 0.02 }, { POINTS_MOST, 0.05 }, { POINTS_MOST / 2, 0.05 }, { POINTS_MOST / 2, 0.1 },
	{ POINTS_MOST / 4, 0.1 }, { POINTS_MOST / 8, 0.1 },
};

static const struct line_words { const char *key, *label, *unit; } words[RANK_LINES] = {
	[RANK_CPU] = { "cpu", "CPU", "cores" },
	[RANK_PSS] = { "memory", "Memory (PSS)", "B" },
	[RANK_RSS] = { "memory", "Memory (RSS)", "B" },
	[RANK_DISK] = { "disk", "Disk", "B/s" },
	[RANK_NETWORK] = { "network", "Network (TCP)", "B/s" },
	[RANK_GPU] = { "gpu", "GPU", "GPUs" },
	[RANK_WAITING] = { "waiting", "Waiting", "threads" },
};

struct coded { struct buffer text; double floor; };
struct map {
	const struct job_use *use;
	size_t rows;
	double *begins;                         /* of each row, since the job began */
	double seconds;                         /* of all ranks, from the first begin to the last end */
	float *values;                          /* of one line: rows x points */
	struct coded lines[RANK_LINES];
};

/* The parts of a rank's time, as means over the intervals; NONE: nothing of an interval is known. */
static void spread_over(float *ret, const struct map *m, size_t points, size_t row, enum rank_line line)
{
	const struct rank *r = m->use->by_node[row];
	double interval = m->seconds / (double)points, begin = m->begins[row];
	double sums[POINTS_MOST] = { 0 }, known[POINTS_MOST] = { 0 };

	for (size_t k = 0; k < r->n_parts; k++) {
		double value = (double)r->parts[k].value[line];
		double from = begin + (k > 0 ? (double)r->parts[k - 1].end_seconds : 0);
		double to = begin + (double)r->parts[k].end_seconds;

		if (is_none(value))
			continue;
		for (size_t i = (size_t)double_max(0, from / interval); i < points && (double)i * interval < to;
		     i++) {
			double first = double_max(from, (double)i * interval);
			double overlap = double_max(0, double_min(to, (double)(i + 1) * interval) - first);

			sums[i] += value * overlap;
			known[i] += overlap;
		}
	}
	for (size_t i = 0; i < points; i++)
		ret[i] = known[i] > 0 ? (float)(sums[i] / known[i]) : (float)NONE;
}

/* Empty if the line is known of no rank. */
static void encode(struct map *m, const struct form *form, enum rank_line line)
{
	struct coded *coded = &m->lines[line];
	struct line_code code = line_code_to(&coded->text);
	size_t n = m->rows * form->points, known = 0;
	struct line_scale scale = { .ratio = form->ratio };
	double highest = 0;

	buffer_clear(&coded->text);
	for (size_t i = 0; i < m->rows; i++)
		spread_over(m->values + i * form->points, m, form->points, i, line);
	for (size_t i = 0; i < n; i++) {
		known += !is_none((double)m->values[i]);
		highest = (double)m->values[i] > highest ? (double)m->values[i] : highest;
	}
	coded->floor = scale.floor = FLOOR * highest;
	for (size_t i = 0; known > 0 && i < n; i++)
		if (is_none((double)m->values[i]))
			line_code_unknown(&code);
		else
			line_code_add(&code, line_steps(&scale, (double)m->values[i]));
	line_code_end(&code);
}

static bool is_shown(const struct map *m, enum rank_line line)
{
	return line != (m->use->pss ? RANK_RSS : RANK_PSS);
}

static size_t encode_all(struct map *m, const struct form *form)
{
	size_t bytes = 0;

	for (enum rank_line i = 0; i < RANK_LINES; i++) {
		if (!is_shown(m, i))
			continue;
		encode(m, form, i);
		bytes += m->lines[i].text.len;
	}
	return bytes;
}

static void write_map(struct json *j, struct map *m, const struct form *form)
{
	json_member_number(j, "seconds", m->seconds, SECONDS_DECIMALS);
	json_member_u64(j, "points", form->points);
	json_member_number(j, "ratio", form->ratio, RATIO_DECIMALS);
	json_member_open(j, "lines", '[');
	for (enum rank_line i = 0; i < RANK_LINES; i++) {
		if (m->lines[i].text.len == 0)
			continue;
		json_open(j, '{');
		json_member_text(j, "key", words[i].key);
		json_member_text(j, "label", words[i].label);
		json_member_text(j, "unit", words[i].unit);
		json_member_number(j, "floor", m->lines[i].floor, FLOOR_DECIMALS);
		report_text(j, "values", &m->lines[i].text);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void place(struct map *m)
{
	size_t row = 0;

	for (size_t k = 0; k < m->use->n_nodes; k++)
		for (size_t i = 0; i < m->use->nodes[k].ranks; i++, row++) {
			const struct rank *r = m->use->by_node[row];
			double parts = r->n_parts > 0 ? (double)r->parts[r->n_parts - 1].end_seconds : 0;

			m->begins[row] = rank_begin_seconds(&m->use->nodes[k], r);
			m->seconds = double_max(m->seconds, m->begins[row] + (r->seconds > parts ? r->seconds : parts));
		}
}

/* Encodes all lines; returns in which form. */
static const struct form *fill(struct map *m, size_t bytes)
{
	const struct form *form = forms, *last = &forms[countof(forms) - 1];

	place(m);
	if (m->seconds > 0)
		while (encode_all(m, form) > bytes && form < last)
			form++;
	return form;
}

void ranks_map_json(struct json *j, const struct job_use *use, size_t bytes)
{
	struct map m = { .use = use };
	const struct form *form = forms;

	for (size_t k = 0; k < use->n_nodes; k++)
		m.rows += use->nodes[k].ranks;
	m.begins = calloc(m.rows, sizeof *m.begins);
	m.values = calloc(m.rows * POINTS_MOST, sizeof *m.values);
	if (m.begins && m.values)
		form = fill(&m, bytes);
	else
		j->out->failed = true;
	json_open(j, '{');
	write_map(j, &m, form);
	json_close(j, '}');
	for (enum rank_line i = 0; i < RANK_LINES; i++) {
		j->out->failed |= m.lines[i].text.failed;
		buffer_release(&m.lines[i].text);
	}
	free(m.begins);
	free(m.values);
}
