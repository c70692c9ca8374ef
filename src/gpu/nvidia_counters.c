/*
 * nvidia_counters.c - what an NVIDIA device counts: by its performance counters (GPM: Hopper and later), which the
 * driver reads without stopping anything and for every user, and its traffic over PCIe.
 */
#include "nvidia_device.h"

#include <string.h>

/* ---- performance counters ----------------------------------------------------------------- */

static bool alloc_gpm(const struct nvml *m, struct nvidia_device *d)
{
	return m->gpm_alloc(&d->gpm[0]) == NVML_SUCCESS && m->gpm_alloc(&d->gpm[1]) == NVML_SUCCESS;
}

static bool has_gpm(struct nvidia *n, struct nvidia_device *d)
{
	struct nvml_gpm_support support = { .version = NVML_GPM_VERSION };
	const struct nvml *m = &n->nvml;

	if (d->gpm[0])
		return d->gpm[1] != NULL;
	if (!m->gpm_alloc || !m->gpm_metrics || !m->gpm_support || !nvidia_may(d, NVML_CALL_gpm_support, 0))
		return false;
	/* The support is checked once, on the whole device, which has the counters. */
	d->unsupported[NVML_CALL_gpm_support] = 1;
	return m->gpm_support(d->whole ? d->whole : d->handle, &support) == NVML_SUCCESS && support.supported &&
	       alloc_gpm(m, d);
}

/* Takes the counters.  false: they cannot be compared with those of the previous reading, which are not known. */
static bool take_gpm(struct nvidia *n, struct nvidia_device *d)
{
	struct nvml_gpm_sample *now = d->gpm[d->gpm_taken % 2];
	nvml_return r = d->whole ? n->nvml.gpm_mig_sample(d->whole, d->gpu_instance, now)
				 : n->nvml.gpm_sample(d->handle, now);

	if (r != NVML_SUCCESS) {
		d->gpm_taken = 0;
		return false;
	}
	return d->gpm_taken++ > 0;
}

enum { WHOLE = 1, PART = 2 };                   /* of which devices a value is read */
static const double MIB = 1 << 20;

static const struct { unsigned id, of; double unit; size_t offset; } values[] = {
	{ NVML_GPM_GRAPHICS_UTILIZATION, PART, 1, offsetof(struct gpu_row, utilization_pct) },
	{ NVML_GPM_GRAPHICS_UTILIZATION, WHOLE, 1, offsetof(struct gpu_row, kernel_active_pct) },
	{ NVML_GPM_SM_UTILIZATION, WHOLE | PART, 1, offsetof(struct gpu_row, sm_active_pct) },
	{ NVML_GPM_SM_OCCUPANCY, WHOLE | PART, 1, offsetof(struct gpu_row, sm_occupancy_pct) },
	{ NVML_GPM_TENSOR_UTILIZATION, WHOLE | PART, 1, offsetof(struct gpu_row, tensor_active_pct) },
	{ NVML_GPM_MEMORY_BANDWIDTH, WHOLE | PART, 1, offsetof(struct gpu_row, memory_bandwidth_pct) },
	{ NVML_GPM_PCIE_SENT, WHOLE, MIB, offsetof(struct gpu_row, pcie_sent_bytes_per_second) },
	{ NVML_GPM_PCIE_RECEIVED, WHOLE, MIB, offsetof(struct gpu_row, pcie_recv_bytes_per_second) },
};
_Static_assert(countof(values) <= NVML_GPM_METRICS_MAX, "one call asks for all");

/* The counters between the last two readings. */
static void read_gpm(struct nvidia *n, struct nvidia_device *d, unsigned of, struct gpu_row *row)
{
	struct nvml_gpm_metrics m = { .version = NVML_GPM_VERSION };
	size_t which[NVML_GPM_METRICS_MAX];

	if (!has_gpm(n, d) || !take_gpm(n, d))
		return;
	m.from = d->gpm[d->gpm_taken % 2];
	m.to = d->gpm[(d->gpm_taken + 1) % 2];
	for (size_t i = 0; i < countof(values); i++) {
		if (!(values[i].of & of))
			continue;
		which[m.n] = i;
		m.metric[m.n++].id = values[i].id;
	}
	if (n->nvml.gpm_metrics(&m) != NVML_SUCCESS)
		return;
	for (size_t i = 0; i < m.n; i++) {
		double value = m.metric[i].value * values[which[i]].unit;

		if (m.metric[i].result == NVML_SUCCESS && value >= 0)
			memcpy((char *)row + values[which[i]].offset, &value, sizeof value);
	}
}

/* ---- PCIe of devices without them ---------------------------------------------------------- */

/*
 * From counters of 64 bits if there are any; else the driver measures for 20 ms or more per direction.  Counters of 32
 * bits, which some drivers have, say nothing: a fast bus passes their range many times in a second.
 */
static void read_pcie(struct nvidia *n, struct nvidia_device *d, int64_t now_ns, struct gpu_row *row)
{
	double *const rates[] = { &row->pcie_sent_bytes_per_second, &row->pcie_recv_bytes_per_second };
	struct nvml_field fields[] = { { .id = NVML_FIELD_PCIE_TX_BYTES }, { .id = NVML_FIELD_PCIE_RX_BYTES } };
	double seconds = d->pcie_ns ? (double)(now_ns - d->pcie_ns) / 1e9 : 0;
	bool counted = !d->fields_unsupported && NVIDIA_ASK(n, d, fields, countof(fields), fields) &&
		       fields[0].result == NVML_SUCCESS && fields[1].result == NVML_SUCCESS &&
		       fields[0].type != NVML_VALUE_UNSIGNED && fields[1].type != NVML_VALUE_UNSIGNED;

	if (!counted && !d->lost)
		d->fields_unsupported = true;
	for (int i = 0; i < (int)countof(rates); i++) {
		unsigned kilobytes;

		if (counted) {
			double bytes = nvidia_gain(&d->pcie[i], fields[i].value.ull);

			if (seconds > 0)
				*rates[i] = bytes / seconds;
		} else if (NVIDIA_ASK_KIND(n, d, pcie, i, &kilobytes)) {
			*rates[i] = kilobytes * 1024.0;
		}
	}
	d->pcie_ns = now_ns;
}

void nvidia_read_counters(struct nvidia *n, struct nvidia_device *d, int64_t now_ns, struct gpu_row *row)
{
	if (n->nvml.gpm_sample)
		read_gpm(n, d, WHOLE, row);
	if (!d->gpm[1])
		read_pcie(n, d, now_ns, row);
}

void nvidia_read_part_counters(struct nvidia *n, struct nvidia_device *d, struct gpu_row *row)
{
	if (d->alone && d->gpu_instance != UINT32_MAX && n->nvml.gpm_mig_sample)
		read_gpm(n, d, PART, row);
}
