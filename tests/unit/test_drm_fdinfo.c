/* test_drm_fdinfo.c - the text of each driver about an open GPU. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "gpu/drm_fdinfo.h"

#define TEXT(literal) literal, sizeof literal - 1

static struct drm_client parsed(const char *text, size_t n)
{
	struct drm_client c;

	assert_int_equal(drm_fdinfo_parse(&c, text, n), 0);
	return c;
}

static const struct drm_engine *engine(const struct drm_client *c, const char *name)
{
	static const struct drm_engine none = { .name = "not there" };

	for (size_t i = 0; i < c->n_engines; i++)
		if (strcmp(c->engine[i].name, name) == 0)
			return &c->engine[i];
	return &none;
}

static void test_amdgpu(void **state)
{
	(void)state;

	struct drm_client c = parsed(TEXT(
		"pos:\t0\nflags:\t02100002\nmnt_id:\t26\nino:\t1203\ndrm-driver:\tamdgpu\ndrm-client-id:\t88\n"
		"drm-pdev:\t0000:0b:00.0\npasid:\t32772\ndrm-total-cpu:\t0\ndrm-shared-cpu:\t0\ndrm-resident-cpu:\t0\n"
		"drm-total-gtt:\t2 MiB\ndrm-resident-gtt:\t2 MiB\ndrm-total-vram:\t1310720 KiB\ndrm-shared-vram:\t16 KiB\n"
		"drm-resident-vram:\t1228800 KiB\ndrm-memory-vram:\t1228800 KiB\ndrm-memory-gtt: \t2048 KiB\n"
		"drm-memory-cpu: \t0 KiB\namd-evicted-vram:\t0 KiB\ndrm-engine-gfx:\t18446744073 ns\n"
		"drm-engine-compute:\t5000000000 ns\n"));

	assert_string_equal(c.driver, "amdgpu");
	assert_string_equal(c.device, "0000:0b:00.0");
	assert_true(c.has_id && c.has_memory);
	assert_int_equal(c.id, 88);
	assert_int_equal(c.device_bytes, UINT64_C(1200) << 20);         /* once, although it stands under three keys */
	assert_int_equal(c.system_bytes, 2 << 20);
	assert_int_equal(c.n_engines, 2);
	assert_true(engine(&c, "gfx")->has_ns);
	assert_int_equal(engine(&c, "gfx")->busy_ns, UINT64_C(18446744073));
	assert_int_equal(engine(&c, "compute")->busy_ns, UINT64_C(5000000000));
	assert_int_equal(engine(&c, "compute")->capacity, 1);
}

static void test_an_amdgpu_of_older_kernels(void **state)
{
	(void)state;

	struct drm_client c = parsed(TEXT("drm-driver:\tamdgpu\ndrm-pdev:\t0000:03:00.0\ndrm-client-id:\t7\n"
					  "drm-memory-vram:\t300 KiB\ndrm-memory-gtt: \t12 KiB\ndrm-memory-cpu: \t4 KiB\n"));

	assert_int_equal(c.device_bytes, 300 << 10);
	assert_int_equal(c.system_bytes, 16 << 10);
	assert_int_equal(c.n_engines, 0);
}

static void test_i915(void **state)
{
	(void)state;

	struct drm_client c = parsed(TEXT(
		"pos:\t0\ndrm-driver:\ti915\ndrm-client-id:\t7\ndrm-pdev:\t0000:00:02.0\ndrm-total-system0:\t4 MiB\n"
		"drm-shared-system0:\t0\ndrm-active-system0:\t0\ndrm-resident-system0:\t3 MiB\ndrm-purgeable-system0:\t0\n"
		"drm-total-stolen-system0:\t1 MiB\ndrm-resident-stolen-system0:\t1 MiB\n"
		"drm-engine-render:\t9288864723 ns\ndrm-engine-copy:\t2035071108 ns\ndrm-engine-video:\t0 ns\n"
		"drm-engine-capacity-video:\t2\ndrm-engine-video-enhance:\t0 ns\n"));

	assert_int_equal(c.device_bytes, 0);
	assert_int_equal(c.system_bytes, 4 << 20);
	assert_int_equal(c.n_engines, 4);
	assert_int_equal(engine(&c, "video")->capacity, 2);
	assert_int_equal(engine(&c, "render")->busy_ns, UINT64_C(9288864723));
}

static void test_xe_reports_cycles(void **state)
{
	(void)state;

	struct drm_client was = parsed(TEXT(
		"drm-driver:\txe\ndrm-client-id:\t3\ndrm-pdev:\t0000:03:00.0\ndrm-total-gtt:\t192 KiB\n"
		"drm-resident-gtt:\t192 KiB\ndrm-total-vram0:\t23992 KiB\ndrm-shared-vram0:\t16 MiB\ndrm-resident-vram0:\t23992 KiB\n"
		"drm-cycles-rcs:\t28257900\ndrm-total-cycles-rcs:\t7655183225\ndrm-cycles-ccs:\t0\n"
		"drm-total-cycles-ccs:\t7655183225\ndrm-engine-capacity-ccs:\t4\n"));
	struct drm_client now = was;

	assert_int_equal(was.device_bytes, UINT64_C(23992) << 10);
	assert_int_equal(was.system_bytes, 192 << 10);
	assert_int_equal(engine(&was, "ccs")->capacity, 4);
	assert_false(engine(&was, "rcs")->has_ns);
	assert_none(drm_engine_busy_seconds(&was.engine[0], &now.engine[0], 2));     /* no time passed */
	now.engine[0].total_cycles += 1000;
	assert_near(drm_engine_busy_seconds(&was.engine[0], &now.engine[0], 2), 0);
	now.engine[0].cycles += 250;
	assert_near(drm_engine_busy_seconds(&was.engine[0], &now.engine[0], 2), 0.5);
}

static void test_a_step_back_counts_no_time(void **state)
{
	struct drm_engine was = { .has_ns = true, .busy_ns = 5000 }, now = { .has_ns = true, .busy_ns = 4000 };

	(void)state;
	assert_near(drm_engine_busy_seconds(&was, &now, 1), 0);
	now.busy_ns = 500005000;
	assert_near(drm_engine_busy_seconds(&was, &now, 1), 0.5);
	now.has_ns = false;
	assert_none(drm_engine_busy_seconds(&was, &now, 1));
}

static void test_other_or_incomplete_texts_are_refused(void **state)
{
	struct drm_client c = { .id = 7 };

	(void)state;
	assert_int_equal(drm_fdinfo_parse(&c, TEXT("")), -ENODATA);
	assert_int_equal(drm_fdinfo_parse(&c, TEXT("pos:\t0\nflags:\t02\nmnt_id:\t12\n")), -ENODATA);
	assert_int_equal(drm_fdinfo_parse(&c, TEXT("drm-driver:\n")), -ENODATA);
	assert_int_equal(c.id, 7);

	c = parsed(TEXT("drm-driver: v3d\ndrm-client-id: 1\ndrm-engine-: 5 ns\ndrm-engine-bin: x ns\ndrm-memory-: 3\n"
			"drm-engine-capacity-bin: 0\ndrm-engine-a-name-that-is-longer-than-any: 9 ns\n"
			"drm-resident-memory: 99999999999999999999\ndrm-engine-render: 12 ns"));
	assert_string_equal(c.driver, "v3d");
	assert_string_equal(c.device, "");
	assert_false(c.has_memory);
	assert_int_equal(engine(&c, "render")->busy_ns, 12);
	for (size_t i = 0; i < c.n_engines; i++)
		assert_int_equal(c.engine[i].capacity, 1);
}

static void test_more_engines_than_room(void **state)
{
	char text[1024] = "drm-driver: odd\n";
	struct drm_client c;

	(void)state;
	for (int i = 0; i < 30; i++)
		(void)snprintf(text + strlen(text), sizeof text - strlen(text), "drm-engine-e%d: %d ns\n", i, i);
	c = parsed(text, strlen(text));
	assert_int_equal(c.n_engines, DRM_ENGINES_MAX);
	assert_int_equal(engine(&c, "e11")->busy_ns, 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_amdgpu),
		cmocka_unit_test(test_an_amdgpu_of_older_kernels),
		cmocka_unit_test(test_i915),
		cmocka_unit_test(test_xe_reports_cycles),
		cmocka_unit_test(test_a_step_back_counts_no_time),
		cmocka_unit_test(test_other_or_incomplete_texts_are_refused),
		cmocka_unit_test(test_more_engines_than_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
