/* test_encoding.c - what is sent, byte by byte; and what an answer means. */
#include "fixture.h"

#include <string.h>

#include "http/http.h"
#include "push/protobuf.h"
#include "push/snappy.h"

static struct buffer out;

static void test_protobuf(void **state)
{
	/* A WriteRequest of one series a="b" with the value 1 at 300 ms, written by hand from the specification. */
	static const char wanted[] = "\x0a\x16"                         /* timeseries, 22 bytes */
				     "\x0a\x06" "\x0a\x01" "a" "\x12\x01" "b"
				     "\x12\x0c" "\x09" "\0\0\0\0\0\0\xf0\x3f" "\x10\xac\x02";
	size_t series, inner;

	(void)state;
	buffer_clear(&out);
	series = protobuf_open(&out, 1);
	inner = protobuf_open(&out, 1);
	protobuf_text(&out, 1, "a");
	protobuf_text(&out, 2, "b");
	protobuf_close(&out, inner);
	inner = protobuf_open(&out, 2);
	protobuf_double(&out, 1, 1);
	protobuf_u64(&out, 2, 300);
	protobuf_close(&out, inner);
	protobuf_close(&out, series);
	assert_false(out.failed);
	assert_int_equal(out.len, sizeof wanted - 1);
	assert_memory_equal(out.at, wanted, out.len);
}

static void test_a_long_message_has_a_long_length(void **state)
{
	static char text[100000];

	(void)state;
	memset(text, 'x', sizeof text - 1);
	buffer_clear(&out);

	size_t begin = protobuf_open(&out, 1);

	protobuf_text(&out, 2, text);
	protobuf_close(&out, begin);
	assert_int_equal(out.len, 1 + 3 + 1 + 3 + sizeof text - 1);
	assert_memory_equal(out.at, "\x0a\xa3\x8d\x06\x12\x9f\x8d\x06x", 9);
}

/* Snappy's format read by the letter of its description. */
static void expand(struct buffer *to, const unsigned char *at, size_t n)
{
	const unsigned char *end = at + n;
	size_t length = 0;

	for (unsigned shift = 0;; shift += 7) {
		length |= (size_t)(*at & 127) << shift;
		if (!(*at++ & 128))
			break;
	}
	buffer_clear(to);
	while (at < end) {
		size_t some = (size_t)(*at >> 2) + 1, offset;

		switch (*at++ & 3) {
		case 0:
			if (some > 60) {
				size_t bytes = some - 60;

				some = 1;
				for (size_t i = 0; i < bytes; i++)
					some += (size_t)*at++ << 8 * i;
			}
			buffer_bytes(to, (const char *)at, some);
			at += some;
			break;
		case 2:
			offset = (size_t)(at[0] | at[1] << 8);
			at += 2;
			assert_in_range(offset, 1, to->len);
			for (size_t i = 0; i < some; i++)
				buffer_char(to, to->at[to->len - offset]);
			break;
		default:
			fail_msg("an element that is not written");
		}
	}
	assert_int_equal(to->len, length);
}

static void check(const char *text, size_t n)
{
	static struct buffer back;

	buffer_clear(&out);
	snappy_write(&out, text, n);
	assert_false(out.failed);
	expand(&back, (const unsigned char *)out.at, out.len);
	assert_int_equal(back.len, n);
	if (n > 0)
		assert_memory_equal(back.at, text, n);
}

static void test_snappy(void **state)
{
	static char text[200000];
	uint32_t seed = 1;

	(void)state;
	check("", 0);
	check("a", 1);
	check("abcabcabcabcabcabc", 18);
	memset(text, 0, sizeof text);
	for (size_t n = 0; n < 300; n++)
		check(text, n);
	check(text, sizeof text);
	assert_true(out.len < sizeof text / 15);
	/* Texts of few letters have copies of all lengths and distances; of many letters none. */
	for (unsigned letters = 2; letters < 256; letters *= 3) {
		for (size_t i = 0; i < sizeof text; i++) {
			seed = seed * 1103515245 + 12345;
			text[i] = (char)((seed >> 16) % letters);
		}
		for (size_t n = 1; n < sizeof text; n = n * 3 + 1)
			check(text, n);
		check(text, sizeof text);
		check(text, 1 << 16);
		check(text, (1 << 16) + 1);
	}
}

static void test_verdicts(void **state)
{
	static const struct { struct http_answer answer; enum verdict verdict; } cases[] = {
		{ { .status = 200 }, ACCEPTED }, { { .status = 204 }, ACCEPTED },
		{ { .status = 200, .web_page = true }, LATER }, { { .status = 0 }, LATER },
		{ { .status = 302 }, LATER },
		{ { .status = 429 }, LATER }, { { .status = 500 }, LATER }, { { .status = 503 }, LATER },
		{ { .status = 400 }, REFUSED }, { { .status = 401 }, REFUSED }, { { .status = 404 }, REFUSED },
		{ { .status = 413 }, REFUSED },
	};

	(void)state;
	for (size_t i = 0; i < countof(cases); i++)
		assert_int_equal(http_verdict(&cases[i].answer), cases[i].verdict);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_protobuf), cmocka_unit_test(test_a_long_message_has_a_long_length),
		cmocka_unit_test(test_snappy), cmocka_unit_test(test_verdicts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
