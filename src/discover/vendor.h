/*
 * vendor.h - the clouds that can be asked, and how their answers are read: one table, pure functions.
 *
 * A vendor is asked in three steps, the requests of a step in parallel: a token, if the vendor requires one; the
 * questions that prove the vendor; the other questions.  The address is numeric, so no name is looked up.
 */
#ifndef RT_VENDOR_H
#define RT_VENDOR_H

#include "../core/cloud.h"
#include "../core/source.h"

enum { QUESTIONS_MAX = 7, VENDOR_COUNT = 8, TOKEN_SIZE = 512 };

/* What an answer says goes into c.  false: it is not one to this question, and c is unchanged. */
typedef bool answer_reader(struct cloud *c, struct word answer);

struct question {
	const char *path;                       /* NULL: after the last one */
	answer_reader *read;
	bool proof;
};

struct vendor {
	const char *id, *address;
	const char *header;                     /* of each request; NULL: none */
	const char *token_header;               /* the token is got by PUT from TOKEN_PATH; NULL: none is wanted */
	struct { const char *file, *text; } firmware;   /* by which it is known without asking; NULL: it is not */
	struct question questions[QUESTIONS_MAX + 1];
};

#define TOKEN_PATH "/latest/api/token"

extern const struct vendor vendors[VENDOR_COUNT];       /* the first one with a proof counts */

/* A token as it can stand in a header; false: it is none. */
bool vendor_token(char ret[TOKEN_SIZE], struct word answer);
/* The vendor that the machine's firmware names; NULL: none of them. */
const struct vendor *vendor_by_firmware(const struct source *src);

#endif
