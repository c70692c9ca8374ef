/* report_programs.c - what a row adds to the programs of a run. */
#include "report_rows.h"

#include <string.h>

/* The last entry takes programs without room of their own, and those that the recorder already summed up. */
static struct report_program *program_named(struct report_run *r, const char *name)
{
	struct report_program *others = &r->programs[REPORT_PROGRAMS];

	if (strcmp(name, "others") == 0)
		return others;
	for (size_t i = 0; i < r->n_programs; i++)
		if (strcmp(r->programs[i].name, name) == 0)
			return &r->programs[i];
	if (r->n_programs == REPORT_PROGRAMS)
		return others;

	struct report_program *p = &r->programs[r->n_programs++];

	memcpy(p->name, name, strnlen(name, sizeof p->name - 1));
	return p;
}

static double larger(double a, double b)
{
	return is_none(a) || b > a ? b : a;
}

static double memory_of(const struct program_row *row, enum report_basis basis)
{
	return basis == REPORT_PSS ? row->pss_bytes : row->rss_bytes;
}

void report_add_programs(struct report_run *r, const struct sample *s, const struct sample *maxima)
{
	struct { double cores, bytes[REPORT_BASES]; } now[REPORT_PROGRAMS + 1];

	for (size_t i = 0; i <= REPORT_PROGRAMS; i++)
		now[i].cores = now[i].bytes[REPORT_PSS] = now[i].bytes[REPORT_RSS] = NONE;
	for (size_t i = 0; i < s->n_program; i++) {
		const struct program_row *row = &s->program[i];
		struct report_program *p = program_named(r, row->key);
		size_t k = (size_t)(p - r->programs);
		double cores = row->cpu_seconds / s->interval_seconds;

		now[k].cores = add_known(now[k].cores, is_none(cores) ? row->cpu_cores : cores);
		for (enum report_basis b = 0; b < REPORT_BASES; b++) {
			now[k].bytes[b] = add_known(now[k].bytes[b], memory_of(row, b));
			p->peak_bytes[b] = larger(p->peak_bytes[b], memory_of(row, b));
		}
		p->cpu_seconds = add_known(p->cpu_seconds, row->cpu_seconds);
		p->started = add_known(p->started, row->started);
		p->alive = larger(p->alive, row->processes);
		p->present = true;
	}
	for (size_t i = 0; maxima && i < maxima->n_program; i++) {
		struct report_program *p = program_named(r, maxima->program[i].key);

		p->alive = larger(p->alive, maxima->program[i].processes);
		for (enum report_basis b = 0; b < REPORT_BASES; b++)
			p->peak_bytes[b] = larger(p->peak_bytes[b], memory_of(&maxima->program[i], b));
	}
	/* A program that is not in this row has ended, or is among the others. */
	for (size_t i = 0; s->n_program > 0 && i <= REPORT_PROGRAMS; i++) {
		struct report_program *p = &r->programs[i];

		if (!p->present)
			continue;
		report_line_add(r, &p->cpu, true,
				is_none(now[i].cores) && p->cpu != NO_LINE ? 0 : now[i].cores, NONE);
		for (enum report_basis b = 0; b < REPORT_BASES; b++) {
			double bytes = now[i].bytes[b];

			if (is_none(bytes) && p->memory[b] != NO_LINE)
				bytes = 0;
			report_line_add(r, &p->memory[b], false, bytes, NONE);
		}
	}
}
