/* test_host.c - facts of the machine: how its CPUs are arranged, what it runs on, and in what. */
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/host.h"
#include "core/topology.h"

static char root[] = "/tmp/rt-host-XXXXXX";

/* Writes DIR/path, with its folders. */
static void put(const char *path, const char *text)
{
	char whole[256];

	assert_true(snprintf(whole, sizeof whole, "%s/%s", root, path) < (int)sizeof whole);
	for (char *slash = whole + sizeof root; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
		*slash = '\0';
		(void)mkdir(whole, 0700);
	}
	auto_close int fd = open(whole, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
}

static void put_cpu(int cpu, const char *package, const char *core)
{
	char path[96];

	(void)snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/core_siblings_list", cpu);
	put(path, package);
	(void)snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
	put(path, core);
}

static struct host host(void)
{
	struct source src;
	struct host ret;
	struct why why;

	assert_int_equal(source_open(&src, root, &why), 0);
	host_read(&ret, &src);
	source_close(&src);
	return ret;
}

static void lists_of_cpus_are_read(void **state)
{
	static const char *const wrong[] = { "", "\n", "a", "1-", "3-1", "1,", "0-4096", "0 1", "0-1x", "99999999999999999999" };
	struct cpu_set set;

	(void)state;
	assert_true(topology_parse_list(&set, "0-1,64,4095\n", 12));
	assert_int_equal(set.bits[0], 3);
	assert_int_equal(set.bits[1], 1);
	assert_true(set.bits[63] == UINT64_C(1) << 63);
	for (size_t i = 0; i < countof(wrong); i++)
		assert_false(topology_parse_list(&set, wrong[i], strlen(wrong[i])));
}

/* Two sockets: one core with two threads and one with a single thread each, as where some cores are small. */
static void sockets_and_cores_are_counted(void **state)
{
	(void)state;
	put("proc/version", "");
	put("sys/devices/system/cpu/online", "0-2,4-6\n");
	put_cpu(0, "0-3\n", "0,2\n");
	put_cpu(1, "0-3\n", "1,3\n");                   /* 3 is offline */
	put_cpu(4, "4-6\n", "4-5\n");
	put_cpu(6, "4-6\n", "6\n");
	assert_true(host().sockets == 2);
	assert_true(host().cores == 4);
	put("sys/devices/system/cpu/smt/active", "0\n");
	assert_true(host().cores == 6);
	put("sys/devices/system/cpu/online", "0-7\n");  /* of the last there is nothing */
	assert_true(is_none(host().sockets));
	assert_true(is_none(host().cores));
}

static void firmware_has_a_name_or_none(void **state)
{
	(void)state;
	put("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
	put("sys/class/dmi/id/product_name", "m7i.large \n");
	assert_string_equal(host().vendor, "Amazon EC2");
	assert_string_equal(host().product, "m7i.large");
	put("sys/class/dmi/id/product_name", "To Be Filled By O.E.M.\n");
	assert_string_equal(host().product, "");
}

static void machines_are_virtual_or_not(void **state)
{
	bool is_virtual = false;
	static const char arm[] = "processor\t: 0\nFeatures\t: fp asimd\n";

	(void)state;
	assert_false(virtualization_parse(&is_virtual, arm, strlen(arm)));
	assert_false(virtualization_parse(&is_virtual, "flags\t\t: fpu hyper", 18));       /* cut off */
	assert_string_equal(virtualization_of("KVMKVMKVM\0\0\0"), "kvm");
	assert_string_equal(virtualization_of("Microsoft Hv"), "hyper-v");
	assert_string_equal(virtualization_of("????????????"), "other");
	put("proc/cpuinfo", "processor\t: 0\nmodel name\t: X\nflags\t\t: fpu hypervisors\n");
	assert_string_equal(host().virtualization, "none");
	put("proc/cpuinfo", "processor\t: 0\nmodel name\t: X\nflags\t\t: fpu hypervisor lahf_lm\n");
	assert_string_equal(host().virtualization, "other");
	put("proc/cpuinfo", arm);
	assert_string_equal(host().virtualization, "");
}

static void containers_leave_marks(void **state)
{
	(void)state;
	assert_string_equal(host().container, "");
	put("run/systemd/container", "lxc\n");
	assert_string_equal(host().container, "lxc");
	put(".dockerenv", "");
	assert_string_equal(host().container, "docker");
	put("run/secrets/kubernetes.io/serviceaccount/token", "");
	assert_string_equal(host().container, "kubernetes");
}

static int make(void **state)
{
	(void)state;
	return mkdtemp(root) ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_cpus_are_read), cmocka_unit_test(sockets_and_cores_are_counted),
		cmocka_unit_test(firmware_has_a_name_or_none), cmocka_unit_test(machines_are_virtual_or_not),
		cmocka_unit_test(containers_leave_marks),
	};

	return cmocka_run_group_tests(tests, make, NULL);
}
