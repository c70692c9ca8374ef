/* fuzz_config.c - a config file as any bytes. */
#include "../../src/options/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena = { 0 };
	struct config config;
	struct why why;
	unsigned line;
	size_t letters = 0;

	if (config_parse(&config, &arena, (const char *)data, size, &line, &why) == 0)
		for (size_t i = 0; i < config.n_entries; i++)
			for (size_t v = 0; v < config.entries[i].n_values; v++)
				for (const char *c = config.entries[i].values[v].text; *c; c++)
					letters++;
	arena_release(&arena);
	/* Only floats with an exponent grow, and to 310 letters at most. */
	if (letters > 310 * size)
		__builtin_trap();
	return 0;
}
