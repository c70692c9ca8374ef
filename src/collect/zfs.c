/* zfs.c - the pools of ZFS: their I/O at each sample, their space every ten seconds. */
#include "zfs.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static const int64_t AGAIN_NS = 10 * NS_PER_SECOND - NS_PER_SECOND / 10;
static const char kstat[] = "spl/kstat/zfs";

enum { WORKER_JOBS = 4 };

static void keep_file(struct zfs *z, int directory, size_t pool, const char *name)
{
	for (size_t i = 0; i < z->n_files; i++)
		if (z->files[i].pool == pool && strcmp(z->files[i].name, name) == 0) {
			z->files[i].seen = true;
			return;
		}

	struct zfs_file file = { .pool = pool, .seen = true };

	if (z->n_files == ZFS_FILES_MAX || strlen(name) >= sizeof file.name) {
		z->pools[pool].unread = true;
		return;
	}
	file.fd = source_open_file(directory, name);
	if (file.fd < 0)
		return;
	(void)snprintf(file.name, sizeof file.name, "%.*s", (int)sizeof file.name - 1, name);
	z->files[z->n_files++] = file;
}

static void list_files(struct zfs *z, DIR *pools, size_t pool)
{
	DIR *directory = source_open_folder(dirfd(pools), z->pools[pool].name);

	if (!directory)
		return;
	/* A pool with more files than can stay open would cost too much at each sample anyway. */
	for (struct dirent *e; !z->pools[pool].unread && (e = readdir(directory)) != NULL;)
		if (strncmp(e->d_name, "objset-", strlen("objset-")) == 0 || strcmp(e->d_name, "io") == 0)
			keep_file(z, dirfd(directory), pool, e->d_name);
	(void)closedir(directory);
}

static size_t find_pool(struct zfs *z, const char *name)
{
	size_t i = 0;

	while (i < z->n_pools && strcmp(z->pools[i].name, name) != 0)
		i++;
	if (i == z->n_pools && i < POOLS_MAX) {
		z->pools[i] = (struct zfs_pool){ 0 };
		(void)snprintf(z->pools[i].name, sizeof z->pools[i].name, "%.*s", (int)sizeof z->pools[i].name - 1, name);
		z->n_pools++;
	}
	return i;
}

static void drop_unseen_files(struct zfs *z)
{
	size_t kept = 0;

	for (size_t i = 0; i < z->n_files; i++) {
		if (z->files[i].seen)
			z->files[kept++] = z->files[i];
		else
			close_p(&z->files[i].fd);
	}
	z->n_files = kept;
}

static void list_pools(struct zfs *z)
{
	DIR *directory = source_open_folder(z->proc, kstat);

	for (size_t i = 0; i < z->n_pools; i++)
		z->pools[i].seen = z->pools[i].unread = false;
	for (size_t i = 0; i < z->n_files; i++)
		z->files[i].seen = false;
	for (struct dirent *e; directory && (e = readdir(directory)) != NULL;) {
		/* Pools are the folders between files such as arcstats. */
		if (e->d_name[0] == '.' || e->d_type == DT_REG || strlen(e->d_name) >= POOL_NAME_SIZE)
			continue;

		size_t pool = find_pool(z, e->d_name);

		if (pool == POOLS_MAX)
			continue;
		z->pools[pool].seen = true;
		list_files(z, directory, pool);
	}
	if (directory)
		(void)closedir(directory);
	drop_unseen_files(z);
}

static void add_io(struct pool_io *sum, const struct pool_io *was, const struct pool_io *now)
{
	sum->read_bytes += (uint64_t)gained(was->read_bytes, now->read_bytes);
	sum->reads += (uint64_t)gained(was->reads, now->reads);
	sum->write_bytes += (uint64_t)gained(was->write_bytes, now->write_bytes);
	sum->writes += (uint64_t)gained(was->writes, now->writes);
}

static void read_files(struct zfs *z, struct text *text)
{
	static const struct pool_io none;

	for (size_t i = 0; i < z->n_pools; i++)
		z->pools[i].gained = z->pools[i].total = none;
	for (size_t i = 0; i < z->n_files; i++) {
		struct zfs_file *file = &z->files[i];
		struct zfs_pool *pool = &z->pools[file->pool];
		struct pool_io now;

		/* The dataset was destroyed: its file is not in the next list. */
		if (text_read(text, file->fd) < 0 || !zpool_parse_io(&now, text->at, text->len))
			continue;
		if (file->primed)
			add_io(&pool->gained, &file->was, &now);
		add_io(&pool->total, &none, &now);
		file->was = now;
		file->primed = true;
	}
}

static void run_zpool(void *context)
{
	struct zpool_job *job = context;

	job->result = zpool_run(job->text, sizeof job->text, &job->left_behind);
}

static void take_spaces(struct zfs *z, struct why *why)
{
	z->harvest = false;
	z->n_spaces = z->job->result < 0 ? 0 :
		      zpool_parse_list(z->spaces, POOLS_MAX, z->job->text, (size_t)z->job->result);
	if (z->job->result < 0 && !z->reported)
		(void)why_set(why, 0, "cannot run zpool, the space of ZFS pools is missing: %s",
			      strerror(-z->job->result));
	z->reported = z->job->result < 0;
}

/* A captured machine has no zpool to run. */
static void ask_spaces(struct zfs *z, struct tick *tick, struct worker **worker)
{
	int64_t now_ns = tick->out->monotonic_ns;

	if (!z->live || (*worker && z->job && worker_busy(*worker, z->job)))
		return;
	if (z->job && z->harvest)
		take_spaces(z, tick->why);
	if (z->asked_ns && now_ns - z->asked_ns < AGAIN_NS)
		return;
	z->asked_ns = now_ns;
	if (!z->job)
		z->job = calloc(1, sizeof *z->job);
	if (!z->job || (!*worker && worker_open(worker, WORKER_JOBS) < 0))
		return;
	z->harvest = worker_submit(*worker, (struct worker_job){ run_zpool, z->job }) == 0;
}

static const struct pool_space *find_space(const struct zfs *z, const char *name)
{
	for (size_t i = 0; i < z->n_spaces; i++)
		if (strcmp(z->spaces[i].name, name) == 0)
			return &z->spaces[i];
	return NULL;
}

static void fill_space(struct sample *out, const char *key, const struct pool_space *space)
{
	struct totals *t = &out->total;
	struct mount_row *row = sample_add_mount(out, key);
	double size = (double)space->size, free = (double)space->free;

	t->disk_total_space_total_bytes = add_known(t->disk_total_space_total_bytes, size);
	t->disk_total_space_free_bytes = add_known(t->disk_total_space_free_bytes, free);
	t->disk_total_space_used_bytes = add_known(t->disk_total_space_used_bytes, size - free);
	if (!row)
		return;
	(void)snprintf(row->device, sizeof row->device, "%.63s", key);
	(void)snprintf(row->filesystem, sizeof row->filesystem, "zfs");
	row->total_bytes = size;
	row->used_bytes = (double)space->allocated;
	row->available_bytes = free;
	row->used_pct = size > 0 ? 100 * row->used_bytes / size : NONE;
}

static void fill_pool(struct zfs *z, struct sample *out, const struct zfs_pool *pool)
{
	const struct pool_space *space = find_space(z, pool->name);
	char key[sizeof "zfs:" + POOL_NAME_SIZE];

	(void)snprintf(key, sizeof key, "zfs:%s", pool->name);

	struct disk_row *row = sample_add_disk(out, key);

	if (space)
		fill_space(out, key, space);
	if (!row)
		return;
	row->counted_in_total = 0;
	row->capacity_bytes = space ? (double)space->size : NONE;
	if (pool->unread)
		return;
	row->read_bytes_total = (double)pool->total.read_bytes;
	row->write_bytes_total = (double)pool->total.write_bytes;
	if (z->primed) {
		row->read_bytes = (double)pool->gained.read_bytes;
		row->write_bytes = (double)pool->gained.write_bytes;
		row->reads = (double)pool->gained.reads;
		row->writes = (double)pool->gained.writes;
	}
}

void zfs_start(struct zfs *z, const struct source *src)
{
	z->proc = src->proc;
	z->live = src->live;
	z->present = faccessat(src->proc, kstat, F_OK, 0) == 0;
}

void zfs_read(struct zfs *z, struct tick *tick, struct worker **worker)
{
	int64_t now_ns = tick->out->monotonic_ns;

	if (!z->present)
		return;
	if (!z->listed_ns || now_ns - z->listed_ns >= AGAIN_NS) {
		z->listed_ns = now_ns;
		list_pools(z);
	}
	ask_spaces(z, tick, worker);
	read_files(z, tick->text);
	for (size_t i = 0; i < z->n_pools; i++)
		if (z->pools[i].seen)
			fill_pool(z, tick->out, &z->pools[i]);
	z->primed = true;
}

void zfs_stop(struct zfs *z, bool lost)
{
	for (size_t i = 0; i < z->n_files; i++)
		close_p(&z->files[i].fd);
	z->n_files = 0;
	if (!lost)
		free(z->job);
	z->job = NULL;
}
