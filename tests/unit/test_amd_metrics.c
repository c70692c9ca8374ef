/* test_amd_metrics.c - amdgpu's table of metrics in each of its revisions, and texts that are not such a table. */
#include "fixture.h"

#include <string.h>

#include "gpu/amd_metrics.h"

struct header { uint16_t size; uint8_t format, content; };

/* As the kernel lays them out; the compiler computes the offsets. */
struct v1_0 {
	struct header header;
	uint64_t clock;
	uint16_t edge, hotspot, memory_temperature, regulators[3], graphics, memory, media, power;
	uint32_t energy;
	uint16_t average_clocks[7], graphics_clock, soc_clock, memory_clock, media_clocks[4];
	uint32_t throttle;
	uint16_t fan;
	uint8_t  lanes, speed;
};

struct v1_3 {
	struct header header;
	uint16_t edge, hotspot, memory_temperature, regulators[3], graphics, memory, media, power;
	uint64_t energy, clock;
	uint16_t average_clocks[7], graphics_clock, soc_clock, memory_clock, media_clocks[4];
	uint32_t throttle;
	uint16_t fan, lanes, speed, padding;
	uint32_t activity[2];
	uint16_t hbm[4];
	uint64_t firmware_clock;                        /* from 1.2 on */
	uint16_t volts[3], padding_1;                   /* from 1.3 on */
	uint64_t throttle_any_chip;
};

struct v1_5 {
	struct header header;
	uint16_t hotspot, memory_temperature, regulator, power, graphics, memory, vcn[4], jpeg[32];
	uint64_t energy, clock;
	uint32_t throttle, lock;
	uint16_t lanes, speed, link[2];
	uint32_t activity[2];
	uint64_t pcie[5];
	uint32_t naks[2];
	uint64_t xgmi[16], firmware_clock;
	uint16_t graphics_clock[8], soc_clock[4], media_clocks[8], memory_clock, padding;
};

struct v1_4 {
	struct header header;
	uint16_t hotspot, memory_temperature, regulator, power, graphics, memory, vcn[4];
	uint64_t energy, clock;
	uint32_t throttle, lock;
	uint16_t lanes, speed, link[2];
	uint32_t activity[2];
	uint64_t pcie[5], xgmi[16], firmware_clock;
	uint16_t graphics_clock[8], soc_clock[4], media_clocks[8], memory_clock, padding;
};

struct v2_0 {
	struct header header;
	uint64_t clock;
	uint16_t graphics_temperature, soc_temperature, cores[8], caches[2], graphics, media;
	uint16_t power, cpu_power, soc_power, graphics_power, core_power[8], average_clocks[6];
	uint16_t graphics_clock, soc_clock, memory_clock, clocks[3], core_clocks[8], cache_clocks[2];
	uint32_t throttle;
	uint16_t fan, padding;
};

struct v2_4 {
	struct header header;
	uint16_t graphics_temperature, soc_temperature, cores[8], caches[2], graphics, media;
	uint64_t clock;
	uint16_t power, cpu_power, soc_power, graphics_power, core_power[8], average_clocks[6];
	uint16_t graphics_clock, soc_clock, memory_clock, clocks[3], core_clocks[8], cache_clocks[2];
	uint32_t throttle;
	uint16_t fan, padding[3];
	uint64_t throttle_any_chip;                     /* from 2.2 on */
	uint16_t average_temperatures[12], volts[3], amperes[3];
};

struct v3_0 {
	struct header header;
	uint16_t graphics_temperature, soc_temperature, cores[16], skin, graphics, media, ipu[8], residency[16];
	uint16_t traffic[4];
	uint64_t clock;
	uint32_t power;
	uint16_t ipu_power;
	uint32_t apu_power, graphics_power, card_power, cores_power;
	uint16_t core_power[16], system_power, limits[2];
	uint16_t graphics_clock, soc_clock, clocks[4], memory_clock, last_clock, core_clocks[16], maxima[2];
	uint32_t throttle[7], filter;
};

/* Fields that are not set are not measured. */
#define TABLE(type, format_, content_, bytes)                                                           \
	struct type t;                                                                                  \
	memset(&t, 0xff, sizeof t);                                                                     \
	t.header = (struct header){ (uint16_t)(bytes), format_, content_ }

static struct amd_metrics parsed(const void *table, size_t n)
{
	struct amd_metrics m;

	assert_int_equal(amd_metrics_parse(&m, table, n), 0);
	return m;
}

static void assert_nothing(const struct amd_metrics *m)
{
	const double values[] = {
		m->graphics_percent, m->memory_percent, m->media_percent, m->temperature_celsius, m->power_watts,
		m->energy_joules, m->graphics_mhz, m->memory_mhz, m->fan_rpm, m->link_lanes, m->link_gigatransfers,
	};

	for (size_t i = 0; i < countof(values); i++)
		assert_true(is_none(values[i]));
	assert_false(m->throttle_known || m->throttled_by_power || m->throttled_by_heat);
}

static void test_a_discrete_gpu_of_the_first_kind(void **state)
{
	(void)state;
	TABLE(v1_0, 1, 0, sizeof t);

	struct amd_metrics m = parsed(&t, sizeof t);

	assert_nothing(&m);
	t.hotspot = 71, t.graphics = 98, t.memory = 43, t.media = 2, t.power = 219, t.graphics_clock = 1905;
	t.memory_clock = 875, t.fan = 1630, t.lanes = 16, t.speed = 80;
	m = parsed(&t, sizeof t);
	assert_near(m.temperature_celsius, 71);
	assert_near(m.graphics_percent, 98);
	assert_near(m.memory_percent, 43);
	assert_near(m.media_percent, 2);
	assert_near(m.power_watts, 219);
	assert_near(m.graphics_mhz, 1905);
	assert_near(m.memory_mhz, 875);
	assert_near(m.fan_rpm, 1630);
	assert_near(m.link_lanes, 16);
	assert_near(m.link_gigatransfers, 8);
	assert_false(m.throttle_known);
}

static void test_a_discrete_gpu(void **state)
{
	static const size_t sizes[] = { [1] = offsetof(struct v1_3, firmware_clock), [2] = offsetof(struct v1_3, volts),
					[3] = sizeof(struct v1_3) };

	(void)state;
	for (uint8_t content = 1; content <= 3; content++) {
		TABLE(v1_3, 1, content, sizes[content]);

		struct amd_metrics m = parsed(&t, sizeof t);

		assert_nothing(&m);
		t.hotspot = 88, t.graphics = 100, t.memory = 0, t.media = 37, t.power = 303, t.graphics_clock = 2481;
		t.memory_clock = 1249, t.fan = 0, t.lanes = 8, t.speed = 160, t.throttle_any_chip = UINT64_C(1) << 36;
		m = parsed(&t, sizeof t);
		assert_near(m.temperature_celsius, 88);
		assert_near(m.graphics_percent, 100);
		assert_near(m.memory_percent, 0);
		assert_near(m.media_percent, 37);
		assert_near(m.power_watts, 303);
		assert_near(m.graphics_mhz, 2481);
		assert_near(m.memory_mhz, 1249);
		assert_near(m.fan_rpm, 0);
		assert_near(m.link_lanes, 8);
		assert_near(m.link_gigatransfers, 16);
		assert_int_equal(m.throttle_known, content == 3);
		assert_int_equal(m.throttled_by_heat, content == 3);
		assert_false(m.throttled_by_power);
	}
}

#define ACCELERATOR(type, content_)                                                                     \
	do {                                                                                            \
		TABLE(type, 1, content_, sizeof t);                                                     \
		struct amd_metrics m = parsed(&t, sizeof t);                                            \
		assert_nothing(&m);                                                                     \
		t.hotspot = 64, t.power = 742, t.graphics = 91, t.memory = 55;                          \
		t.energy = 65536 * UINT64_C(1000) + 32768, t.lanes = 16, t.speed = 320;                 \
		t.graphics_clock[0] = 2100, t.memory_clock = 1300;                                      \
		m = parsed(&t, sizeof t);                                                               \
		assert_near(m.temperature_celsius, 64);                                                 \
		assert_near(m.power_watts, 742);                                                        \
		assert_near(m.graphics_percent, 91);                                                    \
		assert_near(m.memory_percent, 55);                                                      \
		assert_near(m.energy_joules, 1000.5);                                                   \
		assert_near(m.link_lanes, 16);                                                          \
		assert_near(m.link_gigatransfers, 32);                                                  \
		assert_near(m.graphics_mhz, 2100);                                                      \
		assert_near(m.memory_mhz, 1300);                                                        \
		/* These have no edge sensor, and none is made up: 65535 is not a temperature. */   \
		assert_true(is_none(m.fan_rpm));                                                        \
	} while (0)

static void test_an_accelerator(void **state)
{
	(void)state;
	ACCELERATOR(v1_4, 4);
	ACCELERATOR(v1_5, 5);
	for (uint8_t content = 6; content <= 8; content++) {
		TABLE(v1_5, 1, content, sizeof t);
		t.hotspot = 64, t.power = 742, t.graphics = 91, t.memory = 55, t.energy = 7;

		struct amd_metrics m = parsed(&t, sizeof t);

		assert_near(m.graphics_percent, 91);
		assert_near(m.power_watts, 742);
		assert_true(is_none(m.energy_joules));
	}
}

static void test_an_apu_reports_hundredths_and_thousandths(void **state)
{
	(void)state;
	{
		TABLE(v2_0, 2, 0, sizeof t);
		t.graphics_temperature = 4550, t.power = 15250, t.graphics = 4200;
		t.graphics_clock = 400, t.memory_clock = 1600;

		struct amd_metrics m = parsed(&t, sizeof t);

		assert_near(m.temperature_celsius, 45.5);
		assert_near(m.power_watts, 15.25);
		assert_near(m.graphics_mhz, 400);
		assert_near(m.memory_mhz, 1600);
		assert_true(is_none(m.graphics_percent));       /* by chip: see gpu_busy_percent */
	}
	for (uint8_t content = 1; content <= 4; content++) {
		TABLE(v2_4, 2, content, content == 1 ? offsetof(struct v2_4, throttle_any_chip) : sizeof t);
		t.graphics_temperature = 6001, t.power = 9999, t.graphics = 4200, t.media = 50, t.graphics_clock = 1100;
		t.memory_clock = 2400, t.throttle_any_chip = 1;

		struct amd_metrics m = parsed(&t, sizeof t);

		assert_near(m.temperature_celsius, 60.01);
		assert_near(m.power_watts, 9.999);
		assert_near(m.graphics_mhz, 1100);
		assert_near(m.memory_mhz, 2400);
		assert_int_equal(m.throttle_known, content >= 2);
		assert_int_equal(m.throttled_by_power, content >= 2);
		assert_false(m.throttled_by_heat);
		if (content == 4) {
			assert_near(m.graphics_percent, 42);
			assert_near(m.media_percent, 0.5);
		} else {
			assert_true(is_none(m.graphics_percent) && is_none(m.media_percent));
		}
	}
}

static void test_a_later_apu(void **state)
{
	(void)state;
	TABLE(v3_0, 3, 0, sizeof t);

	struct amd_metrics m = parsed(&t, sizeof t);

	assert_nothing(&m);
	t.graphics_temperature = 5125, t.graphics = 77, t.media = 3, t.power = 54000;
	t.graphics_clock = 2799, t.memory_clock = 937;
	m = parsed(&t, sizeof t);
	assert_near(m.temperature_celsius, 51.25);
	assert_near(m.graphics_percent, 77);
	assert_near(m.media_percent, 3);
	assert_near(m.power_watts, 54);
	assert_near(m.graphics_mhz, 2799);
	assert_near(m.memory_mhz, 937);
	t.graphics = 7700;                              /* a wrong unit on purpose */
	m = parsed(&t, sizeof t);
	assert_true(is_none(m.graphics_percent));
}

static void test_other_texts_are_refused(void **state)
{
	struct amd_metrics m = { .power_watts = 7 };

	(void)state;
	TABLE(v1_3, 1, 3, sizeof t);
	assert_int_equal(amd_metrics_parse(&m, "", 0), -EBADMSG);
	assert_int_equal(amd_metrics_parse(&m, &t, 3), -EBADMSG);
	assert_int_equal(amd_metrics_parse(&m, &t, sizeof t - 1), -EBADMSG);
	t.header.content = 9;
	assert_int_equal(amd_metrics_parse(&m, &t, sizeof t), -ENOTSUP);
	t.header.format = 0;
	assert_int_equal(amd_metrics_parse(&m, &t, sizeof t), -ENOTSUP);
	assert_near(m.power_watts, 7);

	/* A table that gives a short length has the fields within that length. */
	t.header = (struct header){ offsetof(struct v1_3, power), 1, 3 };
	t.graphics = 12, t.power = 100;
	m = parsed(&t, sizeof t);
	assert_near(m.graphics_percent, 12);
	assert_true(is_none(m.power_watts));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_discrete_gpu_of_the_first_kind),
		cmocka_unit_test(test_a_discrete_gpu),
		cmocka_unit_test(test_an_accelerator),
		cmocka_unit_test(test_an_apu_reports_hundredths_and_thousandths),
		cmocka_unit_test(test_a_later_apu),
		cmocka_unit_test(test_other_texts_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
