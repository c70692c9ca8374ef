/* test_cgroup_path.c - the place at which a control group is read. */
#include "fixture.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/cgroup_path.h"

static struct cgroup_membership membership;     /* static: large */
static struct cgroup_place place[HIERARCHY_COUNT];

static void find(const char *cgroup, const char *mountinfo)
{
	cgroup_parse_membership(&membership, cgroup, strlen(cgroup));
	cgroup_parse_mounts(place, &membership, &membership, mountinfo, strlen(mountinfo));
}

/* Of a process in another group than ours. */
static void find_other(const char *cgroup, const char *own, const char *mountinfo)
{
	static struct cgroup_membership ours;

	cgroup_parse_membership(&ours, own, strlen(own));
	cgroup_parse_membership(&membership, cgroup, strlen(cgroup));
	cgroup_parse_mounts(place, &membership, &ours, mountinfo, strlen(mountinfo));
}

static void assert_place(enum hierarchy h, const char *mount, const char *path)
{
	assert_string_equal(place[h].mount, mount);
	assert_string_equal(place[h].path, path);
}

#define V2(root) "29 24 0:26 " root " /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"

static void a_host(void **state)
{
	(void)state;
	find("0::/a.slice/b:c.service\n", V2("/"));
	assert_place(HIERARCHY_V2, "/sys/fs/cgroup", "/a.slice/b:c.service");   /* names can contain colons */
	assert_place(HIERARCHY_MEMORY, "", "");
	find("0::/\n", V2("/"));
	assert_place(HIERARCHY_V2, "/sys/fs/cgroup", "");
}

static void a_mount_that_begins_at_a_group(void **state)
{
	(void)state;
	find("0::/docker/abc/job\n", V2("/docker/abc"));
	assert_place(HIERARCHY_V2, "/sys/fs/cgroup", "/job");
	find("0::/docker/abc\n", V2("/docker/abc"));
	assert_place(HIERARCHY_V2, "/sys/fs/cgroup", "");
	find("0::/docker/abcdef\n", V2("/docker/abc"));         /* no prefix by text: only the mount's own group matches */
	assert_place(HIERARCHY_V2, "/sys/fs/cgroup", "");
	find("0::/../x\n", V2("/.."));
	assert_place(HIERARCHY_V2, "/sys/fs/cgroup", "/x");
}

static void the_mount_that_shows_the_group_wins(void **state)
{
	(void)state;
	find("0::/b/job\n", V2("/a") "30 24 0:26 /b /mnt/b rw - cgroup2 cgroup2 rw\n");
	assert_place(HIERARCHY_V2, "/mnt/b", "/job");
}

/* Regression: a later mount whose point cannot be understood took the place away, and left its path. */
static void a_mount_without_a_point_changes_nothing(void **state)
{
	(void)state;
	find_other("0::/a/b\n", "0::/a\n", "30 1 0:26 /x /sys/fs/cgroup rw - cgroup2 c rw\n"
					   "31 1 0:26 / relative rw - cgroup2 c rw\n");
	assert_place(HIERARCHY_V2, "/sys/fs/cgroup", "/b");
}

static void a_group_outside_of_the_namespace(void **state)
{
	(void)state;
	find("0::/../../other\n", V2("/"));
	assert_place(HIERARCHY_V2, "", "");
	find("0::/..name/x\n", V2("/"));                        /* only looks like ".." */
	assert_place(HIERARCHY_V2, "/sys/fs/cgroup", "/..name/x");
}

#define V1(controller, root) "34 25 0:30 " root " /sys/fs/cgroup/" controller " ro - cgroup cgroup rw," controller "\n"
#define SYSTEMD_POD "/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1c0f_4e2a.slice"
#define CGROUPFS_POD "/kubepods/burstable/pod1c0f-4e2a"

/* By containerd and CRI-O, with systemd and without: the container's own group, as it sees it, and as the node does. */
static void a_container_of_a_pod(void **state)
{
	static const char *const groups[] = { SYSTEMD_POD "/cri-containerd-9f1c.scope", SYSTEMD_POD "/crio-9f1c.scope",
					      CGROUPFS_POD "/9f1c", CGROUPFS_POD "/crio-9f1c" };
	char cgroup[512], mountinfo[512];

	(void)state;
	for (size_t i = 0; i < countof(groups); i++) {
		(void)snprintf(cgroup, sizeof cgroup, "4:memory:%s\n", groups[i]);     /* version 1 */
		(void)snprintf(mountinfo, sizeof mountinfo, V1("memory", "%s"), groups[i]);
		find(cgroup, mountinfo);
		assert_place(HIERARCHY_MEMORY, "/sys/fs/cgroup/memory", "");
		find(cgroup, V1("memory", "/"));
		assert_place(HIERARCHY_MEMORY, "/sys/fs/cgroup/memory", groups[i]);
		(void)snprintf(cgroup, sizeof cgroup, "0::%s\n", groups[i]);            /* version 2, the node */
		find(cgroup, V2("/"));
		assert_place(HIERARCHY_V2, "/sys/fs/cgroup", groups[i]);
	}
	find("0::/\n", V2("/"));                                /* a namespace of the container's own */
	assert_place(HIERARCHY_V2, "/sys/fs/cgroup", "");
}

/* A sidecar with the pod's processes: its own limits are not those of the program that it is attached to. */
static void another_container_of_the_pod(void **state)
{
	(void)state;
	find_other("0::/../cri-containerd-77aa.scope\n", "0::/\n", V2("/"));
	assert_place(HIERARCHY_V2, "", "");
	find_other("4:memory:" CGROUPFS_POD "/77aa\n", "4:memory:" CGROUPFS_POD "/9f1c\n", V1("memory", CGROUPFS_POD "/9f1c"));
	assert_place(HIERARCHY_MEMORY, "", "");
	find_other("4:memory:" CGROUPFS_POD "/9f1c/job\n", "4:memory:" CGROUPFS_POD "/9f1c\n", V1("memory", CGROUPFS_POD "/9f1c"));
	assert_place(HIERARCHY_MEMORY, "/sys/fs/cgroup/memory", "/job");
	/* The mount begins at the container, and mountinfo does not say so. */
	find_other("4:memory:/docker/abc/job\n", "4:memory:/docker/abc\n", V1("memory", "/other"));
	assert_place(HIERARCHY_MEMORY, "/sys/fs/cgroup/memory", "/job");
	find_other("4:memory:/docker/abcdef\n", "4:memory:/docker/abc\n", V1("memory", "/other"));
	assert_place(HIERARCHY_MEMORY, "", "");
	find_other("4:memory:/docker/abc\n", "", V1("memory", "/other"));
	assert_place(HIERARCHY_MEMORY, "", "");
}

static void removed_groups_are_not_found(void **state)
{
	(void)state;
	find("0::/gone (deleted)\n", V2("/"));
	assert_place(HIERARCHY_V2, "", "");
}

static void version_1_and_hybrid(void **state)
{
	(void)state;
	find("9:memory:/m\n5:cpuacct,cpu:/c\n3:cpuset:/s\n1:name=systemd:/x\n0::/u\n",
	     "33 25 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:1 - cgroup cgroup rw,cpu,cpuacct\n"
	     "34 25 0:30 / /sys/fs/cgroup/my\\040memory rw shared:1 shared:2 - cgroup none rw,memory\n"
	     "35 25 0:31 / /sys/fs/cgroup/cpuset rw shared:1 - cgroup cgroup rw,cpuset\n"
	     "36 25 0:32 / /sys/fs/cgroup/unified rw shared:1 - cgroup2 cgroup2 rw\n");
	assert_place(HIERARCHY_CPU, "/sys/fs/cgroup/cpu,cpuacct", "/c");
	assert_place(HIERARCHY_CPUACCT, "/sys/fs/cgroup/cpu,cpuacct", "/c");
	assert_place(HIERARCHY_MEMORY, "/sys/fs/cgroup/my memory", "/m");
	assert_place(HIERARCHY_PIDS, "", "");
	assert_place(HIERARCHY_V2, "/sys/fs/cgroup/unified", "/u");
}

static void broken_lines_are_skipped(void **state)
{
	static char deep[CGROUP_PATH_SIZE + 64] = "0::/";

	(void)state;
	find("nonsense\n\n0::relative\n4:memory\n7:pids:/p",
	     "29 24 0:26 / /x rw -\n\n29\n31 24 0:9 / /p rw - cgroup c rw,pids");
	assert_place(HIERARCHY_V2, "", "");
	assert_place(HIERARCHY_PIDS, "/p", "/p");
	find("0::/u\n", "29 24 0:26 / relative rw - cgroup2 cgroup2 rw\n");
	assert_place(HIERARCHY_V2, "", "");
	find("", "");
	assert_place(HIERARCHY_PIDS, "", "");
	memset(deep + 4, 'x', sizeof deep - 5);
	find(deep, V2("/"));                                    /* too long: not found, not cut */
	assert_place(HIERARCHY_V2, "", "");
}

static void groups_upwards(void **state)
{
	struct cgroup_place p = { "/sys/fs/cgroup", "/a/bc" };

	(void)state;
	assert_int_equal(cgroup_parent(&p, 5), 2);
	assert_int_equal(cgroup_parent(&p, 2), 0);
	assert_int_equal(cgroup_parent(&p, 0), 0);
}

/* Some containers mount their own group as the root, but the group's path is that of the host. */
static void a_path_that_does_not_exist_here(void **state)
{
	struct fixture f;
	struct cgroup_finder finder = { 0 };

	(void)state;
	fixture_open(&f, "container-v2");
	finder.src = &f.source;
	fixture_write(&f, "proc/self/cgroup", "0::/kubepods.slice/pod1/abc\n");
	assert_int_equal(cgroup_find(&finder, &f.text), 1);
	assert_string_equal(finder.place[HIERARCHY_V2].path, "");
	assert_int_equal(cgroup_find(&finder, &f.text), 0);
	fixture_write(&f, "proc/self/cgroup", "0::/app\n");
	assert_int_equal(cgroup_find(&finder, &f.text), 1);
	assert_string_equal(finder.place[HIERARCHY_V2].path, "/app");
	finder.pid = 999;
	assert_int_equal(cgroup_find(&finder, &f.text), -ENOENT);
	fixture_close(&f);
}

static void a_kept_membership_ends_with_its_process(void **state)
{
	struct source here;
	struct text text = { 0 };
	struct why why;
	pid_t pid = fork();
	int kept = -1;

	(void)state;
	if (pid == 0)
		for (;;)
			(void)pause();
	assert_true(pid > 0);
	assert_int_equal(source_open(&here, "/", &why), 0);

	struct cgroup_finder finder = { .src = &here, .pid = pid, .membership = &kept };

	assert_int_equal(cgroup_find(&finder, &text), 1);
	assert_true(kept >= 0);
	assert_int_equal(cgroup_find(&finder, &text), 0);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(cgroup_find(&finder, &text), -ESRCH);
	assert_int_equal(kept, -1);
	assert_int_equal(cgroup_find(&finder, &text), -ENOENT);
	text_release(&text);
	source_close(&here);
}

/* On this machine: if mountinfo is not read for version 2, the place is the same as by mountinfo. */
static void the_usual_place_equals_that_of_mountinfo(void **state)
{
	struct source here;
	struct text text = { 0 };
	struct why why;

	(void)state;
	assert_int_equal(source_open(&here, "/", &why), 0);

	struct cgroup_finder found = { .src = &here, .only_v2 = true };

	if (cgroup_find(&found, &text) == 1 && cgroup_is_found(&found.place[HIERARCHY_V2])) {
		assert_int_equal(text_read_at(&text, here.proc, "self/cgroup"), 0);
		cgroup_parse_membership(&membership, text.at, text.len);
		assert_int_equal(text_read_at(&text, here.proc, "self/mountinfo"), 0);
		cgroup_parse_mounts(place, &membership, &membership, text.at, text.len);

		int one = cgroup_open(&here, &found.place[HIERARCHY_V2], strlen(found.place[HIERARCHY_V2].path), ".");
		int other = cgroup_open(&here, &place[HIERARCHY_V2], strlen(place[HIERARCHY_V2].path), ".");
		struct stat a, b;

		assert_true(one >= 0 && other >= 0 && fstat(one, &a) == 0 && fstat(other, &b) == 0);
		assert_true(a.st_dev == b.st_dev && a.st_ino == b.st_ino);
		close_p(&one);
		close_p(&other);
	}
	for (size_t h = 0; h < HIERARCHY_COUNT; h++)
		assert_true(h == HIERARCHY_V2 || !cgroup_is_found(&found.place[h]));
	text_release(&text);
	source_close(&here);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host),
		cmocka_unit_test(a_mount_that_begins_at_a_group),
		cmocka_unit_test(the_mount_that_shows_the_group_wins),
		cmocka_unit_test(a_mount_without_a_point_changes_nothing),
		cmocka_unit_test(a_group_outside_of_the_namespace),
		cmocka_unit_test(a_container_of_a_pod),
		cmocka_unit_test(another_container_of_the_pod),
		cmocka_unit_test(removed_groups_are_not_found),
		cmocka_unit_test(version_1_and_hybrid),
		cmocka_unit_test(broken_lines_are_skipped),
		cmocka_unit_test(groups_upwards),
		cmocka_unit_test(a_path_that_does_not_exist_here),
		cmocka_unit_test(a_kept_membership_ends_with_its_process),
		cmocka_unit_test(the_usual_place_equals_that_of_mountinfo),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
