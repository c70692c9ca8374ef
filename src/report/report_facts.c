/* report_facts.c - the facts of a run in words: the lines of its summary, sorted into the page's cards. */
#include "report_run.h"

#include <string.h>

#include "../readers/record_reader.h"
#include "../record/record_lines.h"
#include "../summary/summary_parts.h"
#include "../text/human.h"
#include "report_lines.h"

/* Empties the text. */
static void fact(struct json *j, const char *card, const char *label, struct buffer *value)
{
	struct buffer note = { 0 };

	report_fact(j, card, (struct word){ label, strlen(label) }, value, &note);
}

typedef void summary_part(struct page *p, struct phrase *w, const struct summary *s);

typedef void lines_writer(struct json *j, const char *card, const struct buffer *lines);

static void from_summary(struct json *j, const char *card, const struct summary *s, summary_part *const *parts,
			 lines_writer *write)
{
	struct buffer lines = { 0 };
	struct page p = { .out = &lines, .style = { .utf8 = true }, .bare = true };
	struct phrase w = { { 0 } };

	for (; *parts; parts++)
		(*parts)(&p, &w, s);
	write(j, card, &lines);
	buffer_release(&w.text);
	buffer_release(&lines);
}

/* ---- cards ------------------------------------------------------------------------------------- */

/* Converts "job_name" to "Job name". */
static void metadata_fact(struct json *j, const char *key, const char *value)
{
	struct buffer label = { 0 }, text = { 0 };

	if (!value)
		return;
	for (const char *p = key; *p; p++)
		buffer_char(&label, *p == '_' ? ' ' : p == key ? (char)(*p - 'a' + 'A') : *p);
	buffer_char(&label, '\0');
	buffer_text(&text, value);
	fact(j, "what", label.at ? label.at : key, &text);
	buffer_release(&label);
	buffer_release(&text);
}

static void what(struct json *j, const struct report_run *r, const struct summary *s)
{
	static summary_part *const parts[] = { summary_what_ran, summary_job, summary_cost, NULL };
	const struct recording_facts *f = r->digest.facts;
	struct buffer text = { 0 };

	if (f->records_end || aggregate_samples(r->digest.whole) > 0)
		from_summary(j, "what", s, parts, report_lines);
#define METADATA_FACT(name, variable) metadata_fact(j, #name, f->run.name);
	RUN_METADATA(METADATA_FACT)
#undef METADATA_FACT
	for (size_t i = 0; i < f->run.n_tags; i++)
		buffer_format(&text, "%s%s", i > 0 ? ", " : "", f->run.tags[i]);
	fact(j, "what", "Tags", &text);
	if (f->run.interval_seconds > 0) {
		buffer_text(&text, "every ");
		human_seconds(&text, f->run.interval_seconds);
	}
	fact(j, "what", "Sampled", &text);
	buffer_text(&text, f->format);
	if (strcmp(r->digest.path, "-") != 0)
		buffer_format(&text, " %s", r->digest.path);
	fact(j, "what", "From", &text);
	buffer_release(&text);
}

static void where(struct json *j, const struct report_run *r)
{
	const struct host *host = &r->digest.facts->host;
	struct buffer text = { 0 };

	buffer_text(&text, host->name);
	fact(j, "where", "Host", &text);
	if (*host->kernel)
		buffer_format(&text, "Linux %s %s", host->kernel, host->architecture);
	fact(j, "where", "System", &text);
	if (!is_none(host->cpus))
		buffer_format(&text, "%.0f", host->cpus);
	if (*host->cpu_model)
		buffer_format(&text, "%s%s", text.len > 0 ? " x " : "", host->cpu_model);
	if (!is_none(host->cores) && !is_none(host->sockets))
		buffer_format(&text, "%s%.0f core%s in %.0f socket%s", text.len > 0 ? ", " : "", host->cores,
			      host->cores > 1 ? "s" : "", host->sockets, host->sockets > 1 ? "s" : "");
	fact(j, "where", "CPUs", &text);
	if (!is_none(host->memory_bytes))
		human_bytes(&text, host->memory_bytes);
	fact(j, "where", "Memory", &text);
	buffer_format(&text, "%s%s%s", host->vendor, *host->vendor && *host->product ? " " : "", host->product);
	if (strcmp(host->virtualization, "none") == 0)
		buffer_format(&text, "%snot virtual", text.len > 0 ? ", " : "");
	else if (*host->virtualization)
		buffer_format(&text, "%svirtual (%s)", text.len > 0 ? ", " : "", host->virtualization);
	fact(j, "where", "Machine", &text);
	buffer_text(&text, host->container);
	fact(j, "where", "Container", &text);
	cloud_words(&text, &r->digest.facts->cloud);
	if (r->digest.facts->cloud.asked && text.len == 0)
		buffer_text(&text, "unknown: none has answered");
	fact(j, "where", "Cloud", &text);
	buffer_release(&text);
}

/* "2 cores", "0.5 cores". */
static void plain_number(struct buffer *out, double value)
{
	buffer_trimmed(out, value, floor(value) >= value ? 0 : 2);
}

static void limits(struct json *j, const struct summary *s)
{
	static const struct {
		const char *label;
		enum total_metric metric;
		void (*write)(struct buffer *out, double value);
		const char *unit;
	} all[] = {
		{ "CPU quota", METRIC_cgroup_cpu_quota_cores, plain_number, " cores" },
		{ "CPUs that the job can use", METRIC_cgroup_cpu_available_cores, plain_number, "" },
		{ "Memory limit", METRIC_cgroup_memory_limit_bytes, human_bytes, "" },
		{ "Memory that the job can have", METRIC_cgroup_memory_available_bytes, human_bytes, "" },
		{ "Tasks", METRIC_cgroup_pids_limit, plain_number, " at most" },
	};
	struct buffer text = { 0 };

	for (size_t i = 0; i < countof(all); i++) {
		double value = summary_total(s->whole, all[i].metric).maximum;

		if (!is_none(value)) {
			all[i].write(&text, value);
			buffer_text(&text, all[i].unit);
		}
		fact(j, "limits", all[i].label, &text);
	}
	buffer_release(&text);
}

static void warnings(struct json *j, const struct summary *s, bool running)
{
	struct summary without = *s;
	struct buffer lines = { 0 };
	struct page p = { .out = &lines, .style = { .utf8 = true }, .bare = true };
	struct bare_line line;

	without.n_notices = 0;                          /* all notices follow below */
	summary_warnings(&p, &without);
	json_member_open(j, "warnings", '[');
	for (const char *at = lines.at; lines.at && bare_line_next(&line, &at, lines.at + lines.len);)
		json_text_n(j, line.text.at, line.text.len);
	/* That a run goes on is no problem of it. */
	for (size_t i = 0; i < s->n_notices; i++)
		if (!running || !strstr(s->notices[i], RECORD_NO_END))
			json_text(j, s->notices[i]);
	json_close(j, ']');
	buffer_release(&lines);
}

void report_facts(struct json *j, const struct report_run *r)
{
	static summary_part *const ending[] = { summary_how_it_ended, summary_last_minute, NULL };
	static summary_part *const totals[] = {
		summary_cpu, summary_time, summary_memory, summary_gpu, summary_disk_and_network, NULL,
	};
	static summary_part *const overhead[] = { summary_tracker, NULL };
	const char **notices;
	struct summary s = digest_summary(&r->digest, &notices);
	bool rows = aggregate_samples(r->digest.whole) > 0;

	s.cpu = s.memory = s.rss = (struct spark){ 0 };
	json_member_open(j, "facts", '[');
	what(j, r, &s);
	where(j, r);
	from_summary(j, "ending", &s, ending, report_lines);
	limits(j, &s);
	if (rows)
		from_summary(j, "totals", &s, totals, report_figures);
	if (!is_none(summary_total(s.whole, METRIC_tracker_cpu_seconds).sum))
		from_summary(j, "overhead", &s, overhead, report_figures);
	json_close(j, ']');
	warnings(j, &s, r->digest.state == STATE_RUNNING);
	free(notices);
}
