/* test_confinement.c - the system calls left to a process that reads records; each test in a process of its own. */
#include "fixture.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "analysis/confinement.h"

enum { UNABLE = 200 };                          /* this kernel does not confine; errno values are below */

static char folder[64], given[96], beside[96], output[96], part[96], elsewhere[96];

static void make(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "x", 1), 1);
	(void)close(fd);
}

static int set_up(void **state)
{
	(void)state;
	(void)snprintf(folder, sizeof folder, "/tmp/confinement.XXXXXX");
	assert_non_null(mkdtemp(folder));
	(void)snprintf(output, sizeof output, "%s/out", folder);
	assert_int_equal(mkdir(output, 0700), 0);
	(void)snprintf(output, sizeof output, "%s/out/report.html", folder);
	(void)snprintf(part, sizeof part, "%s/out/.part", folder);
	(void)snprintf(given, sizeof given, "%s/given", folder);
	(void)snprintf(beside, sizeof beside, "%s/beside", folder);
	(void)snprintf(elsewhere, sizeof elsewhere, "%s/new", folder);
	make(given);
	make(beside);
	return 0;
}

static int tear_down(void **state)
{
	char out[96];

	(void)state;
	(void)snprintf(out, sizeof out, "%s/out", folder);
	(void)unlink(output);
	(void)unlink(part);
	(void)unlink(given);
	(void)unlink(beside);
	(void)unlink(elsewhere);
	(void)rmdir(out);
	(void)rmdir(folder);
	return 0;
}

static int opened(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno;
	(void)close(fd);
	return 0;
}

static int reads_what_was_given(void) { return opened(given, O_RDONLY); }
static int reads_beside_it(void) { return opened(beside, O_RDONLY); }
static int writes_what_was_given(void) { return opened(given, O_WRONLY); }
static int makes_a_file_elsewhere(void) { return opened(elsewhere, O_WRONLY | O_CREAT | O_EXCL); }
static int removes_beside_it(void) { return unlink(beside) < 0 ? errno : 0; }

static int replaces_the_output(void)
{
	int error = opened(part, O_WRONLY | O_CREAT | O_EXCL);

	return error ? error : rename(part, output) < 0 ? errno : 0;
}

static int starts_a_program(void)
{
	(void)execl("/bin/true", "true", (char *)NULL);
	return errno;
}

/* No process listens there: without confinement the connection is refused, by the machine and not by a rule. */
static int connects(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	return fd < 0 || connect(fd, (struct sockaddr *)&to, sizeof to) == 0 ? 0 : errno;
}

/* The errno of an attempt in a confined process, or UNABLE. */
static int confined(int (*what)(void))
{
	char *inputs[] = { given };
	const struct confinement bounds = { .inputs = inputs, .n_inputs = 1, .output = output };
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(confine(&bounds) ? what() : UNABLE);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void needed_calls_work(void **state)
{
	(void)state;
	if (confined(reads_what_was_given) == UNABLE)
		skip();
	assert_int_equal(confined(reads_what_was_given), 0);
	assert_int_equal(confined(replaces_the_output), 0);
}

static void other_calls_are_refused(void **state)
{
	(void)state;
	if (confined(reads_beside_it) == UNABLE)
		skip();
	assert_int_equal(confined(reads_beside_it), EACCES);
	assert_int_equal(confined(writes_what_was_given), EACCES);
	assert_int_equal(confined(makes_a_file_elsewhere), EACCES);
	assert_int_equal(confined(removes_beside_it), EACCES);
	assert_int_equal(confined(starts_a_program), EACCES);
	assert_true(confined(connects) == EACCES || confined(connects) == ECONNREFUSED);        /* kernels before 6.7 */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(needed_calls_work, set_up, tear_down),
		cmocka_unit_test_setup_teardown(other_calls_are_refused, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
