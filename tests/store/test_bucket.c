/* test_bucket.c - where the objects of a bucket are, by the variables. */
#include "fixture.h"

#include <string.h>

#include "store/bucket.h"
#include "text/bucket_target.h"

static struct { const char *endpoint, *region; } given;

static char *variable(const char *name)
{
	const char *value = strcmp(name, "AWS_ENDPOINT_URL") == 0 ? given.endpoint : strcmp(name, "AWS_REGION") == 0 ? given.region : NULL;
	char *copy;

	memcpy(&copy, &value, sizeof copy);
	return copy;
}

static const struct { const char *endpoint, *region, *text, *origin, *path, *signed_region; } cases[] = {
	{ NULL, "eu-west-1", "s3://runs", "https://runs.s3.eu-west-1.amazonaws.com", "/", "eu-west-1" },
	{ NULL, "eu-west-1", "s3://runs/a/b", "https://runs.s3.eu-west-1.amazonaws.com", "/a/b/", "eu-west-1" },
	{ NULL, "eu-west-1", "s3://my.runs/a/", "https://s3.eu-west-1.amazonaws.com", "/my.runs/a/", "eu-west-1" },
	{ NULL, "cn-north-1", "s3://runs/", "https://runs.s3.cn-north-1.amazonaws.com.cn", "/", "cn-north-1" },
	{ "http://127.0.0.1:9000", NULL, "s3://runs/a", "http://127.0.0.1:9000", "/runs/a/", "us-east-1" },
	{ "https://store/s3/", "here", "s3://runs//a", "https://store", "/s3/runs//a/", "here" },
	{ "http://[::1]:9000/", NULL, "s3://my.runs", "http://[::1]:9000", "/my.runs/", "us-east-1" },
};

static void test_addresses(void **state)
{
	struct bucket b;

	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		given.endpoint = cases[i].endpoint;
		given.region = cases[i].region;
		assert_true(bucket_target_named(cases[i].text));
		assert_int_equal(bucket_read(&b, cases[i].text, "--to", variable, NULL), 0);
		assert_string_equal(b.origin, cases[i].origin);
		assert_string_equal(b.path, cases[i].path);
		assert_string_equal(b.region, cases[i].signed_region);
		assert_ptr_equal(bucket_host(&b), strstr(b.origin, "://") + 3);
	}
}

/* None of them can lead to another host. */
static void test_refused(void **state)
{
	static const char *const names[] = { "s3://", "s3://ab", "s3://-ab", "s3://a/b", "s3://evil.example#", "s3://a@b", "s3://Runs" };
	static const char *const regions[] = { "", "eu/..", "x.example#", "a@b" };
	struct bucket b;

	(void)state;
	given.endpoint = NULL;
	given.region = "eu-west-1";
	for (size_t i = 0; i < countof(names); i++)
		assert_int_equal(bucket_read(&b, names[i], "--to", variable, NULL), -EINVAL);
	for (size_t i = 0; i < countof(regions); i++) {
		given.region = regions[i];
		assert_int_equal(bucket_read(&b, "s3://runs", "--to", variable, NULL), -EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_addresses), cmocka_unit_test(test_refused) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
