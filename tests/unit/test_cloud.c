/* test_cloud.c - the facts of a cloud: which texts are taken, and that they come back as they were. */
#include "fixture.h"

#include <string.h>

#include "core/cloud.h"
#include "core/devices.h"

static void texts_are_names_or_nothing(void **state)
{
	static const char *const wrong[] = {
		"", " ", "unknown", "a b", "a\r\nX: 1", "<b>", "{}", "a\x01", "\xff\xfe", "\xc3\xa4", "0123456789abcdef", "a\"",
	};
	char text[16] = "kept";

	(void)state;
	for (size_t i = 0; i < countof(wrong); i++)
		assert_false(cloud_text(text, sizeof text, word_of(wrong[i])));
	assert_false(cloud_text(text, sizeof text, (struct word){ "a\0b", 3 }));
	assert_string_equal(text, "kept");
	assert_true(cloud_text(text, sizeof text, word_of(" \teu-1.A_/:9\r\n")));
	assert_string_equal(text, "eu-1.A_/:9");
	assert_true(cloud_text(text, sizeof text, word_of("0123456789abcde")));
}

static struct cloud read_back(const char *json, size_t n)
{
	struct json_value v;
	struct cloud c;

	assert_int_equal(json_parse(&v, json, n), 0);
	cloud_read(&c, v);
	return c;
}

static void an_object_is_read_as_written(void **state)
{
	const struct cloud known = {
		.asked = true, .vendor = "gcp", .region = "europe-west1", .zone = "europe-west1-b", .spot = SPOT_NO, .seconds = 0.25,
	};
	struct buffer out = { 0 };
	struct json j = json_to(&out);
	struct cloud c;

	(void)state;
	cloud_json(&j, &known);
	c = read_back(out.at, out.len);
	assert_true(c.asked && c.spot == SPOT_NO && c.seconds >= 0.25 && c.seconds <= 0.25);
	assert_string_equal(c.vendor, "gcp");
	assert_string_equal(c.zone, "europe-west1-b");
	assert_string_equal(c.instance_type, "");
	buffer_clear(&out);
	cloud_words(&out, &c);
	buffer_char(&out, '\0');
	assert_string_equal(out.at, "gcp in europe-west1 (europe-west1-b)");
	buffer_release(&out);
}

static void a_hostile_object_is_unknown(void **state)
{
	static const char hostile[] = "{\"vendor\":\"<script>\",\"region\":[1],\"zone\":null,\"account\":\"1\\u0000\","
				      "\"instance_type\":\"a\\nb\",\"spot\":\"yes\",\"seconds\":\"x\"}";
	struct cloud c = read_back(hostile, strlen(hostile));

	(void)state;
	assert_true(c.asked && is_none(c.seconds) && c.spot == SPOT_UNKNOWN);
	assert_true(!*c.vendor && !*c.region && !*c.zone && !*c.account && !*c.instance_type);
	assert_false(read_back("null", 4).asked);
}

static void devices_are_counted_once(void **state)
{
	struct sample *s = calloc(1, sizeof *s);
	struct devices d = { .read = false };
	struct disk_row *disk;
	struct gpu_row *gpu;

	(void)state;
	assert_non_null(s);
	sample_clear(s);
	disk = sample_add_disk(s, "sda");
	disk->capacity_bytes = 1e9;
	disk->counted_in_total = 1;
	disk = sample_add_disk(s, "dm-0");
	disk->capacity_bytes = 1e9;
	disk->counted_in_total = 0;
	gpu = sample_add_gpu(s, "GPU-1");
	(void)strcpy(gpu->name, "Big");
	gpu->vram_total_bytes = 8e9;
	gpu = sample_add_gpu(s, "MIG-1");
	(void)strcpy(gpu->parent, "GPU-1");
	gpu->vram_total_bytes = 4e9;
	devices_see(&d, s);
	assert_true(d.read && d.disk_bytes >= 1e9 && d.disk_bytes <= 1e9 && d.gpus == 1);
	assert_true(d.gpu_memory_bytes >= 8e9 && d.gpu_memory_bytes <= 8e9);
	assert_string_equal(d.gpu_model, "Big");
	sample_clear(s);
	devices_see(&d, s);
	assert_int_equal(d.gpus, 1);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_names_or_nothing), cmocka_unit_test(an_object_is_read_as_written),
		cmocka_unit_test(a_hostile_object_is_unknown), cmocka_unit_test(devices_are_counted_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
