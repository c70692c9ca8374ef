/* report_methods.c - the method of measurement of each number, and the bounds of the truth. */
#include "report_run.h"

#include <string.h>

#include "../summary/summary_parts.h"
#include "../text/human.h"
#include "report_lines.h"

static const double PAGE = 4096;

typedef void human_writer(struct buffer *out, double value);

static void human_member(struct json *j, const char *key, human_writer *write, double value)
{
	struct buffer text = { 0 };

	if (is_none(value))
		return;
	write(&text, value);
	report_text(j, key, &text);
	buffer_release(&text);
}

struct method {
	const char *quantity, *source, *meaning;
	human_writer *write;
	double value, lower, upper;             /* NONE: unknown; without a value no method is written */
};

static void put(struct json *j, const struct method *m)
{
	if (is_none(m->value))
		return;
	json_open(j, '{');
	json_member_text(j, "quantity", m->quantity);
	human_member(j, "value", m->write, m->value);
	human_member(j, "lower", m->write, m->lower);
	human_member(j, "upper", m->write, m->upper);
	if (m->source && *m->source)
		json_member_text(j, "source", m->source);
	json_member_text(j, "meaning", m->meaning);
	json_close(j, '}');
}

static void count(struct buffer *out, double n)
{
	buffer_fixed(out, n, 0);
}

static const char *cpu_meaning(const char *source)
{
	static const struct { const char *source, *meaning; } all[] = {
		{ "cgroup", "The job has a control group of its own, in which the kernel counts all CPU time: exact." },
		{ "cgroup1", "The job has a control group (version 1) of its own, in which the kernel counts all CPU time: exact; "
			     "user and system time in ticks." },
		{ "perf", "The kernel counts it for all descendants, including those that no process waited for; up to 0.1 ms "
			  "around the start and end of each process is missing." },
		{ "ledger", "The CPU time of live processes, and of those that were waited for; the last moments of a process "
			    "that no process waited for are missing." },
		{ "visible", "Only the CPU time of live processes: those that ended between two samples are missing." },
	};

	for (size_t i = 0; i < countof(all); i++)
		if (strcmp(source, all[i].source) == 0)
			return all[i].meaning;
	return "CPU time of the tracked processes and all their descendants.";
}

static const char *membership_meaning(const char *membership)
{
	static const struct { const char *word, *meaning; } all[] = {
		{ "perf", "The kernel reports each start and end, so no process is missed, however short." },
		{ "children", "The lists of children are read at each sample: processes that start and end between two are not "
			      "counted." },
		{ "scan", "All of /proc is searched at each sample: processes that start and end between two are not counted." },
	};

	for (size_t i = 0; i < countof(all); i++)
		if (strcmp(membership, all[i].word) == 0)
			return all[i].meaning;
	return "The tracked processes and all their descendants.";
}

static const char *largest_meaning(double incomplete)
{
	if (incomplete > 0)
		return "The kernel keeps this peak for each process, but that of a process that ended is unknown: it can have been "
		       "higher.";
	return "The kernel keeps this peak for each process, so no sample can miss it: the job had at least this.";
}

/* What is missing at most is unknown for a part of the run: so is the upper bound. */
static double at_most(struct statistic known, struct statistic missing)
{
	return missing.seconds >= known.seconds ? known.sum + missing.sum : NONE;
}

static void of_a_record(struct json *j, const struct report_run *r, const struct aggregate *whole)
{
#define TOTAL(group, name) summary_total(whole, METRIC_##group##_##name)
	struct statistic pss = TOTAL(process, pss_bytes), started = TOTAL(process, started);
	struct statistic group = TOTAL(cgroup, memory_peak_bytes);
	/*
	 * The group's peak never falls: it rose in the run if its mean is below its maximum; else it is from before
	 * the run.
	 */
	double group_peak = group.maximum - group.mean >= PAGE ? group.maximum : NONE;
	const char *cpu = summary_cpu_source_words(r->digest.cpu_source);
	const struct method all[] = {
		{ "CPU time of the job", cpu, cpu_meaning(r->digest.cpu_source), human_seconds, TOTAL(process, cpu_seconds).sum,
		  TOTAL(process, cpu_lower_seconds).sum, TOTAL(process, cpu_upper_seconds).sum },
		{ "Processes of the job, started", r->membership, membership_meaning(r->membership), count, started.sum,
		  started.sum, started.sum + TOTAL(process, lost_records).sum },
		{ "Processes of the job, most at a time", r->membership,
		  is_none(started.sum) ? membership_meaning(r->membership) : "Those alive at a sample.", count,
		  TOTAL(process, count).maximum, NONE, NONE },
		{ "Peak of PSS", "smaps_rollup", "Resident memory in which a page that several processes share counts once. Reading "
		  "it holds the job up, so it is read within a budget and carried by the changes of RSS in between; the bounds "
		  "take that into account.", human_bytes, pss.maximum, TOTAL(process, pss_lower_bytes).maximum,
		  TOTAL(process, pss_upper_bytes).maximum },
		{ "Peak of RSS", "statm", "The sum over all processes: a page that several of them share counts several times.",
		  human_bytes, TOTAL(process, rss_bytes).maximum, NONE, NONE },
		{ "Largest process", "VmHWM, ru_maxrss", largest_meaning(TOTAL(process, peak_rss_incomplete).maximum), human_bytes, TOTAL(process, peak_rss_bytes).maximum, NONE, NONE },
		{ "Peak of the control group", "memory.peak", "Includes the page cache that is charged to the group, and the use of other "
		  "processes in the same group.", human_bytes, group_peak, NONE, NONE },
		{ "Read from storage by the job", "/proc/PID/io", "Bytes that the kernel read for the job; data from the page cache are "
		  "not included.", human_bytes, TOTAL(process, disk_read_bytes).sum, NONE, NONE },
		{ "Written to storage by the job", "/proc/PID/io", "Bytes that the job caused to be written, now or later.", human_bytes,
		  TOTAL(process, disk_write_bytes).sum, NONE, NONE },
		{ "Received by the job", "inet_diag", "Payload of its TCP connections, including loopback; the upper bound adds "
		  "connections that ended before a poll could find their owner.", human_bytes,
		  TOTAL(process, net_recv_bytes).sum, TOTAL(process, net_recv_bytes).sum,
		  at_most(TOTAL(process, net_recv_bytes), TOTAL(process, net_unattributed_bytes)) },
		{ "Sent by the job", "inet_diag", "The same in the other direction.", human_bytes, TOTAL(process, net_sent_bytes).sum,
		  TOTAL(process, net_sent_bytes).sum,
		  at_most(TOTAL(process, net_sent_bytes), TOTAL(process, net_unattributed_bytes)) },
		{ "Waiting for a CPU", "schedstat", "Time for which threads of the job were ready but had no CPU.", human_seconds,
		  TOTAL(process, run_delay_seconds).sum, NONE, NONE },
		{ "Read by the machine", "/proc/diskstats", "All disks, each byte once, for all programs.", human_bytes,
		  TOTAL(disk_total, read_bytes).sum, NONE, NONE },
		{ "Received by the machine", "/proc/net/dev", "All interfaces but loopback, each byte once.", human_bytes,
		  TOTAL(network_total, recv_bytes).sum, NONE, NONE },
	};
#undef TOTAL

	for (size_t i = 0; i < countof(all); i++)
		put(j, &all[i]);
}

static void of_another_tracker(struct json *j, const struct report_run *r)
{
	struct buffer text = { 0 };

	json_open(j, '{');
	json_member_text(j, "quantity", "All numbers");
	json_member_text(j, "source", r->digest.facts->format);
	buffer_text(&text, "As the file has them: it does not state how they were measured, nor their bounds.");
	report_text(j, "meaning", &text);
	json_close(j, '}');
	buffer_release(&text);
}

void report_methods(struct json *j, const struct report_run *r)
{
	json_member_open(j, "methods", '[');
	if (r->digest.facts->records_end)
		of_a_record(j, r, r->digest.whole);
	else
		of_another_tracker(j, r);
	json_close(j, ']');
}
