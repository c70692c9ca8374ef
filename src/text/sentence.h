/* sentence.h - a sentence for people, on stderr: "resource-tracker: SENTENCE". */
#ifndef RT_SENTENCE_H
#define RT_SENTENCE_H

#include "../core/base.h"

/*
 * One line by one write, cut after 1000 bytes.  A sentence names what is not ours (files, options, commands): what of
 * it is not fit to be shown (shown.h) is a "?".  `subcommand` may be NULL.
 */
void sentence_print(const char *subcommand, const char *format, ...) printf_like(2, 3);

#endif
