/*
 * config_json.c - the result of config_parse for config files, for comparison with another reader of TOML.
 *
 * Files on stdin, each ended by NUL; a line of JSON for each on stdout: null, or a list of
 * [key, is an array, [[type, text], ...]].
 */
#include <stdio.h>
#include <string.h>

#include "../../src/core/json_write.h"
#include "../../src/options/config.h"

static void write_entry(struct json *j, const struct config_entry *e)
{
	static const char *const types[] = {
		[CONFIG_STRING] = "str", [CONFIG_INTEGER] = "int", [CONFIG_FLOAT] = "float", [CONFIG_BOOLEAN] = "bool",
	};

	json_open(j, '[');
	json_text(j, e->key);
	json_bool(j, e->array);
	json_open(j, '[');
	for (size_t i = 0; i < e->n_values; i++) {
		json_open(j, '[');
		json_text(j, types[e->values[i].type]);
		json_text(j, e->values[i].text);
		json_close(j, ']');
	}
	json_close(j, ']');
	json_close(j, ']');
}

int main(void)
{
	struct buffer out = { 0 };
	char *file = NULL;
	size_t room = 0;

	for (ssize_t n; (n = getdelim(&file, &room, '\0', stdin)) > 0;) {
		struct arena arena = { 0 };
		struct json j = json_to(&out);
		struct config config;
		unsigned line;

		if (config_parse(&config, &arena, file, strlen(file), &line, NULL) == 0) {
			json_open(&j, '[');
			for (size_t i = 0; i < config.n_entries; i++)
				write_entry(&j, &config.entries[i]);
			json_close(&j, ']');
		} else {
			json_null(&j);
		}
		buffer_char(&out, '\n');
		arena_release(&arena);
	}
	free(file);

	bool good = fwrite(out.at, 1, out.len, stdout) == out.len && !out.failed;

	buffer_release(&out);
	return good ? 0 : 1;
}
