/* drm_fdinfo.c - the standard keys of DRM clients. */
#include "drm_fdinfo.h"

#include <string.h>

#include "../core/sample.h"
#include "../core/scan.h"

/* The names that drivers use for the size of a region, in order of preference: resident memory is what is used. */
enum size_kind { SIZE_RESIDENT, SIZE_MEMORY, SIZE_TOTAL, SIZE_COUNT };

static const char *const size_keys[SIZE_COUNT] = {
	[SIZE_RESIDENT] = "drm-resident-", [SIZE_MEMORY] = "drm-memory-", [SIZE_TOTAL] = "drm-total-",
};

/* Sums by kind, so that a region reported under several keys counts once. */
struct sizes {
	bool     reported[SIZE_COUNT];
	uint64_t device[SIZE_COUNT], system[SIZE_COUNT];
};

static bool take_prefix(struct word *w, const char *prefix)
{
	size_t n = strlen(prefix);

	if (!word_starts(*w, prefix) || w->len == n)
		return false;
	w->at += n;
	w->len -= n;
	return true;
}

/* vram, vram0 (amdgpu, xe), local0 (i915): the GPU's own; gtt, system, stolen-system: the machine's. */
static bool is_device_region(struct word region)
{
	return word_starts(region, "vram") || word_starts(region, "local");
}

static bool scan_bytes(struct scan *s, uint64_t *ret)
{
	struct word unit = { 0 };
	unsigned shift = 0;

	if (!scan_u64(s, ret))
		return false;
	if (scan_word(s, &unit))
		shift = word_is(unit, "KiB") ? 10 : word_is(unit, "MiB") ? 20 : word_is(unit, "GiB") ? 30 : 0;
	if (*ret > UINT64_MAX >> shift)
		return false;
	*ret <<= shift;
	return true;
}

static void add(uint64_t *sum, uint64_t bytes)
{
	*sum = *sum > UINT64_MAX - bytes ? UINT64_MAX : *sum + bytes;
}

static void take_size(struct sizes *sizes, enum size_kind kind, struct word region, struct scan value)
{
	uint64_t bytes;

	/* drm-total-cycles-ENGINE has the same prefix as a region's key. */
	if (word_starts(region, "cycles-") || !scan_bytes(&value, &bytes))
		return;
	sizes->reported[kind] = true;
	add(is_device_region(region) ? &sizes->device[kind] : &sizes->system[kind], bytes);
}

static struct drm_engine *engine_named(struct drm_client *c, struct word name)
{
	for (size_t i = 0; i < c->n_engines; i++)
		if (word_is(name, c->engine[i].name))
			return &c->engine[i];
	if (c->n_engines == DRM_ENGINES_MAX)
		return NULL;

	struct drm_engine *e = &c->engine[c->n_engines];

	*e = (struct drm_engine){ .capacity = 1 };
	if (!word_copy(name, e->name, sizeof e->name))
		return NULL;
	c->n_engines++;
	return e;
}

/* false: this key is not an engine's. */
static bool take_engine(struct drm_client *c, struct word key, struct scan value)
{
	enum { CAPACITY, BUSY, TOTAL_CYCLES, CYCLES };
	static const char *const prefixes[] = {
		[CAPACITY] = "drm-engine-capacity-", [BUSY] = "drm-engine-",
		[TOTAL_CYCLES] = "drm-total-cycles-", [CYCLES] = "drm-cycles-",
	};
	uint64_t number;

	for (unsigned kind = 0; kind < countof(prefixes); kind++) {
		if (!take_prefix(&key, prefixes[kind]))
			continue;

		struct drm_engine *e = scan_u64(&value, &number) ? engine_named(c, key) : NULL;

		if (!e)
			return true;
		if (kind == CAPACITY && number > 0 && number <= UINT16_MAX) {
			e->capacity = (unsigned)number;
		} else if (kind == BUSY) {
			e->busy_ns = number;
			e->has_ns = true;
		} else if (kind == TOTAL_CYCLES) {
			e->total_cycles = number;
		} else if (kind == CYCLES) {
			e->cycles = number;
			e->has_cycles = true;
		}
		return true;
	}
	return false;
}

static void take(struct drm_client *c, struct sizes *sizes, struct word key, struct scan value)
{
	struct word text;

	if (word_is(key, "drm-driver")) {
		if (scan_word(&value, &text))
			(void)word_copy(text, c->driver, sizeof c->driver);
	} else if (word_is(key, "drm-pdev")) {
		if (scan_word(&value, &text))
			(void)word_copy(text, c->device, sizeof c->device);
	} else if (word_is(key, "drm-client-id")) {
		c->has_id = scan_u64(&value, &c->id);
	} else if (!take_engine(c, key, value)) {
		for (enum size_kind kind = 0; kind < SIZE_COUNT; kind++)
			if (take_prefix(&key, size_keys[kind])) {
				take_size(sizes, kind, key, value);
				return;
			}
	}
}

int drm_fdinfo_parse(struct drm_client *ret, const char *text, size_t n)
{
	struct drm_client c = { 0 };
	struct sizes sizes = { 0 };
	struct scan s = scan_of(text, n);
	struct word line, key;

	while (scan_line(&s, &line)) {
		struct scan value = scan_of(line.at, line.len);

		if (scan_until(&value, ':', &key))
			take(&c, &sizes, key, value);
	}
	if (c.driver[0] == '\0')
		return -ENODATA;
	for (enum size_kind kind = 0; kind < SIZE_COUNT && !c.has_memory; kind++) {
		c.has_memory = sizes.reported[kind];
		c.device_bytes = sizes.device[kind];
		c.system_bytes = sizes.system[kind];
	}
	*ret = c;
	return 0;
}

double drm_engine_busy_seconds(const struct drm_engine *was, const struct drm_engine *now, double seconds)
{
	if (now->has_ns && was->has_ns)
		return now->busy_ns > was->busy_ns ? (double)(now->busy_ns - was->busy_ns) / 1e9 : 0;
	if (!now->has_cycles || !was->has_cycles || now->total_cycles <= was->total_cycles)
		return NONE;
	if (now->cycles <= was->cycles)
		return 0;
	return seconds * (double)(now->cycles - was->cycles) / (double)(now->total_cycles - was->total_cycles);
}
