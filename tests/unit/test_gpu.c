/* test_gpu.c - whether a machine has graphics processors. */
#include "fixture.h"

#include <string.h>

static void none_is_zero(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "bare-metal");         /* i915 is loaded, no device is bound to it */
	assert_int_equal(fixture_start(&f, &collector_gpu), 0);
	assert_int_equal(fixture_read(&f), 0);
	assert_near(f.sample.total.gpu_total_utilization_gpus, 0);
	assert_near(f.sample.total.gpu_total_vram_used_bytes, 0);
	assert_near(f.sample.total.gpu_total_utilized, 0);
	fixture_close(&f);
}

static void one_is_missing_with_a_reason(void **state)
{
	struct fixture f;
	struct why why = { "" };
	char nothing;

	(void)state;
	fixture_open(&f, "vm");
	assert_int_equal(collector_gpu.start(&nothing, &f.setup, &why), -EOPNOTSUPP);
	assert_non_null(strstr(why.text, "nvidia"));
	fixture_close(&f);

	fixture_open(&f, "bare-metal");
	fixture_write(&f, "sys/bus/pci/drivers/amdgpu/0000:c3:00.0/vendor", "0x1002\n");
	assert_int_equal(collector_gpu.start(&nothing, &f.setup, &why), -EOPNOTSUPP);
	assert_non_null(strstr(why.text, "amdgpu"));
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_is_zero),
		cmocka_unit_test(one_is_missing_with_a_reason),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
