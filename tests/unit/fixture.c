/* fixture.c - a captured machine for tests. */
#include "fixture.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "gpu/serve.h"

static int64_t by_hand(void *clock)
{
	return *(int64_t *)clock;
}

static void make_folders(const char *path)
{
	char part[512];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		(void)snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
		(void)mkdir(part, 0755);
	}
}

void fixture_write(struct fixture *f, const char *path, const char *text)
{
	char full[512];

	(void)snprintf(full, sizeof full, "%s/%s", f->root, path);
	if (!text) {
		(void)unlink(full);
		return;
	}
	make_folders(full);

	auto_close int fd = open(full, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

void fixture_process(struct fixture *f, pid_t pid, pid_t parent, const char *name, unsigned long start)
{
	char path[64], text[256];

	(void)snprintf(path, sizeof path, "proc/%d/stat", (int)pid);
	(void)snprintf(text, sizeof text, "%d (%s) S %d 1 1 0 -1 0 9 0 0 0 1 1 0 0 20 0 1 0 %lu 4096 1 1 1 2 3 4 5 0 0 0 0 "
		       "0 0 0 17 1 0 0 0 0 0\n", (int)pid, name, (int)parent, start);
	fixture_write(f, path, text);
}

static const char *copy_to;                     /* nftw passes no argument of the caller */
static size_t copy_from_length;

static int copy_entry(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
	char to[768], target[512];

	(void)status;
	(void)ftw;
	(void)snprintf(to, sizeof to, "%s%s", copy_to, path + copy_from_length);
	if (type == FTW_D) {
		(void)mkdir(to, 0755);
	} else if (type == FTW_SL) {
		ssize_t n = readlink(path, target, sizeof target - 1);

		assert_true(n > 0);
		target[n] = '\0';
		(void)unlink(to);
		assert_int_equal(symlink(target, to), 0);
	} else {
		char bytes[65536];
		auto_close int in = open(path, O_RDONLY | O_CLOEXEC);
		auto_close int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		ssize_t n = read(in, bytes, sizeof bytes);

		assert_true(in >= 0 && out >= 0 && n >= 0 && n < (ssize_t)sizeof bytes);
		assert_int_equal(write(out, bytes, (size_t)n), n);
	}
	return 0;
}

static void lay_frame(struct fixture *f, int frame)
{
	char from[512];

	(void)snprintf(from, sizeof from, "%s/%s/%d", FIXTURES, f->machine, frame);
	copy_to = f->root;
	copy_from_length = strlen(from);
	assert_int_equal(nftw(from, copy_entry, 16, FTW_PHYS), 0);
}

void fixture_open(struct fixture *f, const char *machine)
{
	memset(f, 0, sizeof *f);
	(void)snprintf(f->root, sizeof f->root, "%s", "/tmp/rt-fixture-XXXXXX");
	(void)snprintf(f->machine, sizeof f->machine, "%s", machine);
	assert_non_null(mkdtemp(f->root));
	lay_frame(f, 0);
	f->now_ns = 1000 * NS_PER_SECOND;

	assert_int_equal(source_open(&f->source, f->root, NULL), 0);
	f->source.monotonic_ns = by_hand;
	f->source.wall_ns = by_hand;
	f->source.clock = &f->now_ns;
	f->source.ticks_per_second = 100;
	f->source.page_bytes = 4096;
	f->setup = (struct setup){ .src = &f->source, .interval_seconds = 1, .gpu_serve = gpu_serve };
}

void fixture_turn(struct fixture *f, int frame, double seconds)
{
	lay_frame(f, frame);
	f->now_ns += (int64_t)(seconds * 1e9);
}

int fixture_start(struct fixture *f, const struct collector *collector)
{
	struct why why = { "" };

	f->collector = collector;
	f->state = calloc(1, collector->state_size);
	assert_non_null(f->state);
	return collector->start(f->state, &f->setup, &why);
}

int fixture_read(struct fixture *f)
{
	struct tick tick = { .src = &f->source, .text = &f->text, .out = &f->sample, .why = &f->why,
			     .forks_since_boot = f->forks_since_boot, .group = f->group, .brief = f->brief };
	int64_t before = f->sample.monotonic_ns;

	sample_clear(&f->sample);
	f->why.text[0] = '\0';
	f->sample.monotonic_ns = f->sample.wall_ns = f->now_ns;
	f->sample.seq = f->reads;
	if (f->no_huge_pages)
		f->sample.total.memory_transparent_huge_bytes = 0;
	if (f->reads++ > 0)
		f->sample.interval_seconds = (double)(f->now_ns - before) / 1e9;
	return f->collector->read(f->state, &tick);
}

void fixture_begin(struct fixture *f, const struct collector *collector)
{
	assert_int_equal(fixture_start(f, collector), 0);
	assert_int_equal(fixture_read(f), 0);
}

void fixture_advance(struct fixture *f, int frame, double seconds)
{
	fixture_turn(f, frame, seconds);
	assert_int_equal(fixture_read(f), 0);
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *ftw)
{
	(void)status;
	(void)type;
	(void)ftw;
	return remove(path);
}

void fixture_close(struct fixture *f)
{
	if (f->state) {
		f->collector->stop(f->state);
		free(f->state);
	}
	text_release(&f->text);
	source_close(&f->source);
	(void)nftw(f->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void assert_near(double value, double expected)
{
	double room = 1e-9 * (fabs(expected) > 1 ? fabs(expected) : 1);

	if (!(fabs(value - expected) <= room))
		fail_msg("%.12g is not %.12g", value, expected);
}

void assert_none(double value)
{
	if (!is_none(value))
		fail_msg("%.12g where nothing was expected", value);
}
