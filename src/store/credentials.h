/*
 * credentials.h - the keys to a store, from where AWS' programs have them: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and
 * AWS_SESSION_TOKEN, else the profile AWS_PROFILE ("default") in AWS_SHARED_CREDENTIALS_FILE (~/.aws/credentials).
 */
#ifndef RT_CREDENTIALS_H
#define RT_CREDENTIALS_H

#include "bucket.h"
#include "sigv4.h"

struct credentials { char access[160], secret[160], token[8192]; };    /* token "": none */

/* -ENOENT, -EINVAL or -errno of the file, with a sentence that has none of the values. */
int  credentials_find(struct credentials *ret, variable_value *variable, struct why *why) must_use;
/* The same from a service.  false: one of them can be none; *ret is then as it was. */
bool credentials_take(struct credentials *ret, const char *access, const char *secret, const char *token) must_use;
struct sigv4_keys credentials_keys(const struct credentials *c);        /* pieces of c */
void credentials_forget(struct credentials *c);

#endif
