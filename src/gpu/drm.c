/* drm.c - the cards in sys/class/drm that can compute, in the order of their numbers. */
#include "drm_card.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "../core/scan.h"
#include "drm_clients.h"
#include "drm_sensors.h"

struct state {
	const struct source *src;
	struct text text;
	struct drm_card card[DRM_CARDS_MAX];
	size_t n;
	struct drm_uses uses;
};

static const struct { const char *driver; const struct drm_driver *is; } readers[] = {
#define DRM_DRIVER(name) { #name, &drm_##name },
#include "drivers.def"
};

/* Only a display, or a virtual GPU of the host. */
static const char *const left_out[] = { "virtio_gpu", "virtio-pci", "vmwgfx", "vgem", "vkms" };

/* Copies the value of the line KEY=value of uevent. */
static bool value_of(char *ret, size_t size, const struct text *text, const char *key)
{
	struct scan s = scan_of(text->at, text->len);
	struct word line;

	while (scan_line(&s, &line)) {
		struct scan l = scan_of(line.at, line.len);

		if (scan_literal(&l, key))
			return word_copy((struct word){ l.at, (size_t)(l.end - l.at) }, ret, size);
	}
	return false;
}

/* Drivers with a backend of their own are left out, too. */
static bool is_left_out(const char *driver)
{
	if (gpu_driver_named(driver))
		return true;
	for (size_t i = 0; i < countof(left_out); i++)
		if (strcmp(driver, left_out[i]) == 0)
			return true;
	return false;
}

/* false: not a GPU of this backend. */
static bool describe(struct state *st, struct drm_card *card, struct gpu_device *ret, const char *name)
{
	struct gpu_row *row = &ret->row;
	char path[64], id[16] = "";

	*card = (struct drm_card){ .energy = { .joules = NONE } };
	(void)snprintf(card->folder, sizeof card->folder, "class/drm/%.16s", name);
	(void)snprintf(path, sizeof path, "%s/device/uevent", card->folder);
	if (text_read_at(&st->text, st->src->sys, path) < 0 ||
	    !value_of(card->driver, sizeof card->driver, &st->text, "DRIVER=") || is_left_out(card->driver))
		return false;
	(void)value_of(card->place, sizeof card->place, &st->text, "PCI_SLOT_NAME=");
	(void)value_of(id, sizeof id, &st->text, "PCI_ID=");
	if (!drm_find_nodes(ret->node, st->src, card->folder))
		return false;
	for (size_t i = 0; i < countof(readers); i++)
		if (strcmp(card->driver, readers[i].driver) == 0)
			card->reader = readers[i].is;
	card_find_monitor(card->monitor, sizeof card->monitor, st->src, card, card->driver);

	(void)snprintf(row->key, sizeof row->key, "%s", card->place[0] ? card->place : name);
	(void)snprintf(row->vendor, sizeof row->vendor, "%s", card->reader ? card->reader->vendor : card->driver);
	(void)snprintf(row->device_type, sizeof row->device_type, "GPU");
	(void)snprintf(row->pci_bus_id, sizeof row->pci_bus_id, "%s", card->place);
	(void)snprintf(ret->folder, sizeof ret->folder, "%s", card->place);
	row->counted_in_total = 1;
	if (card->reader)
		card->reader->list(st->src, card, row);
	/* The kernel does not know product names; the vendors' lists do. */
	if (row->name[0] == '\0')
		(void)snprintf(row->name, sizeof row->name, "%s %s", card->driver, id[0] ? id : name);
	return true;
}

static int start(void *state, const struct source *src, struct why *why)
{
	struct state *st = state;

	(void)why;
	st->src = src;
	return 0;
}

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static int list(void *state, struct gpu_device *ret, size_t room)
{
	struct state *st = state;
	uint64_t numbers[4 * DRM_CARDS_MAX];
	size_t n = 0;
	DIR *directory = source_open_folder(st->src->sys, "class/drm");

	if (!directory)
		return -errno;
	for (struct dirent *e; n < countof(numbers) && (e = readdir(directory)) != NULL;)
		n += drm_is_card(e->d_name, &numbers[n]);
	(void)closedir(directory);
	qsort(numbers, n, sizeof *numbers, compare_numbers);
	st->n = 0;
	for (size_t i = 0; i < n && st->n < size_min(room, DRM_CARDS_MAX); i++) {
		char name[24];

		(void)snprintf(name, sizeof name, "card%u", (unsigned)numbers[i]);
		if (!describe(st, &st->card[st->n], &ret[st->n], name))
			continue;
		ret[st->n].number = (unsigned)st->n;
		(void)snprintf(ret[st->n].row.host_id, sizeof ret[0].row.host_id, "%u", (unsigned)st->n);
		st->n++;
	}
	return (int)st->n;
}

static int read_device(void *state, size_t device, const struct gpu_moment *m, struct gpu_row *row)
{
	struct state *st = state;
	struct drm_card *card = &st->card[device];
	char path[64];

	(void)m;
	(void)snprintf(path, sizeof path, "%s/device/uevent", card->folder);
	if (faccessat(st->src->sys, path, F_OK, 0) < 0)
		return -ENODEV;
	if (!card->reader)
		return 0;
	card->reader->read(st->src, &st->text, card, row);
	if (row->vram_used_bytes >= 0 && row->vram_total_bytes > 0)
		row->vram_used_pct = 100 * row->vram_used_bytes / row->vram_total_bytes;
	return 0;
}

/* One scan of the job's descriptors serves all cards: the first card that asks a second time causes the next scan. */
static int processes(void *state, size_t device, const struct gpu_moment *m, struct gpu_process *ret, size_t room)
{
	struct state *st = state;
	struct drm_card *card = &st->card[device];

	if (st->uses.scan == 0 || card->scan == st->uses.scan) {
		int r = drm_uses_scan(&st->uses, st->src, &st->text, &m->job);

		if (r < 0 && r != -EACCES)
			return r;
	}
	card->scan = st->uses.scan;
	return st->uses.denied ? -EACCES : drm_uses_of(&st->uses, card, ret, room);
}

static void stop(void *state)
{
	struct state *st = state;

	drm_uses_release(&st->uses);
	text_release(&st->text);
}

const struct gpu_backend gpu_drm = {
	.state_size = sizeof(struct state),
	.open = start,
	.list = list,
	.read = read_device,
	.processes = processes,
	.close = stop,
};
