/* past_run.c - one run of the history, from the first and last lines of its record. */
#include "past_run.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../readers/record_reader.h"
#include "../readers/record_source.h"
#include "../text/human.h"
#include "record_ends.h"
#include "still_running.h"

const char *const run_states[STATE_COUNT] = {
	"ok", "failed", "killed", "ended", "stopped", "running", "truncated", "unreadable",
};

static const char *keep(struct arena *arena, const char *text)
{
	const char *copy = text && *text ? arena_copy(arena, text, strlen(text)) : NULL;

	return copy ? copy : "";
}

/* NULL stays NULL: not given. */
static const char *keep_given(struct arena *arena, const char *text)
{
	return text ? arena_copy(arena, text, strlen(text)) : NULL;
}

static const char *const *keep_list(struct arena *arena, const char *const *list, size_t n)
{
	const char **copy = arena_take(arena, (n + 1) * sizeof *copy);

	for (size_t i = 0; copy && i < n; i++)
		copy[i] = keep(arena, list[i]);
	if (copy)
		copy[n] = NULL;
	return copy;
}

static char *const *keep_command(struct arena *arena, char *const *command)
{
	size_t n = 0;

	while (command && command[n])
		n++;

	char **copy = command ? arena_take(arena, (n + 1) * sizeof *copy) : NULL;

	for (size_t i = 0; copy && i < n; i++)
		copy[i] = arena_copy(arena, command[i], strlen(command[i]));
	if (copy)
		copy[n] = NULL;
	return copy;
}

static const struct job *keep_job(struct arena *arena, const struct job *job)
{
	struct job *copy = job ? arena_take(arena, sizeof *copy) : NULL;

	if (copy)
		*copy = *job;
	return copy;
}

static void keep_facts(struct past_run *p, struct arena *arena, const struct record_facts *f)
{
	p->id = *f->id ? keep(arena, f->id) : p->id;
	p->host = keep(arena, f->host.name);
	p->kernel = keep(arena, f->host.kernel);
	p->cpu_model = keep(arena, f->host.cpu_model);
	p->tracker_version = keep(arena, f->tracker_version);
	p->cpus = f->host.cpus;
	p->memory_bytes = f->host.memory_bytes;
	p->interval_seconds = f->run.interval_seconds;
	p->run = f->run;
#define KEEP_METADATA(name, variable) p->run.name = keep_given(arena, f->run.name);
	RUN_METADATA(KEEP_METADATA)
#undef KEEP_METADATA
	p->run.job = keep_job(arena, f->run.job);
	p->run.command = keep_command(arena, f->run.command);
	p->run.tags = keep_list(arena, f->run.tags, f->run.n_tags);
	p->run.pids = arena_take(arena, (f->run.n_pids + 1) * sizeof *f->run.pids);
	if (p->run.pids && f->run.n_pids > 0) {
		pid_t *pids;

		memcpy(&pids, &p->run.pids, sizeof pids);
		memcpy(pids, f->run.pids, f->run.n_pids * sizeof *pids);
	}
	p->status = f->status;
	p->notices = keep_list(arena, f->notices, f->n_notices);
	p->n_notices = f->n_notices;
}

enum run_state state_of_status(const struct run_status *status)
{
	switch (status->end) {
	case RUN_EXITED: return status->value == 0 ? STATE_OK : STATE_FAILED;
	case RUN_SIGNALED: return STATE_KILLED;
	case RUN_ROOTS_ENDED: return STATE_ENDED;
	case RUN_STOPPED: return STATE_STOPPED;
	case RUN_RUNNING: break;
	}
	return STATE_TRUNCATED;
}

enum run_state state_of_recording(const struct recording_facts *f, const char *path)
{
	struct stat status;

	if (!f->records_end)
		return STATE_COUNT;
	if (f->status.end == RUN_RUNNING && strcmp(path, "-") != 0 && stat(path, &status) == 0 &&
	    still_running(f->id, f->host.name, f->run.start_wall_ns, status.st_mtime))
		return STATE_RUNNING;
	return state_of_status(&f->status);
}

static int read_all(struct past_run *p, struct arena *arena, struct record_reader *r, time_t modified,
		    past_run_whole *receive, void *context)
{
	struct aggregate *replayed = aggregate_open();

	if (!replayed)
		return -ENOMEM;
	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;)
		if (item == RECORD_ROW && !record_reader_totals(r))
			record_reader_replay(r, replayed);

	const struct record_facts *f = record_reader_facts(r);
	const struct aggregate *whole = record_reader_totals(r) ? record_reader_totals(r) : replayed;

	keep_facts(p, arena, f);
	p->state = state_of_status(&f->status);
	if (!f->has_end && still_running(p->id, p->host, p->run.start_wall_ns, modified))
		p->state = STATE_RUNNING;
	p->samples = aggregate_samples(whole);
	if (p->state == STATE_RUNNING) {                /* so far */
		struct timespec now = { 0 };

		(void)clock_gettime(CLOCK_REALTIME, &now);
		p->status.end_monotonic_ns = (int64_t)now.tv_sec * NS_PER_SECOND + now.tv_nsec - p->run.start_wall_ns;
	}
	quantities_read(&p->values, whole, (double)p->status.end_monotonic_ns / 1e9,
			p->run.command || p->run.n_pids > 0, f->moments, f->n_moments);
	receive(context, p, whole, f);
	aggregate_close(replayed);
	return 0;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* For a finished run a record without its rows is enough: the rows are not read. */
static int open_reader(struct record_reader **ret, const char *path, int fd, struct buffer *ends, struct why *why)
{
	int r = record_ends(ends, fd);

	if (r < 0)
		return why_set(why, r, "cannot read %s: %s", path, strerror(-r));
	if (r > 0)
		return record_reader_of(ret, path, ends->at, ends->len, why);

	/* Reads the file that was checked, even if another has its name by now. */
	struct record_source source = { .fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) };

	if (source.fd < 0 || lseek(source.fd, 0, SEEK_SET) < 0) {
		int error = errno;

		close_p(&source.fd);
		return why_set(why, -error, "cannot read %s: %s", path, strerror(error));
	}
	return record_reader_take(ret, path, &source, why);
}

static void ignore(void *context, const struct past_run *run, const struct aggregate *whole,
		   const struct record_facts *facts)
{
	(void)context;
	(void)run;
	(void)whole;
	(void)facts;
}

int past_run_read(struct past_run *ret, struct arena *arena, const char *path)
{
	return past_run_read_whole(ret, arena, path, ignore, NULL);
}

int past_run_read_whole(struct past_run *ret, struct arena *arena, const char *path, past_run_whole *receive,
			void *context)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct past_run p = { .path = keep(arena, path), .id = keep(arena, base_name(path)), .state = STATE_UNREADABLE,
			      .host = "", .kernel = "", .cpu_model = "", .tracker_version = "",
			      .cpus = NONE, .memory_bytes = NONE, .interval_seconds = NONE,
			      .values = quantities_unknown() };
	struct buffer ends = { 0 };
	struct record_reader *r;
	struct why why = { "" };
	struct stat status = { 0 };
	int result = 0;

	if (fd < 0 || fstat(fd, &status) < 0)
		(void)why_set(&why, -errno, "cannot open %s: %s", path, strerror(errno));
	else if (!S_ISREG(status.st_mode))
		(void)why_set(&why, -EINVAL, "%s is not a regular file", path);
	else if (open_reader(&r, path, fd, &ends, &why) == 0) {
		result = read_all(&p, arena, r, status.st_mtim.tv_sec, receive, context);
		record_reader_close(r);
	}
	p.bytes = (uint64_t)status.st_size;
	p.problem = why.text[0] ? keep(arena, why.text) : NULL;
	buffer_release(&ends);
	*ret = p;
	return result;
}

void past_run_command(struct buffer *out, const struct past_run *run, bool utf8)
{
	if (run->state == STATE_UNREADABLE && run->problem)
		buffer_text(out, run->problem);
	for (size_t i = 0; run->run.command && run->run.command[i]; i++) {
		if (i > 0)
			buffer_char(out, ' ');
		human_word(out, run->run.command[i], strlen(run->run.command[i]), utf8);
	}
	if (run->run.command || run->state == STATE_UNREADABLE)
		return;
	buffer_text(out, run->run.n_pids > 0 ? "--pid" : "(the machine)");
	for (size_t i = 0; i < run->run.n_pids; i++)
		buffer_format(out, "%c%d", i > 0 ? ',' : ' ', (int)run->run.pids[i]);
}

void past_run_status(char *ret, size_t size, const struct past_run *run)
{
	struct buffer signal = { 0 };

	switch (run->state) {
	case STATE_OK:
	case STATE_FAILED:
		(void)snprintf(ret, size, "exit %d", run->status.value);
		break;
	case STATE_KILLED:
		human_signal(&signal, run->status.value);
		(void)snprintf(ret, size, "%.*s", (int)signal.len, signal.at ? signal.at : "");
		buffer_release(&signal);
		break;
	case STATE_ENDED:
	case STATE_STOPPED:
	case STATE_RUNNING:
	case STATE_TRUNCATED:
	case STATE_UNREADABLE:
		(void)snprintf(ret, size, "%s", run_states[run->state]);
		break;
	case STATE_COUNT:
		*ret = '\0';
		break;
	}
}
