/*
 * why.h - a sentence for people beside an error number: what was tried, on what, and what to do.
 *
 * Library code never prints.  A function that can fail for a reason worth telling takes a
 * `struct why *`; it may be NULL.  The text is complete, without a final full stop or newline.
 */
#ifndef RT_WHY_H
#define RT_WHY_H

#include "base.h"

struct why { char text[240]; };

/* Writes the sentence (cut at the end of the room) and returns `error` unchanged. */
int why_set(struct why *why, int error, const char *format, ...) printf_like(3, 4);

#endif
