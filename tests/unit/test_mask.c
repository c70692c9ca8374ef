/* test_mask.c - command lines without their secrets. */
#include "fixture.h"

#include <string.h>

#include "text/mask.h"

/* The arguments, separated by '|', as they are recorded. */
static void check(const char *arguments, const char *expected)
{
	struct buffer out = { 0 };
	char copy[512];
	bool secret = false;

	strcpy(copy, arguments);
	for (char *at = copy, *next; at; at = next) {
		next = strchr(at, '|');
		if (next)
			*next++ = '\0';
		secret = mask_argument(&out, at, secret);
		if (next)
			buffer_char(&out, '|');
	}
	buffer_char(&out, '\0');
	assert_string_equal(out.at, expected);
	buffer_release(&out);
}

static void what_is_named_like_a_secret_is_hidden(void **state)
{
	(void)state;
	check("curl|--api-key=abc|x", "curl|--api-key=***|x");
	check("curl|--api-key|abc|x", "curl|--api-key|***|x");
	check("curl|--API_TOKEN|a b c|x", "curl|--API_TOKEN|***|x");
	check("mysql|-password|abc", "mysql|-password|***");
	check("env|AWS_SECRET_ACCESS_KEY=abc|run", "env|AWS_SECRET_ACCESS_KEY=***|run");
	check("docker|run|--env=DB_PASSWD=abc=d", "docker|run|--env=DB_PASSWD=***");
	check("java|-Dpassword=x|Main", "java|-Dpassword=***|Main");
	check("x|--token|-weird", "x|--token|***");
	check("x|--token", "x|--token");
	check("x|--token=", "x|--token=");
	check("curl|https://h/p?access_token=abc&b=c", "curl|https://h/p?access_token=***");
}

static void a_switch_does_not_hide_the_next_option(void **state)
{
	(void)state;
	check("x|--use-keyring|--jobs=4|--secret|v", "x|--use-keyring|--jobs=4|--secret|***");
	check("x|--key|--token=v", "x|--key|--token=***");
}

static void what_is_no_secret_stays(void **state)
{
	(void)state;
	check("python|train.py|--epochs=5|--lr|0.1", "python|train.py|--epochs=5|--lr|0.1");
	check("python|keyboard.py|monkey", "python|keyboard.py|monkey");
	check("docker|run|keycloak/keycloak:24", "docker|run|keycloak/keycloak:24");
	check("", "");
	check("a  b\tc ", "a  b\tc ");
	check("ssh://git@host/x|http://host:80/a@b", "ssh://git@host/x|http://host:80/a@b");
}

static void scripts_are_looked_at_word_by_word(void **state)
{
	(void)state;
	check("sh|-c|PASSWORD=abc cmd --api-key v --n 3", "sh|-c|PASSWORD=*** cmd --api-key *** --n 3");
	check("sh|-c|PASSWORD='a b' cmd", "sh|-c|PASSWORD=*** cmd");
	check("curl|-H|X-Api-Key: abc", "curl|-H|X-Api-Key: ***");
	check("curl|-H|Authorization: Bearer abc|x", "curl|-H|Authorization: Bearer ***|x");
	check("curl|-d|{\"user\":\"a\",\"password\":\"b\"}", "curl|-d|{\"user\":\"a\",\"password\":***");
	check("curl|-d|{\"token\": \"b\"}", "curl|-d|{\"token\": ***");
}

static void passwords_of_addresses_are_hidden(void **state)
{
	(void)state;
	check("git|clone|https://me:pw@host/x", "git|clone|https://me:***@host/x");
	check("psql|postgres://me:p@ss@host:5432/db", "psql|postgres://me:***@host:5432/db");
	check("git|clone|https://ghp_abc@github.com/x", "git|clone|https://***@github.com/x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_named_like_a_secret_is_hidden),
		cmocka_unit_test(a_switch_does_not_hide_the_next_option),
		cmocka_unit_test(what_is_no_secret_stays),
		cmocka_unit_test(scripts_are_looked_at_word_by_word),
		cmocka_unit_test(passwords_of_addresses_are_hidden),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
