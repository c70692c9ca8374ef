/* test_sigv4.c - signatures against those that AWS publishes: its test suite, and the examples of S3's reference. */
#include "fixture.h"

#include <string.h>

#include "store/sigv4.h"

/* Everything that a case does not name is that of the suite. */
static const struct sigv4_keys suite_keys = { "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", NULL };
enum { SUITE_TIME = 1440938160, S3_TIME = 1369353600 };         /* 2015-08-30T12:36:00Z, 2013-05-24T00:00:00Z */
#define UNRESERVED "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
#define FORM "Param1=value1"
#define FORM_HASH "9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e"

static const struct {
	const char *name, *method, *path;
	struct sigv4_pair query[3], headers[3];
	const char *signature;
} suite[] = {
	{ "get-vanilla", "GET", "/", { { 0 } }, { { 0 } },
	  "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31" },
	{ "get-relative-relative", "GET", "/example1/example2/../..", { { 0 } }, { { 0 } },
	  "dc33e0856fd4baca4d7aa2146c38958283844764f38c74252a333df5e613003b" },
	{ "get-relative", "GET", "/example/..", { { 0 } }, { { 0 } },
	  "eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282" },
	{ "get-slash-dot-slash", "GET", "/./", { { 0 } }, { { 0 } },
	  "68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145" },
	{ "get-slash-pointless-dot", "GET", "/./example", { { 0 } }, { { 0 } },
	  "beb03f223f7deae4146464f06e29eebbee9c8afbe15c290cf07aa8b119e14cff" },
	{ "get-slash", "GET", "//", { { 0 } }, { { 0 } },
	  "c88bcd3d312d75078c0cd961d6deae3f4c754924b01669efcfcb439fd5e5b76e" },
	{ "get-slashes", "GET", "//example//", { { 0 } }, { { 0 } },
	  "87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5" },
	{ "get-space", "GET", "/example space/", { { 0 } }, { { 0 } },
	  "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741" },
	{ "get-unreserved", "GET", "/" UNRESERVED, { { 0 } }, { { 0 } },
	  "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f" },
	{ "get-utf8", "GET", "/\u1234", { { 0 } }, { { 0 } },
	  "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85" },
	{ "get-vanilla-empty-query-key", "GET", "/", { { "Param1", "value1" } }, { { 0 } },
	  "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb" },
	{ "get-vanilla-query-order-encoded", "GET", "/",
	  { { "Param-3", "Value3" }, { "Param", "Value2" }, { "\u1234", "Value1" } }, { { 0 } },
	  "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac" },
	{ "get-vanilla-query-order-key-case", "GET", "/", { { "Param2", "value2" }, { "Param1", "value1" } }, { { 0 } },
	  "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500" },
	{ "get-vanilla-query-unreserved", "GET", "/", { { UNRESERVED, UNRESERVED } }, { { 0 } },
	  "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197" },
	{ "get-vanilla-utf8-query", "GET", "/", { { "\u1234", "bar" } }, { { 0 } },
	  "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04" },
	{ "post-vanilla", "POST", "/", { { 0 } }, { { 0 } },
	  "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b" },
	{ "post-header-key-sort", "POST", "/", { { 0 } }, { { "my-header1", "value1" } },
	  "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c" },
	{ "post-header-value-case", "POST", "/", { { 0 } }, { { "my-header1", "VALUE1" } },
	  "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d" },
	{ "post-vanilla-query", "POST", "/", { { "Param1", "value1" } }, { { 0 } },
	  "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11" },
	{ "post-x-www-form-urlencoded", "POST", "/", { { 0 } },
	  { { "x-amz-content-sha256", FORM_HASH }, { "content-type", "application/x-www-form-urlencoded" }, { "content-length", "13" } },
	  "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b" },
};

static size_t pairs(const struct sigv4_pair *at, size_t most)
{
	size_t n = 0;

	while (n < most && at[n].name)
		n++;
	return n;
}

/* The signature alone; valid until the next call. */
static const char *signature_of(const struct sigv4_request *r, const struct sigv4_keys *keys)
{
	static struct buffer text;
	const char *at;

	buffer_clear(&text);
	sigv4_sign(&text, r, keys);
	buffer_char(&text, '\0');
	assert_false(text.failed);
	at = strstr(text.at, "Signature=");
	assert_non_null(at);
	return at + strlen("Signature=");
}

static void test_the_published_suite(void **state)
{
	char empty[SHA256_TEXT];

	(void)state;
	sha256_text(empty, "", 0);
	for (size_t i = 0; i < countof(suite); i++) {
		bool form = strcmp(suite[i].name, "post-x-www-form-urlencoded") == 0;
		struct sigv4_request r = {
			.method = suite[i].method, .host = "example.amazonaws.com", .path = suite[i].path,
			.query = suite[i].query, .n_query = pairs(suite[i].query, 3), .headers = suite[i].headers,
			.n_headers = pairs(suite[i].headers, 3),
			.payload_sha256 = form ? FORM_HASH : empty, .region = "us-east-1", .service = "service",
			.unix_seconds = SUITE_TIME,
		};

		assert_string_equal(signature_of(&r, &suite_keys), suite[i].signature);
	}
}

static void test_a_session_token_is_signed(void **state)
{
	struct sigv4_keys keys = suite_keys;
	char empty[SHA256_TEXT];
	struct sigv4_request r = {
		.method = "GET", .host = "example.amazonaws.com", .path = "/", .payload_sha256 = empty, .region = "us-east-1",
		.service = "service", .unix_seconds = SUITE_TIME,
	};
	struct buffer text = { 0 };

	(void)state;
	sha256_text(empty, "", 0);
	keys.token = "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267";
	assert_string_equal(signature_of(&r, &keys), "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8");
	sigv4_sign(&text, &r, &keys);
	buffer_char(&text, '\0');
	assert_string_equal(text.at, "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
				     "SignedHeaders=host;x-amz-date;x-amz-security-token, "
				     "Signature=07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8");
	buffer_release(&text);
}

/* What S3 signs: the hash of the body as a header, too. */
static struct sigv4_request s3_request(const char *method, const char *host, const char *path, struct sigv4_pair *hash)
{
	return (struct sigv4_request){
		.method = method, .host = host, .path = path, .headers = hash, .n_headers = 1,
		.payload_sha256 = hash->value,
		.region = "us-east-1", .service = "s3", .unix_seconds = S3_TIME,
	};
}

static const struct sigv4_keys s3_keys = { "AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", NULL };
static const char S3_HOST[] = "examplebucket.s3.amazonaws.com";

static void test_the_examples_of_s3(void **state)
{
	char empty[SHA256_TEXT], welcome[SHA256_TEXT];
	struct sigv4_pair get[2] = { { "x-amz-content-sha256", empty }, { "range", "bytes=0-9" } };
	struct sigv4_pair put[3] = {
		{ "x-amz-content-sha256", welcome }, { "date", "Fri, 24 May 2013 00:00:00 GMT" },
		{ "x-amz-storage-class", "REDUCED_REDUNDANCY" },
	};
	const struct sigv4_pair lifecycle[] = { { "lifecycle", "" } };
	const struct sigv4_pair list[] = { { "prefix", "J" }, { "max-keys", "2" } };
	struct sigv4_request r;

	(void)state;
	sha256_text(empty, "", 0);
	sha256_text(welcome, "Welcome to Amazon S3.", 21);
	r = s3_request("GET", S3_HOST, "/test.txt", get);
	r.n_headers = 2;
	assert_string_equal(signature_of(&r, &s3_keys), "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
	r = s3_request("PUT", S3_HOST, "/test$file.text", put);
	r.n_headers = 3;
	assert_string_equal(signature_of(&r, &s3_keys), "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd");
	r = s3_request("GET", S3_HOST, "/", get);
	r.query = lifecycle;
	r.n_query = 1;
	assert_string_equal(signature_of(&r, &s3_keys), "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
	r.query = list;
	r.n_query = 2;
	assert_string_equal(signature_of(&r, &s3_keys), "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

/* A key with a session's token, as trackers send their batches; and what a wrong part of it does. */
static void test_each_part_counts(void **state)
{
	static const char wanted[] = "9ac10526164cd6357068f985f3af4a5802a3e13797780c382d44d1013356e994";
	char empty[SHA256_TEXT], other[SHA256_TEXT];
	struct sigv4_pair hash = { "x-amz-content-sha256", empty };
	struct sigv4_keys keys = s3_keys, wrong;
	struct sigv4_request r, changed;

	(void)state;
	sha256_text(empty, "", 0);
	sha256_text(other, "x", 1);
	keys.token = "AQoDYXdzEJr//////////token";
	r = s3_request("PUT", "examplebucket.s3.us-east-1.amazonaws.com", "/test/object.csv.gz", &hash);
	assert_string_equal(signature_of(&r, &keys), wanted);
	changed = r;
	changed.payload_sha256 = other;
	assert_string_not_equal(signature_of(&changed, &keys), wanted);
	changed = r;
	changed.region = "eu-central-1";
	assert_string_not_equal(signature_of(&changed, &keys), wanted);
	wrong = keys;
	wrong.token = "AQoDYXdzEJr//////////token2";
	assert_string_not_equal(signature_of(&r, &wrong), wanted);
	wrong.token = "";
	assert_string_not_equal(signature_of(&r, &wrong), wanted);
}

static void test_odd_keys_and_queries(void **state)
{
	const struct sigv4_pair part[] = { { "uploadId", "a/b+c=" }, { "partNumber", "2" } };
	const struct sigv4_pair many[SIGV4_PAIRS_MAX + 1] = { { "", "" } };
	struct buffer out = { 0 };

	(void)state;
	sigv4_path(&out, "/run=a b/\u00fc+c%.gz?#&");
	buffer_char(&out, ' ');
	sigv4_query(&out, part, 2);
	buffer_char(&out, '\0');
	assert_string_equal(out.at, "/run%3Da%20b/%C3%BC%2Bc%25.gz%3F%23%26 partNumber=2&uploadId=a%2Fb%2Bc%3D");
	buffer_clear(&out);
	sigv4_query(&out, many, countof(many));
	assert_true(out.failed);
	buffer_release(&out);
}

static void test_a_piece_of_a_file(void **state)
{
	char name[] = "/tmp/resource-tracker-sigv4-XXXXXX", wanted[SHA256_TEXT], hash[SHA256_TEXT];
	auto_close int fd = mkstemp(name);

	(void)state;
	assert_true(fd >= 0);
	(void)unlink(name);
	assert_int_equal(write(fd, "0123456789", 10), 10);
	sha256_text(wanted, "345", 3);
	assert_int_equal(sha256_file(hash, fd, 3, 3), 0);
	assert_string_equal(hash, wanted);
	assert_int_equal(sha256_file(hash, fd, 8, 3), -EIO);
	assert_string_equal(hash, wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_published_suite), cmocka_unit_test(test_a_session_token_is_signed),
		cmocka_unit_test(test_the_examples_of_s3), cmocka_unit_test(test_each_part_counts),
		cmocka_unit_test(test_odd_keys_and_queries), cmocka_unit_test(test_a_piece_of_a_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
