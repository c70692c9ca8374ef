/* test_sentinel.c - what the service Sentinel answers, and what it is sent. */
#include "fixture.h"

#include <string.h>

#include "push/sentinel_answer.h"
#include "push/sentinel_body.h"

static void test_times(void **state)
{
	static const struct { const char *text; int64_t seconds; } times[] = {
		{ "1970-01-01T00:00:00Z", 0 }, { "2026-11-25T18:00:00Z", 1795629600 }, { "2026-11-25T18:00:00", 1795629600 },
		{ "2026-11-25 18:00:00.123456Z", 1795629600 }, { "2026-11-25T18:00:00+00:00", 1795629600 },
		{ "2026-11-25T20:00:00+02:00", 1795629600 }, { "2026-11-25T12:30:00.5-0530", 1795629600 },
		{ "2028-02-29T00:00:00Z", 1835395200 }, { "9999-12-31T23:59:59Z", 253402300799 },
	};
	static const char *const others[] = {
		"", "soon", "2026-11-25", "2026-11-25T18:00Z", "2026-13-25T18:00:00Z", "2026-11-32T18:00:00Z", "2026-11-25T24:00:00Z",
		"2026-11-25T18:60:00Z", "2026-11-25T18:00:00+2", "2026-11-25T18:00:00ZZ", "2026-11-25T18:00:00+02:00x", "-026-11-25T18:00:00Z",
	};
	int64_t seconds = 7;

	(void)state;
	for (size_t i = 0; i < countof(times); i++) {
		assert_true(sentinel_read_time(&seconds, times[i].text));
		assert_int_equal(seconds, times[i].seconds);
	}
	seconds = 7;
	for (size_t i = 0; i < countof(others); i++)
		assert_false(sentinel_read_time(&seconds, others[i]));
	assert_int_equal(seconds, 7);
}

static const char ANSWER[] =
	"{\"run_id\":\"r-1\",\"upload_uri_prefix\":\"s3://runs/a\",\"more\":[{}],\"upload_credentials\":{\"access_key\":\"A\","
	"\"secret_key\":\"B/+=\",\"session_token\":\"C\",\"expiration\":\"2026-11-25T18:00:00Z\",\"region\":\"eu-west-1\"}}";

static void test_an_answer(void **state)
{
	struct sentinel_run run;
	struct sentinel_keys keys;

	(void)state;
	assert_int_equal(sentinel_read_run(&run, ANSWER, strlen(ANSWER)), 0);
	assert_string_equal(run.id, "r-1");
	assert_string_equal(run.place, "s3://runs/a");
	assert_int_equal(sentinel_read_keys(&keys, ANSWER, strlen(ANSWER)), 0);
	assert_string_equal(keys.keys.access, "A");
	assert_string_equal(keys.keys.secret, "B/+=");
	assert_string_equal(keys.keys.token, "C");
	assert_string_equal(keys.region, "eu-west-1");
	assert_int_equal(keys.end, 1795629600);
	sentinel_forget_keys(&keys);
	assert_string_equal(keys.keys.secret, "");
}

/* Whatever is wrong in an answer, an id is a part of a path, and keys fit into a header. */
static void test_answers_with_a_wrong_byte(void **state)
{
	static const char bytes[] = { '"', '\\', '\0', '\n', '/', '{', ']', 'x', ' ', (char)0xff };
	char text[sizeof ANSWER];

	(void)state;
	for (size_t i = 0; i < strlen(ANSWER); i++)
		for (size_t b = 0; b <= countof(bytes); b++) {
			size_t n = b < countof(bytes) ? strlen(ANSWER) : i;
			struct sentinel_run run = { .id = "x" };
			struct sentinel_keys keys = { .end = 0 };

			memcpy(text, ANSWER, sizeof text);
			if (b < countof(bytes))
				text[i] = bytes[b];
			if (sentinel_read_run(&run, text, n) == 0)
				assert_true(*run.id && strcspn(run.id, "/\"\\ \n") == strlen(run.id));
			if (sentinel_read_keys(&keys, text, n) == 0)
				assert_true(*keys.keys.access && strcspn(keys.keys.secret, "\r\n ") == strlen(keys.keys.secret));
		}
}

static void test_details(void **state)
{
	static const struct { const char *text, *detail; } cases[] = {
		{ "{\"detail\":\"no run\"}", "no run" }, { "{\"message\":\"a\\u001bb\"}", "a?b" }, { "{\"detail\":[\"x\"]}", "" },
		{ "{\"detail\":\"with SECRET in it\"}", "" }, { "no JSON", "" }, { "", "" }, { "{\"detail\":null,\"error\":\"e\"}", "e" },
	};
	char detail[16];

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		sentinel_read_detail(detail, sizeof detail, cases[i].text, strlen(cases[i].text), "SECRET");
		assert_string_equal(detail, cases[i].detail);
	}
}

static void assert_text(struct buffer *b, const char *text)
{
	buffer_char(b, '\0');
	assert_false(b->failed);
	assert_string_equal(b->at, text);
	buffer_clear(b);
}

static void test_the_end(void **state)
{
	static const struct { enum run_end end; int value; const char *text; } ends[] = {
		{ RUN_EXITED, 0, "{\"exit_code\":0,\"run_status\":\"finished\",\"finished_at\":\"2026-11-25T18:00:00Z\"}" },
		{ RUN_EXITED, 9, "{\"exit_code\":9,\"run_status\":\"failed\",\"finished_at\":\"2026-11-25T18:00:00Z\"}" },
		{ RUN_SIGNALED, 9, "{\"exit_code\":137,\"run_status\":\"failed\",\"finished_at\":\"2026-11-25T18:00:00Z\"}" },
		{ RUN_STOPPED, 15, "{\"exit_code\":0,\"run_status\":\"finished\",\"finished_at\":\"2026-11-25T18:00:00Z\"}" },
		{ RUN_ROOTS_ENDED, 0, "{\"exit_code\":0,\"run_status\":\"finished\",\"finished_at\":\"2026-11-25T18:00:00Z\"}" },
		{ RUN_RUNNING, 0, "{\"run_status\":\"failed\",\"finished_at\":\"2026-11-25T18:00:00Z\"}" },
	};
	const struct sentinel_run run = { .id = "r", .place = "s3://runs/\"a/" };
	struct buffer out = { 0 };

	(void)state;
	for (size_t i = 0; i < countof(ends); i++) {
		const struct record_facts facts = { .status = { .end = ends[i].end, .value = ends[i].value,
								.end_wall_ns = INT64_C(1795629600999999999) } };

		sentinel_write_end(&out, &facts);
		assert_text(&out, ends[i].text);
	}
	sentinel_write_finish(&out, "{\"a\":1}", 7, &run, 2);
	assert_text(&out, "{\"a\":1,\"data_source\":\"s3\",\"data_uris\":[\"s3://runs/\\\"a/r/000000.csv.gz\","
		    "\"s3://runs/\\\"a/r/000001.csv.gz\"]}");
	sentinel_write_finish(&out, "{\"a\":1}", 7, &run, 0);
	assert_text(&out, "{\"a\":1,\"data_source\":\"inline\",\"data_csv\":\"\"}");
	buffer_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times), cmocka_unit_test(test_an_answer),
		cmocka_unit_test(test_answers_with_a_wrong_byte), cmocka_unit_test(test_details),
		cmocka_unit_test(test_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
