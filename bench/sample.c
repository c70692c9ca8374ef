/*
 * sample.c - a sample of the recorder, measured as floor.c measures the kernel's part of it.
 *
 *   bench_sample --what system           every collector except the tree, and the line of JSON
 *   bench_sample --what tree             the process collector alone
 *     --tree load_tree --processes N --busy M --role wrapped|attached
 *     --group 1                        wrapped, in a control group of its own
 *   --samples N --warm N --hz H --phase-ms MS     0 Hz: a tight loop
 *   --write 0                            without the line of JSON
 *   --show 1                             prints failed measurements, and the files that are kept open
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/sample_write.h"
#include "cpu/own_cgroup.h"
#include "measure.h"
#include "sampler/sampler.h"
#include "tree/tree.h"

struct ours {
	struct sampler *sampler;
	struct sample_writer *writer;           /* NULL: no line is written */
	struct sample sample;
	struct buffer line;
	struct run run;
};

static void take(void *context)
{
	struct ours *o = context;

	if (sampler_read(o->sampler, &o->sample) < 0)
		measure_fail("sampler_read", "failed");
	if (o->writer) {
		buffer_clear(&o->line);
		sample_write_json(o->writer, &o->line, &o->sample, &o->run);
	}
}

static void show(struct ours *o)
{
	DIR *d = opendir("/proc/self/fd");
	char path[64], target[256];

	for (const char *notice; (notice = sampler_notice(o->sampler)); )
		(void)fprintf(stderr, "notice: %s\n", notice);
	for (struct dirent *entry; d && (entry = readdir(d)); ) {
		(void)snprintf(path, sizeof path, "/proc/self/fd/%.20s", entry->d_name);

		ssize_t n = readlink(path, target, sizeof target);

		if (n > 0)
			(void)fprintf(stderr, "open: %.*s\n", (int)n, target);
	}
	if (d)
		(void)closedir(d);
	(void)fprintf(stderr, "%.*s", (int)o->line.len, o->line.at);
}

/* The load exists before the group: it is moved into it, and its children start there. */
static void put_into_group(struct own_cgroup *own_cgroup, struct source *source, pid_t pid)
{
	struct why why = { "" };

	if (source_open(source, "/", NULL) < 0 || own_cgroup_open(own_cgroup, source, OWN_CGROUP_ASKED, &why) < 0)
		measure_fail("leaf_open", why.text);

	int procs = own_cgroup->is_v1 ? own_cgroup->tasks : openat(own_cgroup->directory, "cgroup.procs", O_WRONLY | O_CLOEXEC);

	if (procs < 0 || dprintf(procs, "%d", (int)pid) < 0)
		measure_fail("cgroup.procs", "cannot be written to");
}

int main(int argc, char **argv)
{
	static struct ours ours;                /* static: large */
	bool of_tree = strcmp(measure_option(argc, argv, "--what", "system"), "tree") == 0;
	bool wrapped = strcmp(measure_option(argc, argv, "--role", "attached"), "wrapped") == 0;
	struct measure measure = {
		.call = take, .context = &ours,
		.samples = measure_number(argc, argv, "--samples", 1000),
		.warm = measure_number(argc, argv, "--warm", 3),
		.hz = (double)measure_number(argc, argv, "--hz", 0),
		.phase_seconds = (double)measure_number(argc, argv, "--phase-ms", 0) / 1e3,
	};
	bool grouped = wrapped && measure_number(argc, argv, "--group", 0) == 1;
	struct rlimit limit;
	struct source source;
	struct own_cgroup own_cgroup;
	struct held held = { .pid = -1 };
	struct why why = { "" };

	(void)getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = limit.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &limit);
	if (of_tree) {
		(void)prctl(PR_SET_CHILD_SUBREAPER, wrapped ? 1 : 0);
		held = tree_hold(measure_option(argc, argv, "--tree", "load_tree"),
				 measure_number(argc, argv, "--processes", 100),
				 measure_number(argc, argv, "--busy", 0));
		if (grouped)
			put_into_group(&own_cgroup, &source, held.pid);
		/* An attachment finds a complete tree; a wrapper sees it grow. */
		if (!wrapped)
			tree_release(&held);
	}

	struct tree_options tree = {
		.roots = &held.pid, .n_roots = 1, .ours = wrapped, .pss = PSS_AUTO,
		.own_cgroup = grouped ? &own_cgroup : NULL,
	};
	struct sampler_options options = {
		.pid = of_tree ? held.pid : 0,
		.interval_seconds = measure.hz > 0 ? 1 / measure.hz : 0,
		.only = of_tree ? "process" : NULL,
		.tree = of_tree ? &tree : NULL,
	};

	if (sampler_open(&ours.sampler, &options, &why) < 0)
		measure_fail("sampler_open", why.text);
	if (!of_tree && measure_number(argc, argv, "--write", 1) == 1 && sample_writer_open(&ours.writer) < 0)
		measure_fail("sample_writer_open", "out of memory");
	ours.run = (struct run){ .interval_seconds = options.interval_seconds };
	take(&ours);
	/* As the recorder does once its command was released. */
	if (of_tree && wrapped) {
		tree_release(&held);
		tree_listen(sampler_tree(ours.sampler));
	}
	measure_run(&measure);
	if (measure_number(argc, argv, "--show", 0))
		show(&ours);
	if (of_tree && ours.sample.total.process_count != (double)measure_number(argc, argv, "--processes", 100))
		measure_fail("the sample", "does not have all processes of the tree");
	sampler_close(ours.sampler);
	if (grouped) {
		(void)own_cgroup_close(&own_cgroup, &source);       /* else the next recorder removes it */
	}
	sample_writer_close(ours.writer);
	buffer_release(&ours.line);
	return 0;
}
