/* config_lexer.h - the tokens of a config file: keys, strings, numbers.  For config.c alone. */
#ifndef RT_CONFIG_LEXER_H
#define RT_CONFIG_LEXER_H

#include "../core/scan.h"
#include "../core/why.h"
#include "config_value.h"

struct lexer {
	struct scan s;
	unsigned line;
	struct arena *arena;
	struct why *why;
};

/* Those that return int: -EBADMSG or -ENOMEM with a sentence; results mean nothing then.  Texts are in the arena. */

/* Sets the sentence and returns -EBADMSG. */
int lexer_wrong(const struct lexer *l, const char *sentence);

bool lexer_newline(struct lexer *l);            /* skips one, and counts it */
void lexer_comment(struct lexer *l);            /* blanks and a comment, up to the newline */
void lexer_lines(struct lexer *l);              /* blanks, comments and newlines */
int  lexer_line_end(struct lexer *l);           /* blanks, comment, newline; -EBADMSG: there is more */

int  lexer_string(struct lexer *l, char quote, const char **ret);
/* One part of a key, decoded.  *ret_bare: it needs no quotes. */
int  lexer_key_part(struct lexer *l, const char **ret, bool *ret_bare);
int  lexer_value(struct lexer *l, struct config_value *ret);    /* except arrays */

#endif
