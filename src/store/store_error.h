/* store_error.h - what a store says about a request that it does not take, from its answer in XML. */
#ifndef RT_STORE_ERROR_H
#define RT_STORE_ERROR_H

#include "../core/base.h"

struct store_error { char code[64], message[200]; };    /* as sent, one line; "": it has none */

/* Only these two are read: further elements repeat what was signed. */
void store_error_read(struct store_error *ret, const char *text, size_t n);

#endif
