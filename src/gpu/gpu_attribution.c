/* gpu_attribution.c - sums GPU use for the machine, the tree and its programs. */
#include "gpu_attribution.h"

#include <string.h>

#include "../core/metrics.h"
#include "../core/scan.h"

/* The use of one device or of several.  A sum with an unknown part is unknown: NONE + x. */
struct used { double gpus, encoders, decoders, vram_bytes, processes; };

static void add(struct used *to, const struct used *u)
{
	to->gpus += u->gpus;
	to->encoders += u->encoders;
	to->decoders += u->decoders;
	to->vram_bytes += u->vram_bytes;
	to->processes += u->processes;
}

void gpu_sums_begin(struct gpu_sums *s)
{
	struct totals *t = &s->total;

	memset(s, 0, sizeof *s);
	t->gpu_total_utilization_gpus = t->gpu_total_vram_total_bytes = t->gpu_total_vram_used_bytes = NONE;
	t->gpu_total_utilized = t->gpu_total_power_watts = t->gpu_total_energy_joules = t->gpu_total_age_seconds = NONE;
}

/* The machine's sums cover the devices that report a value; if none does, they are NONE. */
static void add_to_machine(struct totals *t, const struct gpu_device *d, bool again)
{
	const struct gpu_row *row = &d->row;
	double energy = again ? NONE : row->energy_joules;

	if (!d->is_part) {
		t->gpu_total_power_watts = add_known(t->gpu_total_power_watts, row->power_watts);
		t->gpu_total_energy_joules = add_known(t->gpu_total_energy_joules, energy);
	}
	if (!(row->counted_in_total > 0))
		return;
	t->gpu_total_count++;
	t->gpu_total_utilization_gpus = add_known(t->gpu_total_utilization_gpus, row->utilization_pct / 100);
	t->gpu_total_vram_total_bytes = add_known(t->gpu_total_vram_total_bytes, row->vram_total_bytes);
	t->gpu_total_vram_used_bytes = add_known(t->gpu_total_vram_used_bytes, row->vram_used_bytes);
	if (!is_none(row->utilization_pct))
		t->gpu_total_utilized = add_known(t->gpu_total_utilized, row->utilization_pct > 0);
}

static void add_to_program(struct sample *out, const char *key, const struct used *u)
{
	ptrdiff_t i = row_find(sample_rows(out, TABLE_PROGRAM), key, 0);

	if (i < 0)
		return;
	out->program[i].gpu_utilization_gpus += u->gpus;
	out->program[i].gpu_vram_bytes += u->vram_bytes;
}

/* From the processes that the driver or the kernel reports. */
static struct used by_pids(struct sample *out, const struct gpu_answer *a, size_t device,
			   const struct gpu_membership *members)
{
	struct used all = { 0 };

	for (size_t i = 0; i < a->n_uses; i++) {
		const struct gpu_process *p = &a->use[i].process;
		const char *program = a->use[i].device == device ? members->program(members->context, p->pid) : NULL;
		struct used one = { p->utilization_pct / 100, p->encoder_pct / 100, p->decoder_pct / 100,
				    p->vram_bytes, 1 };

		if (!program)
			continue;
		add(&all, &one);
		add_to_program(out, program, &one);
	}
	return all;
}

static size_t parts_of(const struct gpu_answer *a, const char *whole)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n; i++)
		n += strcmp(a->device[i].row.parent, whole) == 0;
	return n;
}

/* From open device files: all use of the device.  A device file does not identify a part of the device. */
static struct used by_descriptors(const struct gpu_answer *a, size_t device)
{
	const struct gpu_device *d = &a->device[device];
	const struct gpu_row *row = &d->row;

	if (!a->held[device])
		return (struct used){ 0 };
	if (d->is_part && parts_of(a, row->parent) > 1)
		return (struct used){ NONE, NONE, NONE, NONE, NONE };
	return (struct used){ row->utilization_pct / 100, row->encoder_pct / 100, row->decoder_pct / 100,
			      row->vram_used_bytes, NONE };
}

static size_t users_of(const struct gpu_answer *a, size_t device)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_uses; i++)
		n += a->use[i].device == device;
	return n;
}

/* A process that uses several devices counts once. */
static size_t distinct_members(const struct gpu_answer *a, const struct gpu_membership *members)
{
	size_t n = 0;

	for (size_t i = 0; i < a->n_uses; i++) {
		pid_t pid = a->use[i].process.pid;
		size_t before = 0;

		while (before < i && a->use[before].process.pid != pid)
			before++;
		n += before == i && members->program(members->context, pid) != NULL;
	}
	return n;
}

static void add_to_tree(struct totals *t, const struct used *u, bool counted)
{
	if (!counted)
		return;
	t->process_gpu_utilization_gpus += u->gpus;
	t->process_gpu_encoder_gpus += u->encoders;
	t->process_gpu_decoder_gpus += u->decoders;
	t->process_gpu_vram_bytes += u->vram_bytes;
}

static void drop_amounts(struct gpu_row *row)
{
	const struct table_info *info = &tables[TABLE_GPU];
	const double none = NONE;

	for (size_t i = 0; i < info->n_metrics; i++)
		if (info->metrics[i].kind == KIND_AMOUNT)
			memcpy((char *)row + info->metrics[i].offset, &none, sizeof none);
}

void gpu_attribute(struct sample *out, struct gpu_sums *s, const struct gpu_answer *a, bool lists_all, bool again,
		   const double visible[], const struct gpu_membership *members)
{
	struct totals *t = &s->total;
	bool tracked = members->program != NULL;
	double age = (double)(out->monotonic_ns - a->began_ns) / 1e9;

	for (size_t i = 0; i < out->n_program && tracked && a->pids_are_ours && !s->from; i++)
		out->program[i].gpu_utilization_gpus = out->program[i].gpu_vram_bytes = 0;
	if (a->n > 0 && age >= 0 && !(t->gpu_total_age_seconds > age))
		t->gpu_total_age_seconds = age;
	for (size_t i = 0; i < a->n; i++) {
		const struct gpu_device *d = &a->device[i];
		struct gpu_row *row = sample_add_gpu(out, d->row.key);
		struct used u = { NONE, NONE, NONE, NONE, NONE };

		add_to_machine(t, d, again);
		if (a->pids_are_ours && a->uses_known[i] && tracked)
			u = by_pids(out, a, i, members);
		else if (!a->pids_are_ours && tracked)
			u = by_descriptors(a, i);
		if (tracked)
			add_to_tree(t, &u, d->row.counted_in_total > 0);
		if (tracked && d->row.counted_in_total > 0 && (u.processes > 0 || (!a->pids_are_ours && a->held[i])))
			t->process_gpu_utilized++;
		if (!row)
			continue;
		*row = d->row;
		if (again)
			drop_amounts(row);
		if (a->pids_are_ours && a->uses_known[i] && lists_all)
			row->processes = (double)users_of(a, i);
		if (!tracked)
			continue;
		row->job_visible = d->row.counted_in_total > 0 ? visible[i] : NONE;
		row->job_utilization_pct = 100 * u.gpus;
		row->job_vram_bytes = u.vram_bytes;
		row->job_processes = u.processes;
	}
	if (!tracked || a->n == 0)
		return;
	t->process_gpu_processes += a->pids_are_ours ? (double)distinct_members(a, members) : NONE;
	s->from |= !a->pids_are_ours ? GPU_FROM_DESCRIPTORS : lists_all ? GPU_FROM_PIDS : GPU_FROM_FDINFO;
}

static const char *source_name(unsigned from)
{
	switch (from) {
	case 0: return "";
	case GPU_FROM_PIDS: return "pids";
	case GPU_FROM_FDINFO: return "fdinfo";
	case GPU_FROM_DESCRIPTORS: return "descriptors";
	default: return "mixed";
	}
}

void gpu_sums_end(struct sample *out, const struct gpu_sums *s)
{
	const struct totals *t = &s->total;
	struct totals *to = &out->total;
	bool none = t->gpu_total_count <= 0;

	to->gpu_total_count = t->gpu_total_count;
	/* Without a GPU the use is 0, as other trackers report it; with GPUs it depends on what they report. */
	to->gpu_total_utilization_gpus = none ? 0 : t->gpu_total_utilization_gpus;
	to->gpu_total_vram_total_bytes = none ? 0 : t->gpu_total_vram_total_bytes;
	to->gpu_total_vram_used_bytes = none ? 0 : t->gpu_total_vram_used_bytes;
	to->gpu_total_utilized = none ? 0 : t->gpu_total_utilized;
	to->gpu_total_power_watts = t->gpu_total_power_watts;
	to->gpu_total_energy_joules = t->gpu_total_energy_joules;
	to->gpu_total_age_seconds = t->gpu_total_age_seconds;
	(void)word_copy(word_of(source_name(s->from)), to->process_gpu_source, sizeof to->process_gpu_source);
	if (!s->from)
		return;
	to->process_gpu_utilization_gpus = t->process_gpu_utilization_gpus;
	to->process_gpu_encoder_gpus = t->process_gpu_encoder_gpus;
	to->process_gpu_decoder_gpus = t->process_gpu_decoder_gpus;
	to->process_gpu_vram_bytes = t->process_gpu_vram_bytes;
	to->process_gpu_utilized = t->process_gpu_utilized;
	to->process_gpu_processes = t->process_gpu_processes;
	if (out->interval_seconds > 0)
		to->process_gpu_seconds = t->process_gpu_utilization_gpus * out->interval_seconds;
}
