/* amd_metrics.c - the offsets and units of the fields, by revision of the table. */
#include "amd_metrics.h"

#include <string.h>

#include "../core/sample.h"

enum field {
	GRAPHICS, MEMORY, MEDIA, TEMPERATURE, POWER, ENERGY, GRAPHICS_CLOCK, MEMORY_CLOCK, FAN, LANES, LINK, THROTTLE,
	FIELD_COUNT
};

struct place { uint16_t at; uint8_t bytes; };           /* bytes 0: this revision lacks the field */

/*
 * Left out: activity of 2.0 to 2.3 (percent or hundredths of a percent, by chip), energy before 1.4 (unit depends on
 * the chip), throttle bits except those of 1.3 and 2.2 to 2.4 (meaning depends on the chip), the fan of APUs
 * (relative to an unknown maximum).  The entry for 1.6 to 1.8 has only the fields that come first in all three.
 */
static const struct layout {
	uint8_t format, first, last;                    /* content revisions with this layout */
	struct place field[FIELD_COUNT];
} layouts[] = {
	{ 1, 0, 0, { [GRAPHICS] = { 28, 2 }, [MEMORY] = { 30, 2 }, [MEDIA] = { 32, 2 }, [TEMPERATURE] = { 18, 2 },
		     [POWER] = { 34, 2 }, [GRAPHICS_CLOCK] = { 54, 2 }, [MEMORY_CLOCK] = { 58, 2 }, [FAN] = { 72, 2 },
		     [LANES] = { 74, 1 }, [LINK] = { 75, 1 } } },
	{ 1, 1, 2, { [GRAPHICS] = { 16, 2 }, [MEMORY] = { 18, 2 }, [MEDIA] = { 20, 2 }, [TEMPERATURE] = { 6, 2 },
		     [POWER] = { 22, 2 }, [GRAPHICS_CLOCK] = { 54, 2 }, [MEMORY_CLOCK] = { 58, 2 }, [FAN] = { 72, 2 },
		     [LANES] = { 74, 2 }, [LINK] = { 76, 2 } } },
	{ 1, 3, 3, { [GRAPHICS] = { 16, 2 }, [MEMORY] = { 18, 2 }, [MEDIA] = { 20, 2 }, [TEMPERATURE] = { 6, 2 },
		     [POWER] = { 22, 2 }, [GRAPHICS_CLOCK] = { 54, 2 }, [MEMORY_CLOCK] = { 58, 2 }, [FAN] = { 72, 2 },
		     [LANES] = { 74, 2 }, [LINK] = { 76, 2 }, [THROTTLE] = { 112, 8 } } },
	{ 1, 4, 4, { [GRAPHICS] = { 12, 2 }, [MEMORY] = { 14, 2 }, [TEMPERATURE] = { 4, 2 }, [POWER] = { 10, 2 },
		     [ENERGY] = { 24, 8 }, [GRAPHICS_CLOCK] = { 240, 2 }, [MEMORY_CLOCK] = { 280, 2 },
		     [LANES] = { 48, 2 }, [LINK] = { 50, 2 } } },
	{ 1, 5, 5, { [GRAPHICS] = { 12, 2 }, [MEMORY] = { 14, 2 }, [TEMPERATURE] = { 4, 2 }, [POWER] = { 10, 2 },
		     [ENERGY] = { 88, 8 }, [GRAPHICS_CLOCK] = { 312, 2 }, [MEMORY_CLOCK] = { 352, 2 },
		     [LANES] = { 112, 2 }, [LINK] = { 114, 2 } } },
	{ 1, 6, 8, { [GRAPHICS] = { 12, 2 }, [MEMORY] = { 14, 2 }, [TEMPERATURE] = { 4, 2 }, [POWER] = { 10, 2 } } },
	{ 2, 0, 0, { [TEMPERATURE] = { 16, 2 }, [POWER] = { 44, 2 }, [GRAPHICS_CLOCK] = { 80, 2 },
		     [MEMORY_CLOCK] = { 84, 2 } } },
	{ 2, 1, 1, { [TEMPERATURE] = { 4, 2 }, [POWER] = { 40, 2 }, [GRAPHICS_CLOCK] = { 76, 2 },
		     [MEMORY_CLOCK] = { 80, 2 } } },
	{ 2, 2, 3, { [TEMPERATURE] = { 4, 2 }, [POWER] = { 40, 2 }, [GRAPHICS_CLOCK] = { 76, 2 },
		     [MEMORY_CLOCK] = { 80, 2 }, [THROTTLE] = { 120, 8 } } },
	{ 2, 4, 4, { [GRAPHICS] = { 28, 2 }, [MEDIA] = { 30, 2 }, [TEMPERATURE] = { 4, 2 }, [POWER] = { 40, 2 },
		     [GRAPHICS_CLOCK] = { 76, 2 }, [MEMORY_CLOCK] = { 80, 2 }, [THROTTLE] = { 120, 8 } } },
	{ 3, 0, 0, { [GRAPHICS] = { 42, 2 }, [MEDIA] = { 44, 2 }, [TEMPERATURE] = { 4, 2 }, [POWER] = { 112, 4 },
		     [GRAPHICS_CLOCK] = { 174, 2 }, [MEMORY_CLOCK] = { 186, 2 } } },
};

/* One unit of a field, by format; activity of format 2 is that of revision 2.4. */
static const struct { double percent, celsius, watts; } units[] = {
	[1] = { 1, 1, 1 }, [2] = { 0.01, 0.01, 0.001 }, [3] = { 1, 0.01, 0.001 },
};

static const double JOULES = 1.0 / 65536, GIGATRANSFERS = 0.1;

/* SMU_THROTTLER_* in drivers/gpu/drm/amd/pm/swsmu/inc/amdgpu_smu.h: 16 bits a kind. */
static const uint64_t POWER_OR_CURRENT = UINT64_C(0xffffffff), HEAT = UINT64_C(0xffff) << 32;

struct table { const unsigned char *bytes; size_t n; const struct layout *layout; };

static const struct layout *layout_of(uint8_t format, uint8_t content)
{
	for (size_t i = 0; i < countof(layouts); i++)
		if (layouts[i].format == format && layouts[i].first <= content && content <= layouts[i].last)
			return &layouts[i];
	return NULL;
}

/*
 * Fields are little-endian, as are all machines with such a GPU.  Returns false if the field is absent or has all
 * bits set.
 */
static bool number(uint64_t *ret, const struct table *t, enum field field)
{
	struct place place = t->layout->field[field];
	uint64_t value = 0;

	if (place.bytes == 0 || (size_t)place.at + place.bytes > t->n)
		return false;
	for (unsigned i = place.bytes; i-- > 0;)
		value = value << 8 | t->bytes[place.at + i];
	if (value == UINT64_MAX >> (64 - 8 * place.bytes))
		return false;
	*ret = value;
	return true;
}

static double amount(const struct table *t, enum field field, double unit)
{
	uint64_t value;

	return number(&value, t, field) ? (double)value * unit : NONE;
}

static double percent(const struct table *t, enum field field)
{
	double value = amount(t, field, units[t->layout->format].percent);

	return value > 100 ? NONE : value;      /* not a percentage */
}

int amd_metrics_parse(struct amd_metrics *ret, const void *bytes, size_t n)
{
	struct table t = { .bytes = bytes };
	uint16_t size;
	uint64_t throttle = 0;

	if (n < 4)
		return -EBADMSG;
	memcpy(&size, bytes, sizeof size);
	t.n = size;
	t.layout = layout_of(t.bytes[2], t.bytes[3]);
	if (size > n)
		return -EBADMSG;
	if (!t.layout)
		return -ENOTSUP;

	bool known = number(&throttle, &t, THROTTLE);

	*ret = (struct amd_metrics){
		.graphics_percent = percent(&t, GRAPHICS),
		.memory_percent = percent(&t, MEMORY),
		.media_percent = percent(&t, MEDIA),
		.temperature_celsius = amount(&t, TEMPERATURE, units[t.layout->format].celsius),
		.power_watts = amount(&t, POWER, units[t.layout->format].watts),
		.energy_joules = amount(&t, ENERGY, JOULES),
		.graphics_mhz = amount(&t, GRAPHICS_CLOCK, 1),
		.memory_mhz = amount(&t, MEMORY_CLOCK, 1),
		.fan_rpm = amount(&t, FAN, 1),
		.link_lanes = amount(&t, LANES, 1),
		.link_gigatransfers = amount(&t, LINK, GIGATRANSFERS),
		.throttle_known = known,
		.throttled_by_power = throttle & POWER_OR_CURRENT,
		.throttled_by_heat = throttle & HEAT,
	};
	return 0;
}
