/*
 * fleet_push.c - `fleet push`: records into a store, in batches.
 *
 * A batch is whole in the store before the next one begins, and what is there is left out: after a kill at any moment
 * the same command goes on.
 */
#include "fleet_push.h"

#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../analysis/answer.h"
#include "../text/shown.h"

/* An id is part of a statement: ours have 36 bytes. */
enum { BATCH_RUNS = 500, ID_MOST = 128 };

struct fleet_batch { struct arena arena; struct fleet_run runs[BATCH_RUNS]; size_t n; };

static int send_batch(struct fleet_push *p, struct fleet_batch *b, struct why *why)
{
	bool there[BATCH_RUNS] = { false };
	size_t n = 0;
	int r = b->n == 0 || p->again ? 0 : p->kind->known(p->store, b->runs, b->n, there, why);

	for (size_t i = 0; r == 0 && i < b->n; i++)
		if (!there[i])
			b->runs[n++] = b->runs[i];
	if (r == 0 && n > 0)
		r = p->kind->put(p->store, b->runs, n, why);
	if (r == 0) {
		p->pushed += n;
		p->there += b->n - n;
	}
	arena_release(&b->arena);
	b->n = 0;
	return r;
}

/* The address of a record: its absolute path, or its name in the folder that others reach. */
static void address_of(struct buffer *out, const struct fleet_push *p, const char *path)
{
	const char *slash = strrchr(path, '/');
	auto_free char *whole = p->address ? NULL : realpath(path, NULL);

	if (p->address)
		buffer_format(out, "%s%s%s", p->address, p->address[strlen(p->address) - 1] == '/' ? "" : "/",
			      slash ? slash + 1 : path);
	else
		buffer_text(out, whole ? whole : path);
	buffer_char(out, '\0');
}

static int64_t now_us(void)
{
	struct timespec now = { 0 };

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int refuse(struct fleet_push *p, const char *path, const char *reason)
{
	struct why why;

	(void)why_set(&why, 0, "%s is left out: %s", show_path(path).text, reason);
	remark(why.text);
	p->failed++;
	return 0;
}

static void read_header(struct buffer *out, const char *path)
{
	FILE *file = fopen(path, "re");
	auto_free char *line = NULL;
	size_t size = 0;
	ssize_t n = file ? getline(&line, &size, file) : -1;

	if (n > 0)
		buffer_bytes(out, line, (size_t)n);
	if (file)
		(void)fclose(file);
}

/* The ranks of a job are reported together, from the ends of their records; of one that was cut off by its header. */
static void keep_ends(struct buffer *out, const struct digest *d, const char *path)
{
	const struct job *job = d->facts->run.job;

	if (job && *job->id && d->ends.len > 0)
		buffer_bytes(out, d->ends.at, d->ends.len);
	else if (job && *job->id)
		read_header(out, path);
	buffer_char(out, '\0');
}

static int add(struct fleet_push *p, struct fleet_batch *b, const char *path, struct why *why)
{
	struct why reason = { "" };
	struct buffer address = { 0 }, ends = { 0 };
	struct digest d;
	int r = 0;

	if (digest_read_ends(&d, path, &reason) < 0)
		return refuse(p, path, reason.text);
	if (!*d.facts->id) {
		r = refuse(p, path, "it is not a run record");
	} else if (strlen(d.facts->id) > ID_MOST) {
		r = refuse(p, path, "its id is longer than 128 bytes");
	} else if (d.state == STATE_RUNNING) {
		p->running++;
	} else {
		address_of(&address, p, path);
		keep_ends(&ends, &d, path);
		if (address.failed || ends.failed ||
		    fleet_run_read(&b->runs[b->n], &b->arena, &d, address.at, *ends.at ? ends.at : NULL, now_us()) < 0)
			r = why_set(why, -ENOMEM, "out of memory");
		else
			b->n++;
	}
	buffer_release(&address);
	buffer_release(&ends);
	digest_release(&d);
	return r == 0 && b->n == BATCH_RUNS ? send_batch(p, b, why) : r;
}

static bool is_record_name(const char *name)
{
	size_t n = strlen(name);

	return n > 6 && strcmp(name + n - 6, ".jsonl") == 0;
}

static int add_folder(struct fleet_push *p, struct fleet_batch *b, char *path, struct why *why)
{
	char *const paths[] = { path, NULL };
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	int r = 0;

	if (!walk)
		return why_set(why, -errno, "cannot read %s: %s", show_path(path).text, strerror(errno));
	for (FTSENT *e; r == 0 && (e = fts_read(walk)) != NULL;) {
		if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR)
			r = refuse(p, e->fts_path, strerror(e->fts_errno));
		else if (e->fts_info == FTS_F && is_record_name(e->fts_name))
			r = add(p, b, e->fts_path, why);
	}
	(void)fts_close(walk);
	return r;
}

int fleet_push(struct fleet_push *p, const char *path, struct why *why)
{
	struct fleet_batch *b = calloc(1, sizeof *b);
	auto_free char *copy = strdup(path);
	struct stat status;
	int r;

	if (!b || !copy) {
		free(b);
		return why_set(why, -ENOMEM, "out of memory");
	}
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		r = add_folder(p, b, copy, why);
	else
		r = add(p, b, path, why);
	if (r == 0)
		r = send_batch(p, b, why);
	arena_release(&b->arena);
	free(b);
	return r;
}
