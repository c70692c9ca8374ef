/* rt_system.c - queries about the machine. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../collect/cpu.h"
#include "rt_tracker.h"

enum { TRIES = 20 };                            /* times 10 ms */

static bool answered(const struct totals *t)
{
	return !is_none(t->disk_total_space_total_bytes) && !is_none(t->gpu_total_count);
}

/* Filesystems and GPUs are read outside the sampling thread, so their values can come with a later sample. */
static int sample_with_answers(struct rt_tracker *t)
{
	const struct timespec pause = { .tv_nsec = 10 * 1000 * 1000 };
	int r = rt_sample(t);

	for (int i = 0; r == 0 && i < TRIES && !answered(&t->sample->total); i++) {
		(void)nanosleep(&pause, NULL);
		r = rt_sample(t);
	}
	return r;
}

static void read_cpu(struct rt_tracker *t, struct rt_system_stats *out)
{
	const struct source *src = sampler_source(t->sampler);
	struct cpu_counters *now = calloc(1, sizeof *now);
	struct text text = { 0 };

	if (now && text_read_at(&text, src->proc, "stat") == 0 && cpu_parse(now, text.at, text.len) == 0) {
		double hz = (double)src->ticks_per_second;

		out->user_seconds = (double)(now->all.user + now->all.nice) / hz;
		out->system_seconds = (double)now->all.system / hz;
	}
	text_release(&text);
	free(now);
}

static void sum_counters(const struct sample *s, struct rt_system_stats *out)
{
	for (size_t i = 0; i < s->n_disk; i++)
		if (s->disk[i].counted_in_total > 0) {
			out->disk_read_bytes = add_known(out->disk_read_bytes, s->disk[i].read_bytes_total);
			out->disk_write_bytes = add_known(out->disk_write_bytes, s->disk[i].write_bytes_total);
		}
	for (size_t i = 0; i < s->n_network; i++)
		if (s->network[i].counted_in_total > 0) {
			out->net_recv_bytes = add_known(out->net_recv_bytes, s->network[i].recv_bytes_total);
			out->net_sent_bytes = add_known(out->net_sent_bytes, s->network[i].sent_bytes_total);
		}
}

int rt_system_stats(struct rt_system_stats *ret)
{
	struct rt_tracker *t;
	struct rt_options options;

	if (ret->size < sizeof ret->size)
		return -EINVAL;
	rt_options_init(&options, sizeof options);
	options.only = "cpu,memory,disk,network,gpu";

	int r = rt_open(&t, &options, NULL, 0);

	if (r < 0)
		return r;
	r = sample_with_answers(t);

	const struct totals *total = &t->sample->total;
	struct rt_system_stats stats = {
		.size = ret->size,
		.timestamp_seconds = rt_timestamp_seconds(t),
		.processes = total->cpu_processes,
		.user_seconds = NONE, .system_seconds = NONE,
		.memory_total_bytes = total->memory_total_bytes,
		.memory_free_bytes = total->memory_free_bytes,
		.memory_used_bytes = total->memory_used_bytes,
		.memory_buffers_bytes = total->memory_buffers_bytes,
		.memory_cached_bytes = total->memory_cached_bytes,
		.memory_active_bytes = total->memory_active_bytes,
		.memory_inactive_bytes = total->memory_inactive_bytes,
		.memory_active_anon_bytes = total->memory_active_anon_bytes,
		.memory_inactive_anon_bytes = total->memory_inactive_anon_bytes,
		.disk_read_bytes = NONE, .disk_write_bytes = NONE,
		.disk_space_total_bytes = total->disk_total_space_total_bytes,
		.disk_space_used_bytes = total->disk_total_space_used_bytes,
		.disk_space_free_bytes = total->disk_total_space_free_bytes,
		.net_recv_bytes = NONE, .net_sent_bytes = NONE,
		.gpu_usage = total->gpu_total_utilization_gpus,
		.gpu_vram_bytes = total->gpu_total_vram_used_bytes,
		.gpu_utilized = total->gpu_total_utilized,
	};

	read_cpu(t, &stats);
	sum_counters(t->sample, &stats);
	rt_close(t);
	return r < 0 ? r : result_give(ret, stats.size, &stats, sizeof stats);
}

enum { BLOCK_NAME_SIZE = 64 };

/* The path of a device's folder in sysfs; a slash in its name becomes an exclamation mark. */
static int block_path(char *ret, size_t size, const char *folder, const char *name, const char *file)
{
	char plain[BLOCK_NAME_SIZE];
	size_t n = strlen(name);

	if (n == 0 || n >= sizeof plain || name[0] == '.')
		return -ENOENT;
	for (size_t i = 0; i <= n; i++)
		plain[i] = (char)(name[i] == '/' ? '!' : name[i]);
	(void)snprintf(ret, size, "%s/%s%s", folder, plain, file);
	return 0;
}

ssize_t rt_sector_size(const char *disk)
{
	char path[128], device[128];
	struct source source;
	uint64_t bytes;
	int r = block_path(device, sizeof device, "block", disk, "");

	if (r < 0)
		return r;
	(void)block_path(path, sizeof path, "block", disk, "/queue/hw_sector_size");
	r = source_open(&source, "/", NULL);
	if (r < 0)
		return r;

	ssize_t size = source_read_u64(&bytes, source.sys, path) == 0 ? (ssize_t)bytes :
		       faccessat(source.sys, device, F_OK, 0) == 0 ? 512 : -ENOENT;

	source_close(&source);
	return size;
}

int rt_disk_is_partition(const char *name)
{
	char partition[128], device[128];
	struct source source;
	int r = block_path(device, sizeof device, "class/block", name, "");

	if (r < 0)
		return r;
	(void)block_path(partition, sizeof partition, "class/block", name, "/partition");
	r = source_open(&source, "/", NULL);
	if (r < 0)
		return r;
	r = faccessat(source.sys, device, F_OK, 0) < 0 ? -ENOENT :
	    faccessat(source.sys, partition, F_OK, 0) == 0 ? 1 : 0;
	source_close(&source);
	return r;
}
