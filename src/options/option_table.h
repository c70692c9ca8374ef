/* option_table.h - options.def as data, for everything that iterates over it: parsing, help, man page, completions. */
#ifndef RT_OPTION_TABLE_H
#define RT_OPTION_TABLE_H

#include "../core/scan.h"
#include "settings.h"

struct option_alias { const char *other, *name; };

enum { OPTIONS_MAX = 64 };                      /* size of option_table, checked at build time */
extern const struct option_info option_table[];
extern const size_t option_count;
extern const char *const option_sections[SECTIONS];

/* Other names of options and of config keys, terminated by { NULL, NULL }. */
extern const struct option_alias option_aliases[], option_key_aliases[];

/*
 * The option with this name, in an argument or as the first word of an entry; aliases are recognised.  NULL: there is
 * none.
 */
const struct option_info *option_by_name(struct word name);
const struct option_info *option_by_letter(char letter);        /* NULL also for '\0' */
const struct option_info *option_by_key(const char *key);

#define OPTION_VARIABLE "RESOURCE_TRACKER_"
#define OPTION_PEER_VARIABLE "TRACKER_"

#endif
