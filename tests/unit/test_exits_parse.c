/* test_exits_parse.c - what the kernel says of tasks that ended, as Linux 6.18 said it and as it never would. */
#include "fixture.h"

#include <linux/taskstats.h>
#include <stdio.h>
#include <string.h>

#include "kernel/exits_parse.h"

enum { FAMILY = 31 };                           /* on the machine of the recordings */
/* Where things are in the recording of one task: its attributes, and its statistics. */
enum { AGGREGATE = 20, STATISTICS = 36 };

struct recording { unsigned char at[4096]; size_t len; };

static struct recording recording(const char *name)
{
	struct recording r;
	char path[256];
	FILE *file;

	(void)snprintf(path, sizeof path, "%s/../fuzz/corpus/exits/%s", FIXTURES, name);
	file = fopen(path, "rb");
	assert_non_null(file);
	r.len = fread(r.at, 1, sizeof r.at, file);
	assert_int_equal(fclose(file), 0);
	assert_true(r.len > 0);
	return r;
}

static struct exit_message only_message(const struct recording *r)
{
	struct datagram_bytes bytes = { r->at, r->len };
	struct exit_message m, none;

	assert_int_equal(exit_next(&bytes, FAMILY, &m), 1);
	assert_int_equal(exit_next(&bytes, FAMILY, &none), 0);
	return m;
}

static void a_process_that_ended(void **state)
{
	struct recording r = recording("task");
	struct exit_message m = only_message(&r);

	(void)state;
	assert_int_equal(m.kind, EXIT_TASK);
	assert_int_equal(m.task, 0x69ed);
	assert_int_equal(m.process, 0x69ed);
	assert_int_equal(m.parent, 0x69ec);
	assert_string_equal(m.name, "true");
	assert_int_equal(m.peak_bytes, 980 * 1024);
}

/* Its first thread ended last here, and with it comes a sum over all of them that holds no memory. */
static void threads_of_a_process(void **state)
{
	struct recording one = recording("thread"), last = recording("threads");
	struct exit_message of_one = only_message(&one), of_last = only_message(&last);

	(void)state;
	assert_int_equal(of_one.process, of_last.process);
	assert_int_equal(of_one.parent, of_last.parent);
	assert_true(of_one.task != of_one.process);
	assert_int_equal(of_last.task, of_last.process);
	assert_string_equal(of_one.name, "python3");
	assert_string_equal(of_last.name, "python3");
	assert_in_range(of_last.peak_bytes, 50 << 20, 80 << 20);
	assert_in_range(of_one.peak_bytes, 50 << 20, of_last.peak_bytes);
}

static void the_number_of_the_family(void **state)
{
	struct recording r = recording("family");
	struct exit_message m = only_message(&r);

	(void)state;
	assert_int_equal(m.kind, EXIT_FAMILY);
	assert_int_equal(m.family, FAMILY);
}

static void a_refusal(void **state)
{
	struct recording r = recording("error");
	struct exit_message m = only_message(&r);

	(void)state;
	assert_int_equal(m.kind, EXIT_ERROR);
	assert_int_equal(m.error, -ENOENT);
}

static void another_family_is_not_for_us(void **state)
{
	struct recording r = recording("task");
	struct datagram_bytes bytes = { r.at, r.len };
	struct exit_message m;

	(void)state;
	assert_int_equal(exit_next(&bytes, FAMILY + 1, &m), 1);
	assert_int_equal(m.kind, EXIT_OTHER);
	bytes = (struct datagram_bytes){ r.at, r.len };
	assert_int_equal(exit_next(&bytes, 0, &m), 1);
	assert_int_equal(m.kind, EXIT_OTHER);
}

/* Before Linux 5.19 nobody says whose thread it is. */
static void older_kernels_tell_less(void **state)
{
	struct recording r = recording("thread");
	uint16_t version = 11;
	struct exit_message m = only_message(&r);

	(void)state;
	assert_true(m.task != m.process);
	memcpy(r.at + STATISTICS, &version, sizeof version);
	m = only_message(&r);
	assert_int_equal(m.process, m.task);
	assert_in_range(m.peak_bytes, 50 << 20, 80 << 20);
}

/* What a longer structure of a later kernel did not leave room for is behind all that is looked at. */
static void what_is_cut_is_understood_as_far_as_it_goes(void **state)
{
	struct recording r = recording("threads");
	size_t needed = STATISTICS + offsetof(struct taskstats, hiwater_rss) + sizeof(uint64_t);

	(void)state;
	for (size_t len = 0; len <= r.len; len++) {
		unsigned char *exactly = malloc(len + 1);
		struct datagram_bytes bytes = { exactly, len };
		struct exit_message m;

		assert_non_null(exactly);
		memcpy(exactly, r.at, len);

		int got = exit_next(&bytes, FAMILY, &m);

		assert_int_equal(got, len == 0 ? 0 : len < needed ? -EBADMSG : 1);
		assert_int_equal(bytes.len, 0);
		if (got == 1)
			assert_in_range(m.peak_bytes, 50 << 20, 80 << 20);
		free(exactly);
	}
}

static void what_is_wrong_is_no_message(void **state)
{
	struct { size_t at; uint32_t value; } cases[] = {
		{ 0, 15 },                      /* shorter than its head */
		{ AGGREGATE, 3 },               /* an attribute likewise */
		{ STATISTICS + offsetof(struct taskstats, ac_pid), 0 },
		{ STATISTICS + offsetof(struct taskstats, ac_pid), 0x80000001 },
		{ STATISTICS + offsetof(struct taskstats, ac_tgid), 0x80000001 },
	};

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct recording r = recording("task");
		struct datagram_bytes bytes = { r.at, r.len };
		struct exit_message m;

		memcpy(r.at + cases[i].at, &cases[i].value, sizeof cases[i].value);
		assert_int_equal(exit_next(&bytes, FAMILY, &m), -EBADMSG);
		assert_int_equal(exit_next(&bytes, FAMILY, &m), 0);
	}
}

static void requests(void **state)
{
	struct exit_request family = exit_request_family(), on = exit_request_listen(FAMILY, true, "0-3"),
			    off = exit_request_listen(FAMILY, false, "0-3");

	(void)state;
	assert_int_equal(family.header.nlmsg_type, GENL_ID_CTRL);
	assert_string_equal(family.value, "TASKSTATS");
	assert_int_equal(family.attribute.nla_len, sizeof family.attribute + sizeof "TASKSTATS");
	assert_int_equal(family.header.nlmsg_len, offsetof(struct exit_request, value) + 12);
	assert_int_equal(on.header.nlmsg_type, FAMILY);
	assert_int_equal(on.attribute.nla_type, TASKSTATS_CMD_ATTR_REGISTER_CPUMASK);
	assert_int_equal(off.attribute.nla_type, TASKSTATS_CMD_ATTR_DEREGISTER_CPUMASK);
	assert_string_equal(on.value, "0-3");
	assert_int_equal(on.header.nlmsg_len, offsetof(struct exit_request, value) + 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_that_ended), cmocka_unit_test(threads_of_a_process),
		cmocka_unit_test(the_number_of_the_family), cmocka_unit_test(a_refusal),
		cmocka_unit_test(another_family_is_not_for_us), cmocka_unit_test(older_kernels_tell_less),
		cmocka_unit_test(what_is_cut_is_understood_as_far_as_it_goes),
		cmocka_unit_test(what_is_wrong_is_no_message), cmocka_unit_test(requests),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
