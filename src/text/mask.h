/*
 * mask.h - command lines without their secrets, as far as these can be recognised.
 *
 * Hidden is the value of what is named like a secret (--api-key V, KEY=V, "password":"V", X-Api-Key: V), of
 * headers that log in, of options that take passwords (mysql -pV, curl -u user:V), the password of a URL, keys
 * in PEM, and what looks like a token of a known service.  mask.def has the forms.  Words inside one argument
 * (sh -c '...') are looked at one by one.  In doubt it hides.  The time is linear in the length of the words.
 */
#ifndef RT_MASK_H
#define RT_MASK_H

#include "../core/buffer.h"
#include "../core/scan.h"

/* What the words so far say about those to come. */
enum mask_next { MASK_NOTHING, MASK_VALUE, MASK_AFTER, MASK_NAMED };

/* Zero before the first argument. */
struct mask {
	struct word program;                    /* that OPTION of mask.def knows, the last one named; empty: none yet */
	enum mask_next next;
	char separator;                         /* of MASK_AFTER: the secret stands behind it */
	bool script;                            /* the argument before was -c */
	bool setting;                           /* the word before was `set` */
	bool identified;                        /* a word of this argument was `identified` */
};

/* Appends the argument with "***" in place of secrets. */
void mask_argument(struct mask *m, struct buffer *out, const char *argument);
/* The same of a text that stands alone. */
void mask_text(struct buffer *out, const char *text);

#endif
