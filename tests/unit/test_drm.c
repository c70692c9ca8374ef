/* test_drm.c - GPUs of the kernel's own drivers and the processes that use them, on captured machines. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "gpu/backend.h"

struct machine {
	struct fixture f;
	void *state;
	struct gpu_device device[4];
	int  n;
};

static const struct gpu_moment now;             /* these drivers do not need it */

static void open_machine(struct machine *m, const char *name)
{
	struct why why = { 0 };

	*m = (struct machine){ 0 };
	fixture_open(&m->f, name);
	assert_true(gpu_driver_named("drm")->present(&m->f.source));
	m->state = calloc(1, gpu_drm.state_size);
	assert_non_null(m->state);
	assert_int_equal(gpu_drm.open(m->state, &m->f.source, &why), 0);
	for (size_t i = 0; i < countof(m->device); i++) {
		sample_clear(&m->f.sample);
		m->device[i].row = *sample_add_gpu(&m->f.sample, "");
	}
	m->n = gpu_drm.list(m->state, m->device, countof(m->device));
}

static void close_machine(struct machine *m)
{
	gpu_drm.close(m->state);
	free(m->state);
	fixture_close(&m->f);
}

static struct gpu_row read_row(struct machine *m, size_t device)
{
	struct gpu_row row = m->device[device].row;

	assert_int_equal(gpu_drm.read(m->state, device, &now, &row), 0);
	return row;
}

static void test_a_hybrid_laptop(void **state)
{
	struct machine m;

	(void)state;
	open_machine(&m, "gpu-hybrid");
	assert_int_equal(m.n, 2);                       /* the display's adapter is not a GPU, nor are its connectors */

	const struct gpu_row *amd = &m.device[0].row, *intel = &m.device[1].row;

	assert_string_equal(amd->key, "0000:03:00.0");
	assert_string_equal(amd->name, "AMD Radeon RX 6600M");
	assert_string_equal(amd->vendor, "amd");
	assert_string_equal(m.device[0].folder, "0000:03:00.0");
	assert_near(amd->vram_total_bytes, 8573157376);
	assert_near(amd->power_limit_watts, 100);
	assert_string_equal(intel->key, "0000:00:02.0");
	assert_string_equal(intel->vendor, "intel");
	assert_string_equal(intel->name, "i915 8086:46A6");
	assert_near(intel->frequency_max_hertz, 1.4e9);
	assert_none(intel->vram_total_bytes);

	struct gpu_row row = read_row(&m, 0);

	assert_near(row.utilization_pct, 37);           /* the file comes before the table, which has 40 */
	assert_near(row.memory_utilization_pct, 12);
	assert_near(row.vram_used_bytes, 1 << 30);
	assert_near(row.vram_used_pct, 100.0 * (1 << 30) / 8573157376);
	assert_near(row.host_memory_used_bytes, 20971520);
	assert_near(row.temperature_celsius, 54);
	assert_near(row.power_watts, 52);
	assert_near(row.frequency_hertz, 2044e6);
	assert_near(row.memory_frequency_hertz, 875e6);
	assert_near(row.fan_pct, 20);
	assert_near(row.throttled_power, 0);
	assert_near(row.throttled_thermal, 0);
	assert_none(row.ecc_corrected);                 /* errors from before the first reading */
	assert_none(row.energy_joules);

	row = read_row(&m, 1);
	assert_none(row.utilization_pct);               /* privileged, and not made up */
	assert_none(row.vram_used_bytes);
	assert_near(row.frequency_hertz, 650e6);
	assert_near(row.throttled_thermal, 0);

	fixture_turn(&m.f, 1, 1);
	row = read_row(&m, 0);
	assert_near(row.utilization_pct, 91);
	assert_near(row.ecc_corrected, 2);
	assert_near(row.ecc_uncorrected, 1);
	row = read_row(&m, 1);
	assert_near(row.throttled_thermal, 1);
	assert_near(row.throttled_power, 0);
	assert_near(row.throttled_other, 0);

	fixture_write(&m.f, "sys/class/drm/card0/device/uevent", NULL);
	row = m.device[0].row;
	assert_int_equal(gpu_drm.read(m.state, 0, &now, &row), -ENODEV);
	close_machine(&m);
}

static int users(struct machine *m, size_t device, struct gpu_process ret[8])
{
	static const pid_t pids[] = { 4711, 4712, 4713, 4999 };
	struct gpu_moment job = { .job = { pids, countof(pids) } };

	return gpu_drm.processes(m->state, device, &job, ret, 8);
}

static void test_an_open_gpu_counts_once_for_all_its_descriptors(void **state)
{
	struct gpu_process p[8];
	struct machine m;

	(void)state;
	open_machine(&m, "gpu-hybrid");
	assert_int_equal(users(&m, 0, p), 1);           /* two descriptors and a child's are one client */
	assert_near(p[0].vram_bytes, UINT64_C(768) << 20);
	assert_none(p[0].utilization_pct);              /* before the first reading */
	assert_int_equal(users(&m, 1, p), 1);
	assert_int_equal(p[0].pid, 4711);
	assert_near(p[0].vram_bytes, 0);

	fixture_turn(&m.f, 1, 1);
	assert_int_equal(users(&m, 0, p), 2);

	const struct gpu_process *old = p[0].pid == 4713 ? &p[1] : &p[0], *new = old == p ? &p[1] : &p[0];

	assert_near(old->utilization_pct, 60);          /* its busiest engine: compute */
	assert_near(old->encoder_pct, 10);
	assert_near(old->decoder_pct, 0);
	assert_near(old->vram_bytes, UINT64_C(1) << 30);
	assert_int_equal(new->pid, 4713);               /* opened since: its whole time is of this second */
	assert_near(new->utilization_pct, 20);
	assert_near(new->vram_bytes, 100 << 20);
	assert_int_equal(users(&m, 1, p), 1);
	assert_near(p[0].utilization_pct, 80);          /* copying is not included */
	assert_none(p[0].encoder_pct);

	fixture_write(&m.f, "proc/4713/fd/5", NULL);    /* closed: nothing of it stays */
	m.f.now_ns += NS_PER_SECOND;
	assert_int_equal(users(&m, 0, p), 1);
	assert_int_not_equal(p[0].pid, 4713);
	assert_near(p[0].utilization_pct, 0);
	close_machine(&m);
}

/* Regression: /proc/PID is the main thread's, and lists no descriptor once that thread has ended. */
static void test_a_process_without_its_main_thread(void **state)
{
	struct gpu_process p[8];
	struct machine m;

	(void)state;
	open_machine(&m, "gpu-hybrid");
	fixture_turn(&m.f, 1, 1);
	fixture_write(&m.f, "proc/4713/task/4713/none", "");
	fixture_write(&m.f, "proc/4713/task/4799/none", "");
	for (int i = 0; i < 2; i++) {
		char from[200], to[200];

		(void)snprintf(from, sizeof from, "%s/proc/4713/%s", m.f.root, i == 0 ? "fd" : "fdinfo");
		(void)snprintf(to, sizeof to, "%s/proc/4713/task/4799/%s", m.f.root, i == 0 ? "fd" : "fdinfo");
		assert_int_equal(rename(from, to), 0);
	}
	fixture_write(&m.f, "proc/4713/fd/none", "");
	assert_int_equal(users(&m, 0, p), 2);
	assert_true(p[0].pid == 4713 || p[1].pid == 4713);
	close_machine(&m);
}

static void test_a_discrete_gpu_of_intel(void **state)
{
	static const pid_t pid = 10;
	struct gpu_moment job = { .job = { &pid, 1 } };
	struct gpu_process p[8];
	struct machine m;

	(void)state;
	open_machine(&m, "gpu-xe");
	assert_int_equal(m.n, 1);
	assert_near(m.device[0].row.vram_total_bytes, 17079205888);
	assert_near(m.device[0].row.power_limit_watts, 190);
	assert_near(m.device[0].row.frequency_max_hertz, 2.4e9);

	struct gpu_row row = read_row(&m, 0);

	assert_none(row.energy_joules);
	assert_none(row.power_watts);
	assert_near(row.temperature_celsius, 61);
	assert_near(row.throttled_power, 1);
	assert_near(row.throttled_thermal, 0);
	assert_int_equal(gpu_drm.processes(m.state, 0, &job, p, 8), 1);
	assert_near(p[0].vram_bytes, 23992 << 10);

	fixture_turn(&m.f, 1, 2);
	row = read_row(&m, 0);
	assert_near(row.energy_joules, 300);
	assert_near(row.power_watts, 150);
	assert_int_equal(gpu_drm.processes(m.state, 0, &job, p, 8), 1);
	assert_near(p[0].utilization_pct, 50);          /* 2 of 4 engines, by cycles */
	close_machine(&m);
}

static void test_an_apu_with_its_table_alone(void **state)
{
	struct machine m;

	(void)state;
	open_machine(&m, "gpu-apu");
	assert_int_equal(m.n, 1);
	assert_string_equal(m.device[0].row.name, "amdgpu 1002:163F");

	struct gpu_row row = read_row(&m, 0);

	assert_near(row.utilization_pct, 61.5);
	assert_near(row.temperature_celsius, 48.75);
	assert_near(row.power_watts, 21.5);
	assert_near(row.frequency_hertz, 1.6e9);
	assert_near(row.throttled_thermal, 1);
	assert_none(row.vram_used_bytes);
	assert_none(row.vram_used_pct);
	assert_none(row.fan_pct);
	assert_none(row.memory_frequency_hertz);        /* all bits set in the table */
	close_machine(&m);
}

static void test_a_machine_without_gpus(void **state)
{
	struct fixture f;

	(void)state;
	fixture_open(&f, "bare-metal");
	assert_false(gpu_driver_named("drm")->present(&f.source));
	fixture_close(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_hybrid_laptop),
		cmocka_unit_test(test_an_open_gpu_counts_once_for_all_its_descriptors),
		cmocka_unit_test(test_a_process_without_its_main_thread),
		cmocka_unit_test(test_a_discrete_gpu_of_intel),
		cmocka_unit_test(test_an_apu_with_its_table_alone),
		cmocka_unit_test(test_a_machine_without_gpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
