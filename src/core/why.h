/*
 * why.h - a sentence for the user beside an error number: what was tried, on what, and what to do.
 *
 * Library code never prints.  A function that can fail for a reason worth reporting takes a `struct why *`; NULL is
 * allowed.  The text is complete, without a final full stop or newline.  After a success it means nothing.
 */
#ifndef RT_WHY_H
#define RT_WHY_H

#include "base.h"

struct why { char text[240]; };

/* Writes the sentence (cut to fit) and returns `error` unchanged. */
int why_set(struct why *why, int error, const char *format, ...) printf_like(3, 4);

#endif
