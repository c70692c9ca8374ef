/* test_options.c - the command line and the environment. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "options/options_reader.h"

static char warnings[1024];

static void collect(const char *sentence)
{
	strcat(strcat(warnings, sentence), "\n");
}

static struct options options;
static struct why why;

#define ARGUMENTS(...) ((char *[]){ (char *)(uintptr_t)"resource-tracker", __VA_ARGS__ __VA_OPT__(,) NULL })

static enum options_outcome read_both(char *const *argv, char *const *environment)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	options_release(&options);
	why.text[0] = warnings[0] = '\0';
	return options_read(&options, argc, argv, environment, collect, &why);
}

/* Words between single blanks; an empty string gives none. */
static char *const *words(char *line, char **ret, size_t most)
{
	size_t n = 0;

	for (char *next = line; next && *next && n + 1 < most; n++) {
		ret[n] = next;
		next = strchr(next, ' ');
		if (next)
			*next++ = '\0';
	}
	ret[n] = NULL;
	return ret;
}

static enum options_outcome reads(const char *arguments, const char *environment)
{
	static char line[512], variables[512];
	static char *argv[64], *envp[64];

	(void)snprintf(line, sizeof line, "resource-tracker %s", arguments);
	(void)snprintf(variables, sizeof variables, "%s", environment);
	return read_both(words(line, argv, countof(argv)), words(variables, envp, countof(envp)));
}

static void refuses(const char *arguments, const char *environment, const char *sentence)
{
	assert_int_equal(reads(arguments, environment), OPTIONS_ERROR);
	assert_string_equal(why.text, sentence);
}

static void nothing_given_gives_the_defaults(void **state)
{
	(void)state;
	assert_int_equal(reads("", ""), OPTIONS_RUN);
	assert_near(options.run.interval_seconds, 1);
	assert_null(options.run.command);
	assert_int_equal(options.run.n_pids, 0);
	assert_int_equal(options.format, FORMAT_JSON);
	assert_false(options.format_given || options.csv_given || options.quiet);
	assert_null(options.output);
	assert_near(options.record_keep_days, 90);
	assert_int_equal(options.record_keep_bytes, 1 << 30);
}

static void all_ways_to_write_a_value(void **state)
{
	static const char *const same[] = {
		"-i 2 -f csv -q", "-i2 -fcsv --quiet", "--interval=2 --format=csv -q", "-qi2 --format csv",
		"-qfcsv --interval 2000ms", "--quiet=yes -i 2s -f csv",
	};

	(void)state;
	for (size_t i = 0; i < countof(same); i++) {
		assert_int_equal(reads(same[i], ""), OPTIONS_RUN);
		assert_near(options.run.interval_seconds, 2);
		assert_int_equal(options.format, FORMAT_CSV);
		assert_true(options.quiet && options.format_given && !options.csv_given);
		assert_null(options.run.command);
	}
}

static void the_command_keeps_its_words(void **state)
{
	(void)state;
	assert_int_equal(reads("-i 2 stress --cpu 4 --interval 9 -- -q --help", ""), OPTIONS_RUN);
	assert_string_equal(options.run.command[0], "stress");
	assert_string_equal(options.run.command[4], "9");
	assert_string_equal(options.run.command[7], "--help");
	assert_null(options.run.command[8]);
	assert_false(options.quiet);
	assert_int_equal(reads("-- -q", ""), OPTIONS_RUN);
	assert_string_equal(options.run.command[0], "-q");
	assert_int_equal(reads("- x", ""), OPTIONS_RUN);
	assert_string_equal(options.run.command[0], "-");
}

static void help_and_version(void **state)
{
	(void)state;
	assert_int_equal(reads("-i 0 --help", ""), OPTIONS_HELP);
	assert_int_equal(reads("-qh", ""), OPTIONS_HELP);
	assert_int_equal(reads("-V", ""), OPTIONS_VERSION);
	assert_int_equal(reads("true -V", ""), OPTIONS_RUN);
	refuses("--help=yes", "", "--help: takes no value");
}

static void process_ids(void **state)
{
	(void)state;
	assert_int_equal(reads("-p 12,34 --pid=56 -p12", ""), OPTIONS_RUN);
	assert_int_equal(options.run.n_pids, 3);
	assert_int_equal(options.run.pids[2], 56);
	assert_int_equal(reads("", "RESOURCE_TRACKER_PID=7,8"), OPTIONS_RUN);
	assert_int_equal(options.run.n_pids, 2);
	assert_int_equal(reads("-p 9", "RESOURCE_TRACKER_PID=7,8"), OPTIONS_RUN);
	assert_int_equal(options.run.n_pids, 1);
	/* A command has precedence over a variable. */
	assert_int_equal(reads("true", "RESOURCE_TRACKER_PID=7,8"), OPTIONS_RUN);
	assert_int_equal(options.run.n_pids, 0);
	refuses("-p 12 true", "", "--pid watches running processes, so the command 'true' cannot be started too; "
		"leave one of the two out");
	refuses("-p 12,,3", "", "--pid: '12,,3' is not a process id; give a positive number, or several with "
		"commas between");
	assert_int_equal(reads("-p 0", ""), OPTIONS_ERROR);
	assert_int_equal(reads("-p -5", ""), OPTIONS_ERROR);
	assert_int_equal(reads("-p 2147483648", ""), OPTIONS_ERROR);
}

static void tags(void **state)
{
	(void)state;
	assert_int_equal(reads("--tag a=b=c --tag k= --tag=x=y", "RESOURCE_TRACKER_TAG=q=r"), OPTIONS_RUN);
	assert_int_equal(options.run.n_tags, 3);
	assert_string_equal(options.run.tags[0], "a=b=c");
	assert_string_equal(options.run.tags[2], "x=y");
	assert_int_equal(reads("", "RESOURCE_TRACKER_TAG=q=r,s=t"), OPTIONS_RUN);
	assert_int_equal(options.run.n_tags, 2);
	assert_string_equal(options.run.tags[1], "s=t");
	refuses("--tag =v", "", "--tag: '=v' is not KEY=VALUE");
	refuses("--tag v", "", "--tag: 'v' is not KEY=VALUE");
	refuses("", "RESOURCE_TRACKER_TAG=a=b,c", "RESOURCE_TRACKER_TAG: 'c' is not KEY=VALUE");
}

static void variables(void **state)
{
	static const struct { const char *text; bool quiet; } words_of_truth[] = {
		{ "1", true }, { "true", true }, { "YES", true }, { "on", true },
		{ "0", false }, { "False", false }, { "no", false }, { "off", false },
	};

	(void)state;
	for (size_t i = 0; i < countof(words_of_truth); i++) {
		char variable[40];

		(void)snprintf(variable, sizeof variable, "TRACKER_QUIET=%s", words_of_truth[i].text);
		assert_int_equal(reads("", variable), OPTIONS_RUN);
		assert_int_equal(options.quiet, words_of_truth[i].quiet);
	}
	assert_int_equal(reads("--quiet=no", "TRACKER_QUIET=1"), OPTIONS_RUN);
	assert_false(options.quiet);
	assert_int_equal(reads("-n flag", "TRACKER_JOB_NAME=peer RESOURCE_TRACKER_TEAM=ours TRACKER_TEAM=peer "
			       "TRACKER_STAGE_NAME= TRACKER_INTERVAL=x"), OPTIONS_RUN);
	assert_string_equal(options.run.job_name, "flag");
	assert_string_equal(options.run.team, "ours");
	assert_string_equal(options.run.stage_name, "");
	assert_null(options.run.env);
	assert_string_equal(warnings, "");
	refuses("", "TRACKER_QUIET=maybe", "TRACKER_QUIET: 'maybe' is not true or false");
	refuses("", "RESOURCE_TRACKER_INTERVAL=", "RESOURCE_TRACKER_INTERVAL: '' is not a time; write seconds, "
		"or a number with ms, s, m, h or d: 0.5, 250ms, 2s, 1m");
	refuses("", "TRACKER_OUTPUT=", "TRACKER_OUTPUT: needs a file name");
}

static void unknown_variables_are_a_warning(void **state)
{
	(void)state;
	assert_int_equal(reads("", "RESOURCE_TRACKER_INTERVL=5 RESOURCE_TRACKER_REGIONS=/x "
			       "RESOURCE_TRACKER_REGIONS_SHM=/y RESOURCE_TRACKER_=1"), OPTIONS_RUN);
	assert_string_equal(warnings,
		"the variable RESOURCE_TRACKER_INTERVL is not known; did you mean RESOURCE_TRACKER_INTERVAL?\n"
		"the variable RESOURCE_TRACKER_ is not known\n");
}

static void a_token_of_a_service_is_a_warning(void **state)
{
	(void)state;
	assert_int_equal(reads("-- x", "SENTINEL_API_TOKEN=secret SENTINEL_API_URL=/x"), OPTIONS_RUN);
	assert_string_equal(warnings,
		"SENTINEL_API_TOKEN is set, but nothing is sent there: --push sentinel asks for it\n");
	assert_int_equal(reads("--push sentinel -- x", "SENTINEL_API_TOKEN=secret"), OPTIONS_RUN);
	assert_string_equal(warnings, "");
	assert_int_equal(reads("-- x", "SENTINEL_API_TOKEN= SENTINEL_API_TOKENS=secret"), OPTIONS_RUN);
	assert_string_equal(warnings, "");
}

static void wrong_options_give_one_sentence(void **state)
{
	static const struct { const char *arguments, *sentence; } cases[] = {
		{ "--intreval 5", "there is no option --intreval; did you mean --interval?" },
		{ "--inter 5", "there is no option --inter; did you mean --interval?" },
		{ "--job_name=x", "there is no option --job_name=x; did you mean --job-name?" },
		{ "-interval 5", "there is no option -interval; did you mean --interval?" },
		{ "-x", "there is no option -x; 'resource-tracker --help' lists the options" },
		{ "--wibblewobble", "there is no option --wibblewobble; 'resource-tracker --help' lists the options" },
		{ "--interval", "--interval: needs a value: --interval TIME" },
		{ "-n --quiet", "--job-name: needs a value, but an option follows; if '--quiet' is meant as its "
		  "value, write --job-name=--quiet" },
		{ "-n -- true", "--job-name: needs a value, but an option follows; if '--' is meant as its value, "
		  "write --job-name=--" },
		{ "-q --", "-- is followed by no command" },
		{ "-i 1 --interval=2", "--interval: given twice" },
		{ "-qq", "--quiet: given twice" },
		{ "--gpus 0 --gpu_ids 1", "--gpus: given twice" },
		{ "-i 0", "--interval: '0' is too short; the shortest interval is 0.001 s" },
		{ "-i 25h", "--interval: '25h' is too long; the longest interval is 1 day" },
		{ "-i 1x", "--interval: '1x' is not a time; write seconds, or a number with ms, s, m, h or d: "
		  "0.5, 250ms, 2s, 1m" },
		{ "--samples 0", "--samples: '0' is not a positive whole number" },
		{ "--only cpu,memroy", "--only: 'memroy' is not something that is measured; did you mean memory?" },
		{ "--pss=auot", "--pss: 'auot' is not auto, always or never; did you mean auto?" },
		{ "-fxml", "--format: 'xml' is not json or csv" },
		{ "-f json --csv system", "--csv chooses the columns of CSV, but the format is given as json; "
		  "leave one of the two out" },
		{ "--gpus 0,,1", "--gpus: '0,,1' has an empty item; write the items with single commas between, as 0,2" },
		{ "--record-keep-bytes 5x", "--record-keep-bytes: '5x' is not a size above 0, such as 1048576, 500MB "
		  "or 2GiB, or unlimited" },
	};

	(void)state;
	for (size_t i = 0; i < countof(cases); i++)
		refuses(cases[i].arguments, "", cases[i].sentence);
}

static void the_rest_of_the_options(void **state)
{
	(void)state;
	assert_int_equal(reads("--csv process --only cpu,disk --without disk --gpu-ids 0,2 --root /host "
			       "--no-children --wait-descendants --pss never --record none --record-command name "
			       "--record-keep-days 7.5 --record-keep-bytes 500MB --duration 1.5h --samples 3 "
			       "-n -x -o out.csv", ""), OPTIONS_RUN);
	assert_int_equal(options.csv, CSV_PROCESS);
	assert_int_equal(options.format, FORMAT_CSV);
	assert_true(options.csv_given && options.format_given && options.no_children && options.wait_descendants);
	assert_string_equal(options.only, "cpu,disk");
	assert_string_equal(options.without, "disk");
	assert_string_equal(options.gpus, "0,2");
	assert_string_equal(options.root, "/host");
	assert_int_equal(options.pss, PSS_NEVER);
	assert_string_equal(options.record, "none");
	assert_int_equal(options.record_command, COMMAND_NAME);
	assert_near(options.record_keep_days, 7.5);
	assert_int_equal(options.record_keep_bytes, 500000000);
	assert_near(options.duration_seconds, 5400);
	assert_int_equal(options.samples, 3);
	assert_string_equal(options.run.job_name, "-x");
	assert_string_equal(options.output, "out.csv");
	/* A flag that asks for JSON has precedence over a variable that asks for columns. */
	assert_int_equal(reads("-f json", "RESOURCE_TRACKER_CSV=system"), OPTIONS_RUN);
	assert_int_equal(options.format, FORMAT_JSON);
	assert_int_equal(reads("--csv system", "RESOURCE_TRACKER_FORMAT=json"), OPTIONS_RUN);
	assert_int_equal(options.format, FORMAT_CSV);
}

static void several_feeds(void **state)
{
	(void)state;
	assert_int_equal(reads("--feed a --feed fd:3 --feed /dev/fd/4 --feed-to cat", ""), OPTIONS_RUN);
	assert_int_equal(options.feeds.n, 3);
	assert_string_equal(options.feeds.at[0], "a");
	assert_string_equal(options.feeds.at[2], "/dev/fd/4");
	assert_int_equal(options.feed_programs.n, 1);
	assert_int_equal(feed_descriptor("fd:3"), 3);
	assert_int_equal(feed_descriptor("/dev/fd/12"), 12);
	assert_int_equal(feed_descriptor("fd:3x"), -1);
	assert_int_equal(feed_descriptor("fd: 3"), -1);
	assert_int_equal(feed_descriptor("fd:-3"), -1);
	assert_int_equal(feed_descriptor("fd:99999999999"), -1);
	assert_int_equal(feed_descriptor("./fd:3"), -1);
	refuses("--feed fd:2", "", "--feed: 'fd:2' is the command's, or the samples'; give a descriptor of its own, as fd:3");
	refuses("--feed fd:3 --feed /dev/fd/3", "", "--feed: '/dev/fd/3' is given twice");
	refuses("--feed fd:x", "", "--feed: 'fd:x' is not fd:N, with the number of a descriptor");
}

static void a_recorder_in_the_background_is_quiet(void **state)
{
	(void)state;
	assert_int_equal(reads("--detach -p 12", ""), OPTIONS_RUN);
	assert_true(options.detach && options.quiet);
	refuses("--detach -- make", "", "--detach leaves the terminal to other programs, so the command 'make' cannot be "
		"started too; leave one of the two out");
}

static void arguments_of_any_bytes(void **state)
{
	char name[] = "\xff\xfe", command[] = "\x80 \n", environment[] = "TRACKER_TEAM=\xff";
	char *none[] = { NULL }, *some[] = { environment, NULL };
	char long_word[300];
	char dashes[302] = "--";

	(void)state;
	assert_int_equal(read_both(ARGUMENTS((char[]){ "-n" }, name, command), some), OPTIONS_RUN);
	assert_string_equal(options.run.job_name, name);
	assert_string_equal(options.run.team, "\xff");
	assert_ptr_equal(options.run.command[0], command);
	memset(long_word, 'w', sizeof long_word);
	long_word[sizeof long_word - 1] = '\0';
	long_word[3] = '\n';
	strcat(dashes, long_word);
	assert_int_equal(read_both(ARGUMENTS(dashes), none), OPTIONS_ERROR);
	assert_null(strchr(why.text, '\n'));
	assert_non_null(strstr(why.text, "www..."));
	options_release(&options);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_given_gives_the_defaults),
		cmocka_unit_test(all_ways_to_write_a_value),
		cmocka_unit_test(the_command_keeps_its_words),
		cmocka_unit_test(help_and_version),
		cmocka_unit_test(process_ids),
		cmocka_unit_test(tags),
		cmocka_unit_test(variables),
		cmocka_unit_test(unknown_variables_are_a_warning),
		cmocka_unit_test(a_token_of_a_service_is_a_warning),
		cmocka_unit_test(wrong_options_give_one_sentence),
		cmocka_unit_test(the_rest_of_the_options),
		cmocka_unit_test(several_feeds),
		cmocka_unit_test(a_recorder_in_the_background_is_quiet),
		cmocka_unit_test(arguments_of_any_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
