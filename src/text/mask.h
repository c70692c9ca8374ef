/*
 * mask.h - command lines without their secrets.
 *
 * Hidden is the value of what is named like a secret (token, secret, password, passwd or key in its name,
 * in any case): --api-key=V, --api-key V, KEY=V, "password":"V", X-Api-Key: V, Bearer V; and the password
 * of a URL, user:V@host.  Words inside one argument (sh -c '...') are looked at one by one.  What carries
 * no such name, as in -pV, cannot be known and stays.  In doubt it hides.
 */
#ifndef RT_MASK_H
#define RT_MASK_H

#include "../core/buffer.h"

/*
 * Appends the argument with "***" in place of secrets.  `secret`: the argument before announced that this
 * one is a value.  Returns whether this one announces the next.
 */
bool mask_argument(struct buffer *out, const char *argument, bool secret);

#endif
