/* select.c - which GPUs a list selects. */
#include "select.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>


enum { BEGINNING_LEAST = 8 };                   /* of a uuid: "GPU-8f2a" */

static bool begins(struct word item, const char *text)
{
	return item.len >= BEGINNING_LEAST && item.len <= strlen(text) && strncasecmp(item.at, text, item.len) == 0;
}

/* The number of a whole device selects its parts, too. */
static bool is_number_of(struct word item, const char *host_id)
{
	size_t whole = strcspn(host_id, ":");

	return word_is(item, host_id) || (item.len == whole && memcmp(item.at, host_id, whole) == 0);
}

static bool means(struct word item, const struct gpu_device *d)
{
	const struct gpu_row *row = &d->row;

	return is_number_of(item, row->host_id) || begins(item, row->key) || begins(item, row->parent) ||
	       begins(item, row->pci_bus_id) || begins(item, d->folder);
}

bool gpu_selected(const char *list, const struct gpu_device *d)
{
	struct word item;

	while (list_next(&list, &item))
		if (means(item, d))
			return true;
	return false;
}

uint64_t gpu_select_matched(const char *list, const struct gpu_device *devices, size_t n)
{
	uint64_t matched = 0, bit = 1;
	struct word item;

	for (; list_next(&list, &item); bit <<= 1)
		for (size_t i = 0; i < n; i++)
			matched |= means(item, &devices[i]) ? bit : 0;
	return matched;
}

size_t gpu_select_unmatched(char *ret, size_t size, const char *list, uint64_t matched)
{
	size_t n = 0, used = 0;
	struct word item;

	ret[0] = '\0';
	for (uint64_t bit = 1; bit && list_next(&list, &item); bit <<= 1) {
		if (matched & bit)
			continue;

		int more = snprintf(ret + used, size - used, "%s'%.*s'", n > 0 ? ", " : "", (int)item.len, item.at);

		n++;
		if (more < 0 || used + (size_t)more >= size)
			break;
		used += (size_t)more;
	}
	return n;
}

/* ---- devices visible to a job ------------------------------------------------------------ */

/* The value of a variable in an environment; NULL: it is not set. */
static const char *value_of(const char *environment, size_t n, const char *name)
{
	const char *end = environment + n;
	size_t length = strlen(name);

	for (const char *p = environment; p < end;) {
		const char *stop = memchr(p, '\0', (size_t)(end - p));

		if (!stop)
			return NULL;            /* truncated */
		if ((size_t)(stop - p) > length && memcmp(p, name, length) == 0 && p[length] == '=')
			return p + length + 1;
		p = stop + 1;
	}
	return NULL;
}

/* By vendor; the first has precedence in the vendor's driver. */
static const struct variable {
	const char *vendor, *name;
	const char *place_order;                /* numbers follow PCI addresses if this holds; NULL: always */
} variables[] = {
	{ "nvidia", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER" },
	{ "amd", "ROCR_VISIBLE_DEVICES", NULL },
	{ "amd", "HIP_VISIBLE_DEVICES", NULL },
	{ "amd", "CUDA_VISIBLE_DEVICES", NULL },
};

void gpu_visible_parse(struct gpu_visible *ret, const char *environment, size_t n)
{
	ret->n = 0;
	for (size_t i = 0; i < countof(variables) && ret->n < countof(ret->of); i++) {
		const struct variable *v = &variables[i];
		struct gpu_visible_list *list = &ret->of[ret->n];
		bool taken = ret->n > 0 && strcmp(list[-1].vendor, v->vendor) == 0;
		const char *value = value_of(environment, n, v->name);
		const char *order = v->place_order ? value_of(environment, n, v->place_order) : "PCI_BUS_ID";

		if (taken || !value || strlen(value) >= sizeof list->list)
			continue;
		list->vendor = v->vendor;
		list->by = v->name;
		list->in_place_order = order && strcmp(order, "PCI_BUS_ID") == 0;
		memcpy(list->list, value, strlen(value) + 1);
		ret->n++;
	}
}

static bool is_of(const struct gpu_device *device, const struct gpu_visible_list *v)
{
	return strcmp(device->row.vendor, v->vendor) == 0;
}

/* Whether a number in the list is the number that we use for the device. */
static bool numbers_are_ours(const struct gpu_visible_list *v, const struct gpu_device *devices, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_of(&devices[i], v) || (!v->in_place_order && !devices[i].is_part &&
					       strcmp(devices[i].row.name, devices[0].row.name) != 0))
			return false;
	}
	return true;
}

static struct word trimmed(struct word item)
{
	for (; item.len > 0 && (*item.at == ' ' || *item.at == '\t'); item.at++)
		item.len--;
	while (item.len > 0 && (item.at[item.len - 1] == ' ' || item.at[item.len - 1] == '\t'))
		item.len--;
	return item;
}

static bool is_number(struct word item)
{
	size_t i = 0;

	while (i < item.len && item.at[i] >= '0' && item.at[i] <= '9')
		i++;
	return item.len > 0 && i == item.len;
}

/* Marks the devices that one item selects; false: none, which ends the list (CUDA Programming Guide). */
static bool show(double ret[], struct word item, const struct gpu_visible_list *v, const struct gpu_device *devices,
		 size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const struct gpu_row *row = &devices[i].row;
		/* A prefix of a uuid can have any length, as long as it is unique. */
		bool named = item.len > 4 && item.len <= strlen(row->key) &&
			     strncasecmp(item.at, row->key, item.len) == 0;

		if (!is_of(&devices[i], v))
			continue;
		if (is_number(item) ? is_number_of(item, row->host_id) : named || means(item, &devices[i])) {
			ret[i] = 1;
			any = true;
		}
	}
	return any;
}

/* Whether the list concerns any device. */
static bool match(double ret[], const struct gpu_visible_list *v, const struct gpu_device *devices, size_t n)
{
	const char *rest = v->list[0] ? v->list : NULL;
	struct word item;
	bool any = false;

	for (size_t i = 0; i < n; i++)
		if (is_of(&devices[i], v)) {
			ret[i] = 0;
			any = true;
		}
	while (any && list_next(&rest, &item)) {
		item = trimmed(item);
		if (is_number(item) && !numbers_are_ours(v, devices, n)) {
			for (size_t i = 0; i < n; i++)
				if (is_of(&devices[i], v))
					ret[i] = NONE;
			break;
		}
		if (!show(ret, item, v, devices, n))
			break;
	}
	return any;
}

const char *gpu_visible_match(double ret[], const struct gpu_visible *v, const struct gpu_device *devices, size_t n)
{
	const char *by = NULL;

	for (size_t i = 0; i < n; i++)
		ret[i] = 1;
	for (size_t i = 0; i < v->n; i++)
		if (match(ret, &v->of[i], devices, n))
			by = v->of[i].by;
	return by;
}
