/* disk.c - /proc/diskstats: the I/O of each disk. */
#include <stdio.h>
#include <string.h>

#include "../core/collector.h"
#include "disk_identity.h"
#include "filesystems.h"
#include "zfs.h"

static const double WORKER_WAIT_SECONDS = 0.05;   /* at the end, when the answers are not needed any more */
static const int64_t CHECK_AGAIN_NS = 10 * NS_PER_SECOND;       /* between checks of devices that can change */
enum { IDLE_CHECKS = 6 };                       /* an idle device is read at one check in so many */

struct slot {                                   /* a device seen in the last reading */
	char name[DISK_NAME_SIZE];
	bool identified;                        /* its identity was read */
	struct disk_identity *identity;         /* NULL: a partition, or not read yet; not listed */
	struct disk_counters was, now;
	struct disk_counters paths;             /* sum of its hidden paths */
	bool seen, is_new;                      /* is_new: it was not in the previous reading */
	unsigned passes;                        /* checks at which it is still skipped while idle */
};

struct disk {
	int stat, sys;
	bool primed;
	int64_t looked_ns;
	struct slot *slots;
	size_t n, size;
	size_t *order;                          /* of listed slots, by name */
	size_t n_order;
	struct filesystems filesystems;
	struct zfs zfs;
	struct worker *worker;                      /* opened by the first user that could block */
};

static struct slot *find_slot(struct disk *d, const char *name, size_t hint)
{
	for (size_t step = 0; step < d->n; step++) {
		size_t i = hint + step < d->n ? hint + step : hint + step - d->n;

		if (strcmp(d->slots[i].name, name) == 0)
			return &d->slots[i];
	}
	return NULL;
}

static void identify(struct disk *d, struct slot *slot, bool brief)
{
	struct disk_identity identity;
	int r = brief ? disk_identify_brief(&identity, d->sys, slot->name)
		      : disk_identify(&identity, d->sys, slot->name);

	slot->identified = !brief;
	if (r < 0)
		return;
	if (!slot->identity)
		slot->identity = malloc(sizeof *slot->identity);
	if (slot->identity)
		*slot->identity = identity;
}

static struct slot *add_slot(struct disk *d, const char *name)
{
	if (d->n == d->size) {
		size_t size = d->size ? 2 * d->size : 16;
		struct slot *slots = realloc(d->slots, size * sizeof *slots);

		if (!slots)
			return NULL;
		d->slots = slots;

		size_t *order = realloc(d->order, size * sizeof *order);

		if (!order)
			return NULL;
		d->order = order;
		d->size = size;
	}

	struct slot *slot = &d->slots[d->n++];

	*slot = (struct slot){ .is_new = true };
	(void)snprintf(slot->name, sizeof slot->name, "%s", name);
	return slot;
}

static bool drop_unseen(struct disk *d)
{
	size_t kept = 0;

	for (size_t i = 0; i < d->n; i++) {
		struct slot slot = d->slots[i];

		if (slot.seen)
			d->slots[kept++] = slot;
		else
			free(slot.identity);
	}

	bool any = kept < d->n;

	d->n = kept;
	return any;
}

static void order_slots(struct disk *d)
{
	d->n_order = 0;
	for (size_t i = 0; i < d->n; i++) {
		if (!d->slots[i].identity || d->slots[i].identity->hidden)
			continue;

		size_t at = d->n_order++;

		for (; at > 0 && strcmp(d->slots[d->order[at - 1]].name, d->slots[i].name) > 0; at--)
			d->order[at] = d->order[at - 1];
		d->order[at] = i;
	}
}

static void add_counters(struct disk_counters *sum, const struct disk_counters *more)
{
	sum->reads += more->reads;
	sum->read_sectors += more->read_sectors;
	sum->writes += more->writes;
	sum->write_sectors += more->write_sectors;
	sum->busy_ms += more->busy_ms;
	sum->weighted_ms += more->weighted_ms;
}

/*
 * Before Linux 6.4 requests to a multipath NVMe device were counted only on its hidden paths ("nvme-multipath:
 * support io stats on the mpath device"); since then on both.
 */
static void add_paths(struct disk *d)
{
	for (size_t i = 0; i < d->n; i++)
		d->slots[i].paths = (struct disk_counters){ 0 };
	for (size_t i = 0; i < d->n; i++) {
		const struct slot *path = &d->slots[i];
		char name[DISK_NAME_SIZE];
		struct slot *head = NULL;

		if (path->identity && path->identity->hidden && disk_path_head(name, path->name))
			head = find_slot(d, name, i);
		if (head)
			add_counters(&head->paths, &path->now);
	}
	for (size_t i = 0; i < d->n; i++)
		if (d->slots[i].now.reads + d->slots[i].now.writes == 0)
			d->slots[i].now = d->slots[i].paths;
}

static bool moved(const struct slot *slot)
{
	return !slot->is_new && (slot->now.reads != slot->was.reads || slot->now.writes != slot->was.writes);
}

/*
 * Identifies a device that is new, has taken the name of another one, or may have changed the devices below it.  If
 * `brief`, only a device that the sums must distinguish from a partition is worth the time.
 * true: the list of rows may have to change.
 */
static bool update_identity(struct disk *d, struct slot *slot, bool due, bool brief)
{
	if (!slot->identified ? !brief || moved(slot) : slot->now.reads < slot->was.reads) {
		identify(d, slot, brief);
		return true;
	}
	if (moved(slot))
		slot->passes = 0;
	if (!due || brief || !slot->identity || !slot->identity->is_virtual || slot->passes-- > 0)
		return false;
	slot->passes = IDLE_CHECKS - 1;
	disk_identify_again(slot->identity, d->sys, slot->name);
	return false;
}

static void take_lines(struct disk *d, const struct text *text, bool due, bool brief)
{
	struct scan s = scan_of(text->at, text->len);
	struct disk_line line;
	size_t hint = 0;
	bool paths = false, changed = false;

	for (size_t i = 0; i < d->n; i++)
		d->slots[i].seen = false;
	while (disk_next(&s, &line)) {
		struct slot *slot = find_slot(d, line.name, hint);

		if (!slot)
			slot = add_slot(d, line.name);
		if (!slot)
			continue;
		hint = (size_t)(slot - d->slots) + 1;
		slot->now = line.counters;
		slot->seen = true;
		changed |= update_identity(d, slot, due, brief);
		paths = paths || (slot->identity && slot->identity->hidden);
	}

	if (drop_unseen(d) || changed)
		order_slots(d);
	if (paths)
		add_paths(d);
}

static void fill_row(struct disk_row *row, const struct disk *d, const struct slot *slot, double seconds)
{
	const struct disk_identity *identity = slot->identity;
	/* A device that appeared since the previous reading started to count at 0. */
	static const struct disk_counters none;

	memcpy(row->model, identity->model, sizeof row->model);
	memcpy(row->vendor, identity->vendor, sizeof row->vendor);
	memcpy(row->serial, identity->serial, sizeof row->serial);
	memcpy(row->device_type, identity->device_type, sizeof row->device_type);
	row->capacity_bytes = identity->capacity_bytes;
	row->counted_in_total = identity->stacked ? 0 : 1;
	row->read_bytes_total = (double)slot->now.read_sectors * DISK_SECTOR_BYTES;
	row->write_bytes_total = (double)slot->now.write_sectors * DISK_SECTOR_BYTES;
	if (d->primed)
		disk_derive(row, slot->is_new ? &none : &slot->was, &slot->now, seconds);
}

static void fill_rows(struct disk *d, struct sample *out)
{
	struct totals *t = &out->total;

	if (d->primed)
		t->disk_total_read_bytes = t->disk_total_write_bytes = 0;
	for (size_t i = 0; i < d->n_order; i++) {
		const struct slot *slot = &d->slots[d->order[i]];
		struct disk_row spare, *row = sample_add_disk(out, slot->name);

		/* A device without room for its row still counts in the sums. */
		if (!row)
			row = &spare;
		fill_row(row, d, slot, out->interval_seconds);
		if (d->primed && row->counted_in_total > 0) {
			t->disk_total_read_bytes += row->read_bytes;
			t->disk_total_write_bytes += row->write_bytes;
		}
	}
	for (size_t i = 0; i < d->n; i++) {
		d->slots[i].was = d->slots[i].now;
		d->slots[i].is_new = false;
	}
}

static int disk_start(void *state, const struct setup *setup, struct why *why)
{
	struct disk *d = state;

	d->sys = setup->src->sys;
	filesystems_start(&d->filesystems, setup->src);
	zfs_start(&d->zfs, setup->src);
	d->stat = source_open_file(setup->src->proc, "diskstats");
	/* A sandbox can have filesystems and no disks. */
	if (d->stat < 0)
		return d->filesystems.info >= 0 ? 0 : -ENODATA;
	if (faccessat(d->sys, "block", F_OK, 0) == 0)
		return 0;
	close_p(&d->stat);
	return why_set(why, d->filesystems.info >= 0 ? 0 : -ENODATA,
		       "cannot distinguish disks from partitions without /sys/block");
}

static int disk_read(void *state, struct tick *tick)
{
	struct disk *d = state;
	int64_t now_ns = tick->out->monotonic_ns;
	bool due = now_ns - d->looked_ns >= CHECK_AGAIN_NS;

	d->filesystems.pools_known = d->zfs.n_spaces > 0;
	if (!tick->brief)
		filesystems_read(&d->filesystems, tick, &d->worker);

	int r = d->stat < 0 ? 0 : text_read(tick->text, d->stat);

	if (r == 0 && d->stat >= 0) {
		take_lines(d, tick->text, due, tick->brief);
		if (due && !tick->brief)
			d->looked_ns = now_ns;
		fill_rows(d, tick->out);
		d->primed = true;
	}
	if (!tick->brief)
		zfs_read(&d->zfs, tick, &d->worker);
	return r;
}

static void disk_stop(void *state)
{
	struct disk *d = state;
	bool lost = worker_close(d->worker, WORKER_WAIT_SECONDS) < 0;

	filesystems_stop(&d->filesystems, lost);
	zfs_stop(&d->zfs, lost);
	close_p(&d->stat);
	for (size_t i = 0; i < d->n; i++)
		free(d->slots[i].identity);
	free(d->slots);
	free(d->order);
}

const struct collector collector_disk = {
	.state_size = sizeof(struct disk),
	.start = disk_start,
	.read = disk_read,
	.stop = disk_stop,
};
