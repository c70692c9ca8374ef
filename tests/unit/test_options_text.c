/* test_options_text.c - help, man page and completions, as checked by the programs that read them. */
#include "fixture.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "options/option_table.h"

static char folder[] = "/tmp/rt-text-XXXXXX";
static struct buffer text;

static const char *ended(void)
{
	buffer_char(&text, '\0');
	assert_false(text.failed);
	return text.at;
}

static void save(const char *name)
{
	auto_close int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_int_equal(write(fd, text.at, text.len), (ssize_t)text.len);
}

/* The output of a command line; NULL: this machine does not have the shell. */
static const char *said(const char *shell, const char *script)
{
	static char room[32768];
	int pipes[2], status;
	size_t n = 0;

	assert_int_equal(pipe2(pipes, O_CLOEXEC), 0);

	pid_t pid = fork();

	if (pid == 0) {
		(void)dup2(pipes[1], 1);
		(void)dup2(pipes[1], 2);
		(void)setenv("HOME", folder, 1);
		execlp(shell, shell, "-c", script, (char *)NULL);
		_exit(127);
	}
	(void)close(pipes[1]);
	for (ssize_t got; (got = read(pipes[0], room + n, sizeof room - 1 - n)) > 0;)
		n += (size_t)got;
	room[n] = '\0';
	(void)close(pipes[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 127 ? NULL : room;
}

static void help_fits_its_columns_and_names_all(void **state)
{
	static const unsigned widths[] = { 50, 80, 100 };

	(void)state;
	for (size_t w = 0; w < countof(widths); w++) {
		buffer_clear(&text);
		options_help(&text, widths[w]);

		/* Usage and examples are to be copied, so they are not wrapped. */
		const char *end = strstr(ended(), "\nExamples:"), *line = strstr(text.at, "\nWhat to watch");

		assert_true(line && end);
		for (line++; line < end; line += strcspn(line, "\n") + 1) {
			const char *words = line + strspn(line, " ");

			if (strcspn(line, "\n") > widths[w] && strcspn(words, " ") < strcspn(words, "\n"))
				fail_msg("longer than %u: %.*s", widths[w], (int)strcspn(line, "\n"), line);
		}
		for (size_t i = 0; i < option_count; i++) {
			char name[64];

			(void)snprintf(name, sizeof name, " --%s", option_table[i].name);
			assert_non_null(strstr(text.at, name));
		}
	}
	buffer_clear(&text);
	options_help(&text, 80);
	for (const char *line = ended(); *line; line += strcspn(line, "\n") + 1)
		assert_true(strcspn(line, "\n") <= 80);
}

static void the_man_page_is_valid(void **state)
{
	(void)state;
	buffer_clear(&text);
	options_man(&text);
	save("page.scd");

	const char *page = said("sh", "command -v scdoc >/dev/null || exit 127; scdoc < page.scd");

	if (!page)
		skip();
	assert_non_null(strstr(page, ".SH OPTIONS"));
	assert_non_null(strstr(page, "RESOURCE_TRACKER_RECORD_KEEP_BYTES"));
	assert_non_null(strstr(page, "TRACKER_JOB_NAME"));
	assert_non_null(strstr(page, "gpu_ids for --gpus"));
}

static void make(const char *shell, const char *name)
{
	buffer_clear(&text);
	assert_int_equal(options_completion(&text, shell), 0);
	save(name);
}

#define BASH(words, index) \
	"source ./c.bash; COMP_WORDS=(resource-tracker " words "); COMP_CWORD=" #index "; _resource_tracker 2>/dev/null; " \
	"printf '%s ' \"${COMPREPLY[@]}\""

static void bash_completes(void **state)
{
	(void)state;
	make("bash", "c.bash");
	if (!said("bash", ":"))
		skip();
	assert_string_equal(said("bash", "bash -n c.bash"), "");
	assert_string_equal(said("bash", BASH("--inter", 1)), "--interval ");
	assert_string_equal(said("bash", BASH("-i 2 --record-k", 3)), "--record-keep-days --record-keep-bytes ");
	assert_string_equal(said("bash", BASH("--format c", 2)), "csv ");
	assert_string_equal(said("bash", BASH("--format = c", 3)), "csv ");
	assert_string_equal(said("bash", BASH("--tag a = b --qui", 5)), "--quiet ");
	assert_string_equal(said("bash", BASH("--only cpu,pr", 2)), "cpu,pressure cpu,process ");
	assert_string_equal(said("bash", "touch 'a file'; " BASH("-o a", 2)), "a file ");
	assert_non_null(strstr(said("bash", BASH("metri", 1)), "metrics "));
	/* Words after the command belong to the command. */
	assert_string_equal(said("bash", BASH("ls --inter", 2)), " ");
	assert_string_equal(said("bash", BASH("-q ls a", 3)), "a file ");
	(void)unlink("a file");
}

static void zsh_reads_it(void **state)
{
	(void)state;
	make("zsh", "c.zsh");
	if (!said("zsh", ":"))
		skip();
	assert_string_equal(said("zsh", "zsh -n c.zsh"), "");
}

#define FISH(line) "source c.fish; complete -C 'resource-tracker " line "' | cut -f 1"

static void fish_completes(void **state)
{
	(void)state;
	make("fish", "c.fish");
	if (!said("fish", ":"))
		skip();
	assert_string_equal(said("fish", "fish -n c.fish"), "");
	assert_string_equal(said("fish", FISH("--inter")), "--interval\n");
	assert_string_equal(said("fish", FISH("-i 2 --format c")), "csv\n");
	assert_non_null(strstr(said("fish", FISH("metri")), "metrics\n"));
	assert_string_equal(said("fish", FISH("-q ls --inter")), "");
}

static void other_shells_are_refused(void **state)
{
	(void)state;
	assert_int_equal(options_completion(&text, "tcsh"), -EINVAL);
}

static int enter_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
	char line[64];

	(void)state;
	buffer_release(&text);
	(void)snprintf(line, sizeof line, "rm -rf %s", folder);         /* fish keeps files there */
	return chdir("/") == 0 && system(line) == 0 ? 0 : -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(help_fits_its_columns_and_names_all),
		cmocka_unit_test(the_man_page_is_valid),
		cmocka_unit_test(bash_completes),
		cmocka_unit_test(zsh_reads_it),
		cmocka_unit_test(fish_completes),
		cmocka_unit_test(other_shells_are_refused),
	};
	return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
