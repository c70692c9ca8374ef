/* fuzz_options.c - command line and environment as any bytes: words end in NUL, an empty one begins the environment. */
#include <string.h>

#include "../../src/options/options_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(const char *sentence)
{
	(void)sentence;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { WORDS_MAX = 100 };
	char program[] = "resource-tracker", config[] = "RESOURCE_TRACKER_CONFIG=/dev/null";
	char *argv[WORDS_MAX + 2] = { program }, *environment[WORDS_MAX + 2] = { config };
	char *text = malloc(size + 1), *end = text + size;
	int argc = 1, variables = 1;
	bool in_environment = false;
	struct options options;
	struct why why;

	if (!text)
		return 0;
	memcpy(text, data, size);
	*end = '\0';
	for (char *word = text; word < end; word += strlen(word) + 1)
		if (!*word && !in_environment)
			in_environment = true;
		else if (in_environment && variables < WORDS_MAX)
			environment[variables++] = word;
		else if (!in_environment && argc < WORDS_MAX)
			argv[argc++] = strncmp(word, "-c", 2) == 0 || strncmp(word, "--config", 8) == 0 ? program : word;
	(void)options_read(&options, argc, argv, environment, ignore, &why);
	options_release(&options);
	free(text);
	return 0;
}
