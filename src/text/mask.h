/*
 * mask.h - masks secrets in command lines, as far as they can be recognised.
 *
 * Masked are values named like a secret (--api-key V, KEY=V, "password":"V", X-Api-Key: V), headers for
 * authentication, options that take passwords (mysql -pV, curl -u user:V), the password of a URL, keys in PEM, and
 * tokens with the form of a known service.  mask.def has the forms.  Words inside one argument (sh -c '...') are
 * checked one by one.  In doubt a value is masked.  The time is linear in the length of the words.
 */
#ifndef RT_MASK_H
#define RT_MASK_H

#include "../core/buffer.h"
#include "../core/scan.h"

/* What the words so far announce about those to come. */
enum mask_next { MASK_NOTHING, MASK_VALUE, MASK_AFTER, MASK_NAMED };

/* Zeroed before the first argument. */
struct mask {
	struct word program;                    /* the last one named that OPTION of mask.def has: a piece of its
						   argument, which must outlive this; empty: none yet */
	enum mask_next next;
	char separator;                         /* of MASK_AFTER: the secret follows it */
	bool script;                            /* the previous argument was -c */
	bool setting;                           /* the previous word was `set` */
	bool identified;                        /* a word of this argument was `identified` */
};

/* Appends the argument with "***" in place of secrets. */
void mask_argument(struct mask *m, struct buffer *out, const char *argument);
/* The same for a text that is not part of a command line. */
void mask_text(struct buffer *out, const char *text);

#endif
