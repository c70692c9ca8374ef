/* option_table.h - options.def as data, for all that walks it: parsing, help, man page, completions. */
#ifndef RT_OPTION_TABLE_H
#define RT_OPTION_TABLE_H

#include "../core/scan.h"
#include "settings.h"

struct option_alias { const char *other, *name; };

enum { OPTIONS_MAX = 64 };                      /* room for option_table, checked when built */
extern const struct option_info option_table[];
extern const size_t option_count;
extern const char *const option_sections[SECTIONS];

/* Other names of options and of config keys, ended by { NULL, NULL }. */
extern const struct option_alias option_aliases[], option_key_aliases[];

/* NULL: there is none.  The first word of an argument or entry; aliases are known. */
const struct option_info *option_by_name(struct word name);
const struct option_info *option_by_letter(char letter);
const struct option_info *option_by_key(const char *key);

#define OPTION_VARIABLE "RESOURCE_TRACKER_"
#define OPTION_PEER_VARIABLE "TRACKER_"

#endif
