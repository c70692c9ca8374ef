/*
 * drm_clients.c - which processes of the job use which GPU, from /proc/PID/fd and /proc/PID/fdinfo.
 *
 * Processes known to use a GPU are scanned each time; the others by turns, a limited number of descriptors at a time,
 * because a job can have thousands of processes that never open a GPU.
 */
#include "drm_clients.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "../core/scan.h"
#include "owners.h"

enum { DESCRIPTORS_AT_ONCE = 4096 };                    /* of processes not known to use a GPU; 1 us each */

struct search {
	struct drm_uses *uses;
	const struct source *src;
	struct text *text;
	double seconds;                                 /* since the previous scan; 0: this is the first */
	size_t descriptors;
	size_t seen, denied;                            /* processes */
};

/* By prefix of the engine's name, as the drivers spell it; any other engine does the work of programs. */
static const struct { const char *name; enum { WORK, ENCODE, DECODE, OTHER } does; } engines[] = {
	{ "enc", ENCODE }, { "dec", DECODE }, { "jpeg", DECODE },
	/* Intel's video engines both encode and decode, which is not reported apart.  Copying is not work. */
	{ "video", OTHER }, { "vcs", OTHER }, { "vecs", OTHER }, { "copy", OTHER }, { "bcs", OTHER }, { "dma", OTHER },
};

static struct drm_use *find(struct drm_uses *u, const struct drm_client *c)
{
	for (size_t i = 0; i < u->n; i++) {
		const struct drm_client *o = &u->at[i].client;

		if (o->id == c->id && strcmp(o->device, c->device) == 0 && strcmp(o->driver, c->driver) == 0)
			return &u->at[i];
	}
	return NULL;
}

static struct drm_use *add(struct drm_uses *u)
{
	if (u->n == u->room) {
		size_t room = size_max(8, 2 * u->room);
		struct drm_use *at = realloc(u->at, room * sizeof *at);

		if (!at)
			return NULL;
		u->at = at;
		u->room = room;
	}
	u->at[u->n] = (struct drm_use){ 0 };
	return &u->at[u->n++];
}

static const struct drm_engine *engine_of(const struct drm_client *c, const char *name)
{
	for (size_t i = 0; i < c->n_engines; i++)
		if (strcmp(c->engine[i].name, name) == 0)
			return &c->engine[i];
	return NULL;
}

static double larger(double a, double b)
{
	return is_none(a) || b > a ? b : a;
}

/* Engines run in parallel: the busiest of a kind is a lower bound of their union. */
static void derive(struct drm_use *use, const struct drm_client *now, double seconds)
{
	use->work_pct = use->encoder_pct = use->decoder_pct = NONE;
	for (size_t i = 0; i < now->n_engines && seconds > 0; i++) {
		static const struct drm_engine unborn = { .has_ns = true };
		const struct drm_engine *e = &now->engine[i], *was = engine_of(&use->client, e->name);
		double busy = drm_engine_busy_seconds(was ? was : &unborn, e, seconds);
		double pct = 100 * busy / seconds / e->capacity;
		unsigned does = WORK;

		for (size_t k = 0; k < countof(engines); k++)
			if (strncmp(e->name, engines[k].name, strlen(engines[k].name)) == 0)
				does = engines[k].does;
		if (is_none(pct) || does == OTHER)
			continue;

		double *into = does == ENCODE ? &use->encoder_pct : does == DECODE ? &use->decoder_pct : &use->work_pct;

		/* The driver's time and ours are read a moment apart. */
		*into = larger(*into, pct > 100 ? 100 : pct);
	}
}

/* A driver's counter can step back for a while and then catches up: the larger value is kept. */
static void keep_larger(struct drm_client *now, const struct drm_client *was)
{
	for (size_t i = 0; i < now->n_engines; i++) {
		const struct drm_engine *e = engine_of(was, now->engine[i].name);

		if (e && e->busy_ns > now->engine[i].busy_ns)
			now->engine[i].busy_ns = e->busy_ns;
		if (e && e->cycles > now->engine[i].cycles)
			now->engine[i].cycles = e->cycles;
	}
}

static int take_client(struct search *search, pid_t pid, struct drm_client *c)
{
	struct drm_uses *u = search->uses;
	/* Without an id each descriptor would be a client, and inherited ones would count again. */
	struct drm_use *use = c->has_id ? find(u, c) : NULL;

	if (!c->has_id || (use && use->scan == u->scan))
		return 0;
	if (!use) {
		use = add(u);
		if (!use)
			return -ENOMEM;
	}
	derive(use, c, search->seconds);
	keep_larger(c, &use->client);
	use->client = *c;
	use->pid = pid;
	use->scan = u->scan;
	return 0;
}

static int search_descriptor(struct search *search, pid_t pid, const char *of, int folder, const char *number)
{
	static const char node[] = "/dev/dri/";
	struct drm_client c;
	char link[sizeof node - 1], path[GPU_PROCESS_PATH + 32];

	search->descriptors++;
	if (readlinkat(folder, number, link, sizeof link) != (ssize_t)sizeof link ||
	    memcmp(link, node, sizeof link) != 0)
		return 0;
	(void)snprintf(path, sizeof path, "%s/fdinfo/%.16s", of, number);
	if (text_read_at(search->text, search->src->proc, path) < 0 ||
	    drm_fdinfo_parse(&c, search->text->at, search->text->len) < 0)
		return 0;
	return take_client(search, pid, &c);
}

static int search_process(struct search *search, pid_t pid)
{
	char of[GPU_PROCESS_PATH];
	DIR *directory = gpu_open_descriptors(search->src, pid, of);
	int r = 0;

	if (!directory) {                               /* the process has ended */
		search->denied += errno == EACCES || errno == EPERM;
		return 0;
	}
	search->seen++;
	for (struct dirent *e; r == 0 && (e = readdir(directory)) != NULL;)
		if (e->d_name[0] >= '0' && e->d_name[0] <= '9')
			r = search_descriptor(search, pid, of, dirfd(directory), e->d_name);
	(void)closedir(directory);
	return r;
}

static bool is_known(const struct drm_uses *u, pid_t pid)
{
	for (size_t i = 0; i < u->n; i++)
		if (u->at[i].pid == pid)
			return true;
	return false;
}

static int search_users(struct search *search, const struct gpu_job *job)
{
	int r = 0;

	for (size_t i = 0; i < job->n && r == 0; i++)
		if (is_known(search->uses, job->pids[i]))
			r = search_process(search, job->pids[i]);
	return r;
}

static int search_others(struct search *search, const struct gpu_job *job)
{
	struct drm_uses *u = search->uses;
	size_t until = search->descriptors + DESCRIPTORS_AT_ONCE;
	int r = 0;

	for (size_t i = 0; i < job->n && r == 0 && search->descriptors < until; i++) {
		u->cursor = u->cursor + 1 < job->n ? u->cursor + 1 : 0;
		if (!is_known(u, job->pids[u->cursor]))
			r = search_process(search, job->pids[u->cursor]);
	}
	return r;
}

int drm_uses_scan(struct drm_uses *u, const struct source *src, struct text *text, const struct gpu_job *job)
{
	int64_t now_ns = src->monotonic_ns(src->clock);
	struct search search = { .uses = u, .src = src, .text = text,
			     .seconds = u->scan ? (double)(now_ns - u->at_ns) / 1e9 : 0 };
	size_t kept = 0;

	u->scan++;
	u->at_ns = now_ns;

	int r = search_users(&search, job);

	if (r == 0)
		r = search_others(&search, job);
	for (size_t i = 0; i < u->n; i++)               /* drop clients that were closed */
		if (u->at[i].scan == u->scan)
			u->at[kept++] = u->at[i];
	u->n = kept;
	u->denied = search.denied > 0 && search.seen == 0;
	return r < 0 ? r : u->denied ? -EACCES : 0;
}

static bool is_of(const struct drm_client *c, const struct drm_card *card)
{
	return strcmp(c->driver, card->driver) == 0 && strcasecmp(c->device, card->place) == 0;
}

/* The sum over clients of one process on one GPU, which take turns: at most 100. */
static double sum_pct(double a, double b)
{
	double sum = is_none(a) ? b : is_none(b) ? a : a + b;

	return sum > 100 ? 100 : sum;
}

int drm_uses_of(const struct drm_uses *u, const struct drm_card *card, struct gpu_process *ret, size_t room)
{
	size_t n = 0;

	for (size_t i = 0; i < u->n; i++) {
		const struct drm_use *use = &u->at[i];
		struct gpu_process *p = ret;

		if (!is_of(&use->client, card))
			continue;
		while (p < ret + n && p->pid != use->pid)
			p++;
		if (p == ret + room)
			break;
		if (p == ret + n) {
			*p = (struct gpu_process){ use->pid, NONE, NONE, NONE, NONE };
			n++;
		}
		p->utilization_pct = sum_pct(p->utilization_pct, use->work_pct);
		p->encoder_pct = sum_pct(p->encoder_pct, use->encoder_pct);
		p->decoder_pct = sum_pct(p->decoder_pct, use->decoder_pct);
		if (use->client.has_memory)
			p->vram_bytes = (is_none(p->vram_bytes) ? 0 : p->vram_bytes) + (double)use->client.device_bytes;
	}
	return (int)n;
}

void drm_uses_release(struct drm_uses *u)
{
	free(u->at);
	*u = (struct drm_uses){ 0 };
}
