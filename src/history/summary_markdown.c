/* summary_markdown.c - the summary of a recording for a step summary of a CI, in GitHub's Markdown. */
#include "digest.h"

#include <string.h>

#include "../summary/program_uses.h"
#include "../summary/summary_parts.h"
#include "../text/human.h"
#include "../text/markdown.h"
#include "past_run.h"

enum { REGIONS_SHOWN = 20 };

static void heading(struct buffer *out, const struct digest *d)
{
	const struct run *run = &d->facts->run;
	struct buffer command = { 0 };

	buffer_text(out, "### ");
	for (size_t i = 0; run->command && run->command[i]; i++) {
		if (i > 0)
			buffer_char(&command, ' ');
		human_word(&command, run->command[i], strlen(run->command[i]), true);
	}
	if (run->job_name) {
		markdown_plain(out, run->job_name);
		buffer_text(out, command.len > 0 ? ": " : "");
	}
	if (command.len > 0)
		markdown_code(out, command.at, command.len);
	else if (!run->job_name)
		buffer_text(out, d->facts->tracked ? "Processes" : "Machine");
	buffer_text(out, "\n\n");
	buffer_release(&command);
}

static void ending(struct buffer *out, const struct digest *d)
{
	const struct run_status *status = &d->facts->status;
	struct past_run run = { .state = d->state, .status = *status };
	char words[32];

	past_run_status(words, sizeof words, &run);
	buffer_format(out, "**%s** after ", run.state == STATE_TRUNCATED || run.state == STATE_COUNT ? "end unknown" : words);
	human_seconds(out, d->seconds);
	if (status->reason.text[0]) {
		buffer_text(out, ": ");
		markdown_plain(out, status->reason.text);
	}
	buffer_text(out, "\n\n");
}

static void value(struct buffer *out, enum unit unit, double x)
{
	if (is_none(x))
		return;
	switch (unit) {
	case UNIT_BYTES:
		human_bytes(out, x);
		break;
	case UNIT_SECONDS:
		human_seconds(out, x);
		break;
	case UNIT_CORES:
	case UNIT_COUNT:
	case UNIT_WATTS:
	case UNIT_JOULES:
	case UNIT_CELSIUS:
	case UNIT_HERTZ:
		human_cores(out, x);
		break;
	case UNIT_PERCENT:
		human_percent(out, x);
		break;
	}
}

static const struct metric *metric_named(const char *group, const char *name)
{
	const struct table_info *info = &tables[TABLE_TOTAL];

	for (size_t i = 0; i < info->n_metrics; i++)
		if (strcmp(info->metrics[i].group, group) == 0 && strcmp(info->metrics[i].name, name) == 0)
			return &info->metrics[i];
	return NULL;
}

static void level(struct buffer *out, const struct digest *d, const char *title, const char *group, const char *name,
		  double mean, double peak)
{
	const struct metric *m = metric_named(group, name);
	const struct distribution *of = m ? &d->of[m - tables[TABLE_TOTAL].metrics] : NULL;
	const double cells[] = {
		mean, of ? distribution_at(of, 0.5) : NONE, of ? distribution_at(of, 0.95) : NONE, peak,
	};

	if (!m || is_none(peak))
		return;
	buffer_format(out, "| %s |", title);
	for (size_t i = 0; i < countof(cells); i++) {
		buffer_char(out, ' ');
		value(out, m->unit, cells[i]);
		buffer_text(out, " |");
	}
	buffer_char(out, '\n');
}

static void levels(struct buffer *out, const struct digest *d)
{
	const struct quantity_values *v = &d->values;
	enum basis basis = quantity_basis(v, QUANTITY_peak_memory);
	bool tree = d->facts->tracked, pss = basis == BASIS_PSS;

	buffer_text(out, "| | mean | p50 | p95 | peak |\n|---|---:|---:|---:|---:|\n");
	level(out, d, "CPU, cores", tree ? "process" : "cpu", tree ? "cpu_cores" : "utilization_cores",
	      quantity_value(v, QUANTITY_mean_cpu), quantity_value(v, QUANTITY_peak_cpu));
	level(out, d, pss ? "Memory, PSS" : basis == BASIS_RSS ? "Memory, RSS" : "Memory", tree ? "process" : "memory", !tree ? "used_bytes" : pss ? "pss_bytes" : "rss_bytes",
	      quantity_value(v, QUANTITY_mean_memory), quantity_value(v, QUANTITY_peak_memory));
	buffer_char(out, '\n');
}

static void totals(struct buffer *out, const struct digest *d)
{
	static const struct { enum quantity quantity; const char *title; } rows[] = {
		{ QUANTITY_cpu_time, "CPU time" }, { QUANTITY_disk_read, "Read from disk" },
		{ QUANTITY_disk_written, "Written to disk" }, { QUANTITY_net_received, "Received by the machine" },
		{ QUANTITY_net_sent, "Sent by the machine" },
	};

	buffer_text(out, "| | total |\n|---|---:|\n");
	for (size_t i = 0; i < countof(rows); i++) {
		double total = quantity_value(&d->values, rows[i].quantity);

		if (is_none(total))
			continue;
		buffer_format(out, "| %s | ", rows[i].title);
		value(out, quantities[rows[i].quantity].unit, total);
		buffer_text(out, " |\n");
	}
	buffer_char(out, '\n');
}

static void program(struct buffer *out, const struct program_use *u)
{
	buffer_text(out, "| ");
	markdown_plain(out, u->name);
	buffer_text(out, " | ");
	if (!is_none(u->started))
		buffer_format(out, "%.0f", u->started);
	buffer_text(out, " | ");
	human_seconds(out, u->cpu_seconds);
	buffer_text(out, " | ");
	if (!is_none(u->peak_bytes)) {
		human_bytes(out, u->peak_bytes);
		buffer_format(out, " (%s)", u->peak_of);
	}
	buffer_text(out, " |\n");
}

static void programs(struct buffer *out, const struct digest *d)
{
	struct program_uses all;

	program_uses_read(&all, d->whole);
	if (all.n == 0)
		return;
	buffer_text(out, "| program | processes | CPU | memory |\n|---|---:|---:|---:|\n");
	for (size_t i = 0; i < all.n; i++)
		program(out, &all.at[i]);
	if (all.others_named > 0 || all.others_more)
		program(out, &all.others);
	if (!is_none(all.short_lived_seconds))
		program(out, &(struct program_use){
			.name = "short-lived, not seen", .cpu_seconds = all.short_lived_seconds, .started = NONE,
			.peak_bytes = NONE,
		});
	buffer_char(out, '\n');
}

static void change(struct buffer *out, double bytes)
{
	buffer_text(out, bytes < 0 ? "-" : "+");
	human_bytes(out, fabs(bytes));
}

/* The named regions of the program. */
static void regions(struct buffer *out, const struct region_totals *t)
{
	size_t order[REGIONS_SHOWN], n = summary_region_order(order, REGIONS_SHOWN, t);

	if (n == 0)
		return;
	buffer_text(out, "| region | entries | time | CPU | of all processes | memory |\n|---|---:|---:|---:|---:|---:|\n");
	for (size_t i = 0; i < n; i++) {
		const struct region_total *r = &t->at[order[i]];
		const struct region_use *cpu = &r->use[REGION_TREE_CPU], *memory = &r->use[REGION_RSS_CHANGE];

		buffer_text(out, "| ");
		markdown_plain(out, r->path);
		buffer_format(out, " | %llu | ", (unsigned long long)r->count);
		human_duration(out, r->seconds);
		buffer_text(out, " | ");
		if (!is_none(r->cpu_seconds))
			human_duration(out, r->cpu_seconds);
		buffer_text(out, " | ");
		if (!is_none(cpu->value))
			summary_region_use(out, cpu, human_duration);
		buffer_text(out, " | ");
		if (!is_none(memory->value))
			summary_region_use(out, memory, change);
		buffer_text(out, " |\n");
	}
	buffer_char(out, '\n');
}

void digest_markdown(struct buffer *out, const struct digest *d)
{
	heading(out, d);
	ending(out, d);
	levels(out, d);
	totals(out, d);
	programs(out, d);
	regions(out, &d->facts->region_totals);
	for (size_t i = 0; i < d->facts->n_problems; i++) {
		buffer_text(out, "- ");
		markdown_plain(out, d->facts->problems[i]);
		buffer_char(out, '\n');
	}
}
