/* followed.c - a run that is followed. */
#include "followed.h"

#include <string.h>
#include <sys/utsname.h>

#include "../history/still_running.h"
#include "../kernel/proc_parse.h"

enum { ITEMS_AT_ONCE = 20000 };

/* The recorder of a run of this machine that goes on; 0: there is none. */
static pid_t recorder_of(const struct record_facts *facts)
{
	const char *dash = strrchr(facts->id, '-');
	struct utsname here;
	pid_t pid;

	if (uname(&here) < 0 || strcmp(here.nodename, facts->host.name) != 0 || !dash || !proc_pid(dash + 1, &pid))
		return 0;
	return still_running(facts->id, facts->host.name, facts->run.start_wall_ns, 0) ? pid : 0;
}

bool follow_begin(struct follow *f, struct record_reader *reader, pid_t recorder, const char *root, bool processes)
{
	const struct record_facts *facts = record_reader_facts(reader);
	struct why why = { "" };

	*f = (struct follow){ .reader = reader };
	model_begin(&f->model, facts);
	if (recorder == 0)
		recorder = recorder_of(facts);
	if (recorder == 0) {
		f->no_processes = "no processes: this run is over, or on another machine";
		return false;
	}

	struct kin kin = { facts->run.pids, facts->run.n_pids, facts->run.command ? recorder : 0 };

	if (facts->run.n_pids == 0)
		f->no_processes = "no processes: the run measures the machine";
	else if (processes_open(&f->processes, root, &kin, &why) < 0)
		f->no_processes = "no processes: /proc cannot be read";
	if (!f->no_processes)
		f->model.regions_known = open_regions_attach(&f->channel, &f->processes.machine, recorder) == 0;
	if (!processes)
		f->no_processes = "no processes: not wanted";
	return true;
}

void follow_end(struct follow *f)
{
	processes_close(&f->processes);
	open_regions_detach(f->channel);
	f->channel = NULL;
}

static void finish(struct follow *f)
{
	f->over = true;
	model_end(&f->model, record_reader_facts(f->reader));
	f->processes.n = 0;
	if (!f->no_processes)
		f->no_processes = "no processes: the run is over";
	open_regions_detach(f->channel);
	f->channel = NULL;
}

bool follow_read(struct follow *f, bool *ret_more)
{
	bool came = false;

	*ret_more = false;
	for (int i = 0; !f->over; i++) {
		if (i == ITEMS_AT_ONCE) {
			*ret_more = true;
			break;
		}
		switch (record_reader_next(f->reader)) {
		case RECORD_LATER:
			return came;
		case RECORD_ROW:
			model_row(&f->model, record_reader_sample(f->reader), record_reader_sums(f->reader));
			break;
		case RECORD_REGION:
			model_region(&f->model, record_reader_region(f->reader));
			break;
		case RECORD_OVER:
			finish(f);
			break;
		case RECORD_EXIT:
			break;
		}
		came = true;
	}
	return came;
}

bool follow_look(struct follow *f)
{
	bool changed = false;

	if (f->channel) {
		size_t n = open_regions_now(f->model.region, REGIONS_SHOWN, f->channel), was = f->model.n_regions;

		f->model.n_regions = size_min(n, REGIONS_SHOWN);
		f->model.more_regions = n - f->model.n_regions;
		changed = n > 0 || was > 0;
	}
	if (!f->over && !f->no_processes && processes_due(&f->processes))
		changed = processes_read(&f->processes) == 0 || changed;
	return changed;
}

struct processes_now follow_processes(const struct follow *f)
{
	return (struct processes_now){
		.entry = f->processes.entry, .n = f->processes.n,
		.every_seconds = (double)f->processes.every_ns / 1e9, .why = f->no_processes,
	};
}
