/* mask_names.h - recognises names of secrets, by the table of mask.def. */
#ifndef RT_MASK_NAMES_H
#define RT_MASK_NAMES_H

#include "../core/scan.h"

/* The place of a name: in a query (?name=), or at the start of a word, as in name=value. */
enum name_place { NAME_ELSEWHERE, NAME_IN_QUERY, NAME_OF_DATA };

bool is_name_char(char c);
bool name_is_secret(struct word name, enum name_place place);
bool name_is_header(struct word name);
bool name_has_parts(struct word name);          /* more than one: api-key, X-Auth-Token */
bool word_is_scheme(struct word word);
/* The length of a token at the start of the text, and of its prefix; 0: not a token, and *ret_prefix stays. */
size_t token_length(const char *text, const char *end, size_t *ret_prefix);

#endif
