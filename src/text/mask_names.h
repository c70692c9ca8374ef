/* mask_names.h - which names are those of secrets, by the table of mask.def. */
#ifndef RT_MASK_NAMES_H
#define RT_MASK_NAMES_H

#include "../core/scan.h"

/* Where a name stands: in a query (?name=), or at the start of a word as name=value does. */
enum name_place { NAME_ELSEWHERE, NAME_IN_QUERY, NAME_OF_DATA };

bool is_name_char(char c);
bool name_is_secret(struct word name, enum name_place place);
bool name_is_header(struct word name);
bool name_has_parts(struct word name);          /* more than one: api-key, X-Auth-Token */
bool word_is_scheme(struct word word);
/* The length of what looks like a token at the start of the text, and of its prefix; 0: nothing does. */
size_t token_length(const char *text, const char *end, size_t *ret_prefix);

#endif
