/* cpu.c - /proc/stat and /proc/loadavg: where the machine's CPU time went. */
#include "cpu.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "../core/buffer.h"
#include "../core/collector.h"
#include "../core/scan.h"

enum { COUNT_AGAIN = 60 };                      /* samples between two counts of folders in /proc */

struct cpu {
	int  stat, load, proc;
	bool primed;                            /* the other frame holds a reading */
	bool by_links;                          /* the link count of /proc gives the number of processes */
	int64_t links_of_folders;               /* that are not processes, as last counted */
	unsigned countdown;                     /* to their next count */
	unsigned current;                       /* which frame the next reading goes to */
	struct cpu_counters frame[2];           /* large, so they alternate instead of being copied */
};

static bool parse_times(struct scan *s, struct cpu_times *ret)
{
	struct cpu_times t = { 0 };
	uint64_t *const fields[] = { &t.user, &t.nice, &t.system, &t.idle,
				     &t.iowait, &t.irq, &t.softirq, &t.steal };

	/* iowait and the fields after it came with Linux 2.6; the first four have always been there. */
	for (size_t i = 0; i < countof(fields); i++)
		if (!scan_u64(s, fields[i]) && i < 4)
			return false;
	*ret = t;
	return true;
}

int cpu_parse(struct cpu_counters *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	bool any = false;

	ret->n_cores = 0;
	ret->has_context_switches = ret->has_interrupts = ret->has_forks = false;
	ret->has_running = ret->has_blocked = false;
	do {
		uint64_t number;

		if (scan_literal(&s, "cpu ")) {
			if (!parse_times(&s, &ret->all))
				return -EBADMSG;
			any = true;
		} else if (scan_literal(&s, "cpu")) {
			struct cpu_times times;

			if (!scan_u64(&s, &number) || number > UINT16_MAX || !parse_times(&s, &times))
				continue;
			if (ret->n_cores < CORE_MAX) {
				ret->number[ret->n_cores] = (uint16_t)number;
				ret->core[ret->n_cores] = times;
			}
			ret->n_cores++;
		} else if (scan_literal(&s, "intr ")) {
			ret->has_interrupts = scan_u64(&s, &ret->interrupts);
		} else if (scan_literal(&s, "ctxt ")) {
			ret->has_context_switches = scan_u64(&s, &ret->context_switches);
		} else if (scan_literal(&s, "processes ")) {
			ret->has_forks = scan_u64(&s, &ret->forks);
		} else if (scan_literal(&s, "procs_running ")) {
			ret->has_running = scan_u64(&s, &ret->running);
		} else if (scan_literal(&s, "procs_blocked ")) {
			ret->has_blocked = scan_u64(&s, &ret->blocked);
		}
	} while (scan_next_line(&s));
	return any ? 0 : -EBADMSG;
}

/* Ticks gained in all modes but idle and iowait.  guest is inside user and is not added again. */
static double busy_ticks(const struct cpu_times *was, const struct cpu_times *now)
{
	return gained(was->user, now->user) + gained(was->nice, now->nice) +
	       gained(was->system, now->system) + gained(was->irq, now->irq) +
	       gained(was->softirq, now->softirq) + gained(was->steal, now->steal);
}

/* 0..1; the ticks of all modes together are the elapsed time.  iowait can step back. */
static double busy_share(const struct cpu_times *was, const struct cpu_times *now)
{
	double busy = busy_ticks(was, now);
	double all = busy + gained(was->idle, now->idle) + gained(was->iowait, now->iowait);

	return all > 0 ? busy / all : 0;
}

static void derive_cores(struct sample *out, const struct cpu_counters *was, const struct cpu_counters *now)
{
	size_t n = size_min(now->n_cores, CORE_MAX), w = 0;
	size_t was_n = size_min(was->n_cores, CORE_MAX);

	out->cores_left_out = now->n_cores - n;
	for (size_t i = 0; i < n; i++) {
		char key[U64_TEXT];

		u64_text(key, now->number[i]);
		struct core_row *row = sample_add_core(out, key);

		while (w < was_n && was->number[w] < now->number[i])
			w++;
		if (row && w < was_n && was->number[w] == now->number[i])
			row->utilization_pct = 100 * busy_share(&was->core[w], &now->core[i]);
	}
}

void cpu_derive(struct sample *out, const struct cpu_counters *was, const struct cpu_counters *now,
		long ticks_per_second)
{
	const struct cpu_times *a = &was->all, *z = &now->all;
	struct totals *t = &out->total;
	double hz = (double)ticks_per_second;

	t->cpu_utilization_cores = busy_share(a, z) * (double)now->n_cores;
	t->cpu_user_seconds = (gained(a->user, z->user) + gained(a->nice, z->nice)) / hz;
	t->cpu_system_seconds = gained(a->system, z->system) / hz;
	t->cpu_iowait_seconds = gained(a->iowait, z->iowait) / hz;
	t->cpu_irq_seconds = gained(a->irq, z->irq) / hz;
	t->cpu_softirq_seconds = gained(a->softirq, z->softirq) / hz;
	t->cpu_steal_seconds = gained(a->steal, z->steal) / hz;
	if (was->has_context_switches && now->has_context_switches)
		t->cpu_context_switches = gained(was->context_switches, now->context_switches);
	if (was->has_interrupts && now->has_interrupts)
		t->cpu_interrupts = gained(was->interrupts, now->interrupts);
	if (was->has_forks && now->has_forks)
		t->cpu_forks = gained(was->forks, now->forks);
	derive_cores(out, was, now);
}

int cpu_parse_load(struct totals *out, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	double load[3];

	for (size_t i = 0; i < countof(load); i++)
		if (!scan_decimal(&s, &load[i]))
			return -EBADMSG;
	out->cpu_load_1m = load[0];
	out->cpu_load_5m = load[1];
	out->cpu_load_15m = load[2];
	return 0;
}

/* Numeric names in /proc: the processes of this PID namespace.  -errno, or their number. */
static int64_t count_processes(int proc)
{
	DIR *directory = source_open_folder(proc, ".");
	int64_t n = 0;

	if (!directory)
		return -errno;
	for (struct dirent *e; (e = readdir(directory)) != NULL;)
		if (e->d_name[0] >= '1' && e->d_name[0] <= '9')
			n++;
	(void)closedir(directory);
	return n;
}

/*
 * The links of /proc that are not processes: 2, and one for each other folder.  These come before all processes:
 * fs/proc/root.c, proc_root_readdir().  -errno, or the number.
 */
static int64_t count_links_of_folders(int proc)
{
	/* Small, because the kernel fills the rest with processes, at a cost for each. */
	union { char bytes[1024]; struct dirent64 align; } part;
	auto_close int fd = openat(proc, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int64_t links = 2;
	ssize_t n;

	if (fd < 0)
		return -errno;
	while ((n = getdents64(fd, (void *)&part, sizeof part)) > 0) {
		const struct dirent64 *e;

		for (ssize_t at = 0; at < n; at += e->d_reclen) {
			e = (const struct dirent64 *)(const void *)(part.bytes + at);
			if (e->d_name[0] >= '1' && e->d_name[0] <= '9')
				return links;
			if (e->d_type == DT_DIR && e->d_name[0] != '.')
				links++;
		}
	}
	return n < 0 ? -errno : links;
}

static bool sees_all_processes(const struct source *src)
{
	return src->live && source_namespace(src, "pid") == FIRST_PID_NAMESPACE;
}

/*
 * The link count of /proc is the number of processes on the machine plus the number of some folders:
 * proc_root_getattr(), 0.5 us against 30 us and more for counting names.  It includes processes hidden by hidepid=.
 * In a PID namespace it includes processes of other namespaces; there, and in a captured /proc, names are counted.
 */
static double processes(struct cpu *c)
{
	struct stat status;

	if (c->by_links) {
		if (c->countdown == 0) {
			c->links_of_folders = count_links_of_folders(c->proc);
			c->countdown = COUNT_AGAIN;
		}
		c->countdown--;
		if (c->links_of_folders > 0 && fstat(c->proc, &status) == 0 &&
		    (int64_t)status.st_nlink > c->links_of_folders)
			return (double)((int64_t)status.st_nlink - c->links_of_folders);
	}

	int64_t counted = count_processes(c->proc);

	return counted < 0 ? NONE : (double)counted;
}

static int cpu_start(void *state, const struct setup *setup, struct why *why)
{
	struct cpu *c = state;

	c->proc = setup->src->proc;
	c->by_links = sees_all_processes(setup->src);
	c->load = source_open_file(setup->src->proc, "loadavg");
	c->stat = source_open_file(setup->src->proc, "stat");
	return c->stat < 0 ? why_set(why, -errno, "cannot read /proc/stat: %s", strerror(errno)) : 0;
}

static int cpu_read(void *state, struct tick *tick)
{
	struct cpu *c = state;
	struct totals *out = &tick->out->total;
	struct cpu_counters *now = &c->frame[c->current];

	int r = text_read(tick->text, c->stat);
	if (r < 0)
		return r;
	r = cpu_parse(now, tick->text->at, tick->text->len);
	if (r < 0)
		return r;

	out->cpu_count = (double)now->n_cores;
	if (now->has_running)
		out->cpu_processes_running = (double)now->running;
	if (now->has_blocked)
		out->cpu_processes_blocked = (double)now->blocked;
	if (c->primed)
		cpu_derive(tick->out, &c->frame[!c->current], now, tick->src->ticks_per_second);
	c->current = !c->current;
	c->primed = true;
	tick->forks_since_boot = now->has_forks ? now->forks : 0;

	if (tick->brief)
		return 0;
	out->cpu_processes = processes(c);
	if (c->load >= 0 && text_read(tick->text, c->load) == 0)
		(void)!cpu_parse_load(out, tick->text->at, tick->text->len);
	return 0;
}

static void cpu_stop(void *state)
{
	struct cpu *c = state;

	close_p(&c->stat);
	close_p(&c->load);
}

const struct collector collector_cpu = {
	.state_size = sizeof(struct cpu),
	.start = cpu_start,
	.read = cpu_read,
	.stop = cpu_stop,
};
