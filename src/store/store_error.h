/* store_error.h - what a store answers in XML: why it does not take a request, and elements of other answers. */
#ifndef RT_STORE_ERROR_H
#define RT_STORE_ERROR_H

#include "../core/base.h"

struct store_error { char code[64], message[200]; };    /* as sent, one line; "": it has none */

/* Only these two are read: further elements repeat what was signed. */
void store_error_read(struct store_error *ret, const char *text, size_t n);

/* The text of the first element that begins with `open`, such as "<UploadId>", on one line; "" if there is none. */
void store_element_read(char *ret, size_t size, const char *text, size_t n, const char *open);

#endif
