/* test_notifier.c - notification by a number in shared memory, and by a file of lines. */
#include "fixture.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <linux/futex.h>

#include "regions/notifier.h"
#include "regions/line_file.h"

enum { SOON_MS = 20, HANGS_MS = ENOUGH_SECONDS * 1000 };

static bool readable(int fd, int wait_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, wait_ms) == 1;
}

/* The same as the public header does. */
static void ring(uint32_t *number)
{
	(void)__atomic_fetch_add(number, 1, __ATOMIC_RELEASE);
	(void)syscall(SYS_futex, number, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void test_a_number_rings(void **state)
{
	(void)state;
	struct notifier b;
	uint32_t *number = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(number != MAP_FAILED);
	assert_int_equal(notifier_open(&b, number), 0);
	ring(number);
	assert_false(readable(b.fd, SOON_MS));          /* not armed */
	notifier_arm(&b, 1);
	assert_false(readable(b.fd, SOON_MS));          /* that ring was answered */
	ring(number);
	assert_true(readable(b.fd, HANGS_MS));
	assert_true(notifier_fired(&b));
	assert_false(notifier_fired(&b));
	ring(number);
	assert_false(readable(b.fd, SOON_MS));          /* once */
	notifier_arm(&b, 2);
	assert_true(readable(b.fd, HANGS_MS));          /* it was rung meanwhile */
	assert_true(notifier_fired(&b));
	notifier_close(&b);                                 /* while no thread waits */
	assert_int_equal(b.fd, -1);
	notifier_close(&b);

	assert_int_equal(notifier_open(&b, number), 0);
	notifier_arm(&b, *number);
	notifier_close(&b);                                 /* while a thread waits */
	(void)munmap(number, 4096);
}

static void test_a_line_rings(void **state)
{
	(void)state;
	struct line_file f;
	char path[64];

	assert_int_equal(line_file_open(&f), 0);
	line_file_address(path, sizeof path, &f);

	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(f.watch, -1);
	assert_int_equal(write(fd, "begin x\n", 8), 8);
	line_file_watch(&f);
	if (f.watch < 0)                                /* no inotify here: lines wait for samples */
		skip();
	assert_false(readable(f.watch, SOON_MS));
	assert_int_equal(write(fd, "end x\n", 6), 6);
	assert_true(readable(f.watch, HANGS_MS));
	assert_true(line_file_changed(&f));
	assert_int_equal(write(fd, "begin x\n", 8), 8);
	assert_false(readable(f.watch, SOON_MS));       /* once */
	assert_false(line_file_changed(&f));
	(void)close(fd);
	line_file_close(&f);
	assert_int_equal(f.watch, -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_number_rings),
		cmocka_unit_test(test_a_line_rings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
