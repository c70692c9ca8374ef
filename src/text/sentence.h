/* sentence.h - prints a sentence on stderr: "resource-tracker: SENTENCE". */
#ifndef RT_SENTENCE_H
#define RT_SENTENCE_H

#include "../core/base.h"

/*
 * One line in one write, cut after 1000 bytes.  A sentence can contain external names (files, options, commands):
 * unprintable characters of it (shown.h) become "?".  `subcommand` can be NULL.  A failed write is ignored.
 */
void sentence_print(const char *subcommand, const char *format, ...) printf_like(2, 3);

#endif
