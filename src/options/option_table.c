/* option_table.c - options.def as data. */
#include "option_table.h"

#include <string.h>

enum { OURS, PEER };
enum { OWN, FOLDER };

const struct option_info option_table[] = {
#define OPTION(short, long, argument, type, field, variable, peer, key, file, section, help) \
	{ short, long, argument, &type_##type, offsetof(struct options, field), variable, peer, key, file, \
	  SECTION_##section, help },
#include "options.def"
};
const size_t option_count = countof(option_table);
_Static_assert(countof(option_table) <= OPTIONS_MAX, "raise OPTIONS_MAX");

const struct option_alias option_aliases[] = {
#define ALIAS(other, name) { other, name },
#include "options.def"
	{ NULL, NULL },
};

const struct option_alias option_key_aliases[] = {
#define KEY_ALIAS(other, key) { other, key },
#include "options.def"
	{ NULL, NULL },
};

const char *const option_sections[SECTIONS] = {
	[SECTION_WHAT] = "What to watch", [SECTION_WHEN] = "How often and how long",
	[SECTION_OUTPUT] = "Samples", [SECTION_SUMMARY] = "The summary at the end",
	[SECTION_RECORD] = "The record of the run", [SECTION_HOOKS] = "Programs that are started",
	[SECTION_PUSH] = "Sending metrics",
	[SECTION_JOB] = "Names of the job, for the record",
	[SECTION_GENERAL] = "General",
};

const struct option_info *option_by_name(struct word name)
{
	for (const struct option_alias *a = option_aliases; a->other; a++)
		if (word_is(name, a->other))
			name = (struct word){ a->name, strlen(a->name) };
	for (size_t i = 0; i < option_count; i++)
		if (word_is(name, option_table[i].name))
			return &option_table[i];
	return NULL;
}

const struct option_info *option_by_letter(char letter)
{
	for (size_t i = 0; i < option_count; i++)
		if (letter && option_table[i].letter == letter)
			return &option_table[i];
	return NULL;
}

const struct option_info *option_by_key(const char *key)
{
	for (const struct option_alias *a = option_key_aliases; a->other; a++)
		if (strcmp(key, a->other) == 0)
			key = a->name;
	for (size_t i = 0; i < option_count; i++)
		if (option_table[i].key && strcmp(key, option_table[i].key) == 0)
			return &option_table[i];
	return NULL;
}
