/* test_config.c - the config file: the supported subset of TOML, and its way into the options. */
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "options/config.h"
#include "options/options_reader.h"

static struct why why;
static unsigned line;

/* The entries as "key=type:value,...\n"; on failure "line: message". */
static const char *parsed(const char *text)
{
	static char room[2048];
	static const char letters[] = { [CONFIG_STRING] = 's', [CONFIG_INTEGER] = 'i', [CONFIG_FLOAT] = 'f',
					[CONFIG_BOOLEAN] = 'b' };
	struct arena arena = { 0 };
	struct config config;
	size_t at = 0;

	room[0] = '\0';
	if (config_parse(&config, &arena, text, strlen(text), &line, &why) < 0) {
		(void)snprintf(room, sizeof room, "%u: %s", line, why.text);
		arena_release(&arena);
		return room;
	}
	for (size_t i = 0; i < config.n_entries; i++) {
		const struct config_entry *e = &config.entries[i];

		at += (size_t)snprintf(room + at, sizeof room - at, "%s=%s", e->key, e->array ? "[" : "");
		for (size_t v = 0; v < e->n_values; v++)
			at += (size_t)snprintf(room + at, sizeof room - at, "%s%c:%s", v ? "," : "",
					       letters[e->values[v].type], e->values[v].text);
		at += (size_t)snprintf(room + at, sizeof room - at, "\n");
	}
	arena_release(&arena);
	return room;
}

static void values_of_all_types(void **state)
{
	(void)state;
	assert_string_equal(parsed(
		"\xef\xbb\xbf# a comment\r\n"
		"a = 'C:\\x' # more\n"
		"b=\"q\\\"\\\\\\t\\u00e9\\U0001F600\"\n"
		"c = +1_000\n d = -0.5e1\n e=1e-3\nf = 0xFF\ng = 0b101\nh = true\ni = 0.250\n"),
		"a=s:C:\\x\nb=s:q\"\\\t\xc3\xa9\xf0\x9f\x98\x80\nc=i:1000\nd=f:-5.0\ne=f:0.001\nf=i:255\ng=i:5\n"
		"h=b:true\ni=f:0.250\n");
	assert_string_equal(parsed("a = [ 1, 'x', # one\n\n 2.5 , ]\nb = []"), "a=[i:1,s:x,f:2.5\nb=[\n");
	assert_string_equal(parsed(""), "");
}

static void keys_and_tables(void **state)
{
	(void)state;
	assert_string_equal(parsed("x . 'y z'.\"w\" = 1\n[ a . b ]\nc.d = 2\nc.e = 3\n[a]\n1 = 4\n['']\n\"\" = 5"),
			    "x.\"y z\".w=i:1\na.b.c.d=i:2\na.b.c.e=i:3\na.1=i:4\n\"\".\"\"=i:5\n");
	assert_string_equal(parsed("a = 1\n\na = 2"), "3: 'a' is given a second time");
	assert_string_equal(parsed("a = 1\n[a]"), "2: 'a' is given a second time");
	assert_string_equal(parsed("[a]\n[b]\n[a]"), "3: 'a' is given a second time");
	assert_string_equal(parsed("[a.b]\n[a]\nb.c = 1"), "3: 'a.b' is given a second time");
	assert_string_equal(parsed("a.b = 1\n[a]"), "2: 'a' is given a second time");
	assert_string_equal(parsed("a.b = 1\na.b.c = 1"), "2: 'a.b' is given a second time");
}

static void errors_name_the_line(void **state)
{
	(void)state;
	assert_string_equal(parsed("\n\nx = job"), "3: a value is not a number, true or false; a text needs quotes around it");
	assert_string_equal(parsed("x = \"abc\n"), "1: a string has no closing quote on its line");
	assert_string_equal(parsed("x = 'a' b"), "1: there is more on this line than one entry; a text needs quotes around it");
	assert_string_equal(parsed("x"), "1: a key is not followed by = and a value");
	assert_string_equal(parsed("x ="), "1: a value is missing");
	assert_string_equal(parsed("= 1"), "1: here a key was expected: letters, digits, _ and -, or a text in quotes");
	assert_string_equal(parsed("x = [1\n2]"), "2: in an array a comma or the closing bracket was expected");
	assert_string_equal(parsed("x = [1,\n"), "2: an array has no closing bracket");
	assert_string_equal(parsed("[x"), "1: a [table] has no closing bracket");
	assert_string_equal(parsed("a='1'\nx = 'a\001'"), "2: the text contains a control character");
	assert_non_null(strstr(parsed("x = \"\\q\""), "backslash"));
	assert_non_null(strstr(parsed("x = \"\\ud800\""), "backslash"));
	assert_non_null(strstr(parsed("x = 1979-05-27"), "dates"));
	assert_non_null(strstr(parsed("x = {a = 1}"), "inline tables"));
	assert_non_null(strstr(parsed("x = [[1]]"), "arrays in arrays"));
	assert_non_null(strstr(parsed("[[x]]"), "arrays of tables"));
	assert_non_null(strstr(parsed("x = '''a'''"), "several lines"));
	static const char *const no_numbers[] = { "01", "1__2", "_1", "1_", "1.", ".5", "1.e5", "0x", "+0x1", "- 1", "tru" };

	for (size_t i = 0; i < countof(no_numbers); i++) {
		char text[32];

		(void)snprintf(text, sizeof text, "x = %s", no_numbers[i]);
		assert_non_null(strstr(parsed(text), "not a number"));
	}
}

/* ---- from the file to the options ---- */

static char folder[] = "/tmp/rt-config-XXXXXX", warnings[2048];
static struct options options;

static void collect(const char *sentence)
{
	strcat(strcat(warnings, sentence), "\n");
}

static enum options_outcome reads(const char *file, const char *text, const char *argument, char *variable)
{
	static char program[] = "resource-tracker", flag[64];           /* the options point to it */
	char *argv[] = { program, *argument ? strcpy(flag, argument) : NULL, NULL };
	char *environment[] = { variable, NULL };

	warnings[0] = why.text[0] = '\0';
	(void)unlink("named.toml");
	(void)unlink("resource-tracker.toml");
	if (text) {
		auto_close int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

		assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	}
	options_release(&options);
	return options_read(&options, *argument ? 2 : 1, argv, environment, collect, &why);
}

static void file_is_below_variable_and_flag(void **state)
{
	static const char text[] = "[job]\nname = 'file'\ntags = ['a=b', 'c=d']\nteam = 'file'\n"
		"[tracker]\ninterval_secs = 5\nquiet = true\nonly = ['cpu', 'disk']\ngpus = [0, 2]\ncsv = 'system'\n"
		"duration = 1.5\n";
	static const char own[] = "[job]\npid = [12, '34']\n[record]\npath = 'none'\nkeep_bytes = '2GiB'\nkeep_days = 3\n";
	char team[] = "TRACKER_TEAM=variable", config[] = "RESOURCE_TRACKER_CONFIG=named.toml";

	(void)state;
	assert_int_equal(reads("resource-tracker.toml", text, "-nflag", team), OPTIONS_RUN);
	assert_string_equal(options.run.job_name, "flag");
	assert_string_equal(options.run.team, "variable");
	assert_int_equal(options.run.n_tags, 2);
	assert_string_equal(options.run.tags[1], "c=d");
	assert_near(options.run.interval_seconds, 5);
	assert_true(options.quiet);
	assert_string_equal(options.only, "cpu,disk");
	assert_string_equal(options.gpus, "0,2");
	assert_int_equal(options.format, FORMAT_CSV);
	assert_near(options.duration_seconds, 1.5);
	/* A file found in the working directory cannot choose where records go. */
	assert_int_equal(reads("resource-tracker.toml", own, "", NULL), OPTIONS_RUN);
	assert_int_equal(options.run.n_pids, 0);
	assert_null(options.record);
	assert_non_null(strstr(warnings, "resource-tracker.toml:2: job.pid: not accepted from a folder's file"));
	assert_int_equal(reads("named.toml", own, "", config), OPTIONS_RUN);
	assert_int_equal(options.run.n_pids, 2);
	assert_int_equal(options.run.pids[1], 34);
	assert_string_equal(options.record, "none");
	assert_int_equal(options.record_keep_bytes, UINT64_C(2) << 30);
	assert_near(options.record_keep_days, 3);
	/* With a file that attaches to something, a command is still started. */
	assert_int_equal(reads("named.toml", own, "true", config), OPTIONS_RUN);
	assert_int_equal(options.run.n_pids, 0);
}

static void refuses(const char *text, const char *sentence)
{
	assert_int_equal(reads("named.toml", text, "-cnamed.toml", NULL), OPTIONS_ERROR);
	assert_string_equal(why.text, sentence);
}

static void errors_name_file_and_line(void **state)
{
	char variable[] = "RESOURCE_TRACKER_CONFIG=named.toml";

	(void)state;
	refuses(NULL, "cannot read the config file named.toml: No such file or directory");
	refuses("[tracker]\n\nintervall = 3\n", "named.toml:3: there is no key tracker.intervall; did you mean tracker.interval?");
	refuses("[trakcer]\nquiet = true\n", "named.toml:2: there is no key trakcer.quiet; did you mean tracker.quiet?");
	refuses("interval = 3\n", "named.toml:1: there is no key interval; did you mean tracker.interval?");
	refuses("intervall = 3\n", "named.toml:1: there is no key intervall; did you mean tracker.interval?");
	refuses("[wibble]\nfoo = 3\n", "named.toml:2: there is no key wibble.foo");
	refuses("[tracker]\nquiet = 1\n", "named.toml:2: tracker.quiet: expected true or false, not a number");
	refuses("[job]\nname = 1\n", "named.toml:2: job.name: expected a \"string\", not a number");
	refuses("[job]\nname = ['x']\n", "named.toml:2: job.name: expected a \"string\", not an array");
	refuses("[job]\npid = true\n", "named.toml:2: job.pid: expected a number, a \"string\" or an [array] of these, not true");
	refuses("[tracker]\ninterval = 0\n", "named.toml:2: tracker.interval: '0' is too short; the shortest interval is 0.001 s");
	refuses("[tracker]\ninterval_secs = 1\ninterval = 2\n",
		"named.toml:3: tracker.interval: given twice, here under another name");
	refuses("x", "named.toml:1: a key is not followed by = and a value");
	/* The value is checked even if an option overrides it. */
	assert_int_equal(reads("named.toml", "tracker.interval = -1", "-i1", variable), OPTIONS_ERROR);
	assert_int_equal(reads("resource-tracker.toml", "tracker.interval = 2", "-i1", NULL), OPTIONS_RUN);
	assert_near(options.run.interval_seconds, 1);
	assert_int_equal(reads("named.toml", "tracker.interval = 7", "", variable), OPTIONS_RUN);
	assert_near(options.run.interval_seconds, 7);
	assert_int_equal(reads("resource-tracker.toml", "tracker.foo = 2\n[other]\ninterval = 1\n", "", NULL), OPTIONS_RUN);
	assert_string_equal(warnings, "resource-tracker.toml:1: there is no key tracker.foo\n"
			    "resource-tracker.toml:3: there is no key other.interval; did you mean tracker.interval?\n");
	/* A job must not fail because of a file that was not named. */
	assert_int_equal(reads("resource-tracker.toml", "tracker.foo", "", NULL), OPTIONS_RUN);
	assert_string_equal(warnings, "resource-tracker.toml:1: a key is not followed by = and a value; the file is left alone\n");
	assert_int_equal(reads("resource-tracker.toml", "tracker.interval = -1\njob.name = 'x'", "", NULL), OPTIONS_RUN);
	assert_non_null(strstr(warnings, "resource-tracker.toml:1: tracker.interval: '-1' is not a time"));
	assert_string_equal(options.run.job_name, "x");
	assert_near(options.run.interval_seconds, 1);
}

static int enter_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	(void)state;
	options_release(&options);
	(void)unlink("named.toml");
	(void)unlink("resource-tracker.toml");
	return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_all_types),
		cmocka_unit_test(keys_and_tables),
		cmocka_unit_test(errors_name_the_line),
		cmocka_unit_test(file_is_below_variable_and_flag),
		cmocka_unit_test(errors_name_file_and_line),
	};
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
