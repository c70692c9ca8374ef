/* test_keys.c - the bytes of a terminal as keys. */
#include "fixture.h"

#include <string.h>

#include "top/keys.h"

static void put(struct keys *k, const char *bytes)
{
	for (; *bytes; bytes++) {
		size_t room;
		char *at = keys_room(k, &room);

		assert_in_range(room, 1, sizeof k->at);
		*at = *bytes;
		keys_came(k, 1);
	}
}

static void every_key_has_its_bytes(void **state)
{
	static const struct { const char *bytes; int code; } all[] = {
		{ "q", 'q' }, { "?", '?' }, { " ", ' ' }, { "\t", KEY_TAB }, { "\003", KEY_CONTROL_C },
		{ "\033[A", KEY_UP }, { "\033OA", KEY_UP }, { "\033[B", KEY_DOWN }, { "\033[C", KEY_RIGHT },
		{ "\033[D", KEY_LEFT }, { "\033[5~", KEY_PAGE_UP }, { "\033[6~", KEY_PAGE_DOWN }, { "\033[H", KEY_HOME },
		{ "\033[1~", KEY_HOME }, { "\033[F", KEY_END }, { "\033OP", KEY_F1 }, { "\033[11~", KEY_F1 },
		{ "\033[[A", KEY_F1 }, { "\033[21~", KEY_F10 }, { "\033[1;5A", KEY_OTHER }, { "\033[99~", KEY_OTHER },
		{ "\033[<2;3;4M", KEY_OTHER }, { "\033[<0;3;4m", KEY_OTHER }, { "\033[<0;0;4M", KEY_OTHER },
	};
	struct keys k = { .len = 0 };
	struct key key;

	(void)state;
	for (size_t i = 0; i < countof(all); i++) {
		put(&k, all[i].bytes);
		assert_true(keys_next(&k, false, &key));
		assert_int_equal(key.code, all[i].code);
		assert_false(keys_next(&k, false, &key));
		assert_int_equal(k.len, 0);
	}
}

static void a_click_has_a_place(void **state)
{
	struct keys k = { .len = 0 };
	struct key key;

	(void)state;
	put(&k, "\033[<0;12;7M\033[<64;1;1M\033[<65;1;1M");
	assert_true(keys_next(&k, false, &key));
	assert_int_equal(key.code, KEY_CLICK);
	assert_int_equal(key.row, 6);
	assert_int_equal(key.column, 11);
	assert_true(keys_next(&k, false, &key));
	assert_int_equal(key.code, KEY_WHEEL_UP);
	assert_true(keys_next(&k, false, &key));
	assert_int_equal(key.code, KEY_WHEEL_DOWN);
}

/* A slow line brings a sequence in pieces; ESC alone is a key once nothing follows. */
static void a_key_can_come_in_pieces(void **state)
{
	struct keys k = { .len = 0 };
	struct key key;

	(void)state;
	for (const char *at = "\033[<0;1"; *at; at++) {
		put(&k, (char[]){ *at, '\0' });
		assert_false(keys_next(&k, false, &key));
	}
	put(&k, "0;5Mq");
	assert_true(keys_next(&k, false, &key));
	assert_int_equal(key.code, KEY_CLICK);
	assert_int_equal(key.column, 9);
	assert_true(keys_next(&k, false, &key));
	assert_int_equal(key.code, 'q');
	put(&k, "\033");
	assert_false(keys_next(&k, false, &key));
	assert_true(keys_next(&k, true, &key));
	assert_int_equal(key.code, KEY_ESCAPE);
}

static void rubbish_does_no_harm(void **state)
{
	struct keys k = { .len = 0 };
	struct key key;
	unsigned seed = 7;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		seed = seed * 1103515245 + 12345;
		put(&k, (char[]){ "\033[O<;0199MmA~q\xff"[(seed >> 16) % 16], '\0' });
		while (seed % 3 == 0 && keys_next(&k, seed % 5 == 0, &key))
			assert_true(key.code > KEY_NONE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_key_has_its_bytes), cmocka_unit_test(a_click_has_a_place),
		cmocka_unit_test(a_key_can_come_in_pieces), cmocka_unit_test(rubbish_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
