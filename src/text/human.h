/* human.h - quantities as text for people: three significant digits, a suitable unit, "unknown". */
#ifndef RT_HUMAN_H
#define RT_HUMAN_H

#include "../core/buffer.h"

/* All append.  NONE and infinity are "unknown". */
void human_bytes(struct buffer *out, double bytes);             /* 0 B, 1.50 KiB, 15.2 MiB, 0.977 GiB */
void human_seconds(struct buffer *out, double seconds);         /* 0.423s, 12.3s, 1m 23.4s, 2h 03m 12s, 3d 04h 05m */
void human_duration(struct buffer *out, double seconds);        /* for short times: 53.0 ns, 1.2 us, 97.0 ms */
void human_cores(struct buffer *out, double cores);             /* 0.03, 7.9, 128 */
void human_number(struct buffer *out, double n);                /* of things, or their mean: 3, 2.50 */
void human_usd(struct buffer *out, double usd);                  /* under $0.001, $0.0132, $12.34, $120 */
void human_percent(struct buffer *out, double percent);         /* 0.05 %, 3.4 %, 42 %, 99.7 % */
/* "1 row", "2 rows", "0 rows"; n is known. */
void human_count(struct buffer *out, double n, const char *one, const char *many);
/* "SIGKILL"; "signal 99" if it has no name. */
void human_signal(struct buffer *out, int signal);
/* A word quoted for a shell: 'a b'; unprintable bytes become '?', without utf8 also those beyond ASCII. */
void human_word(struct buffer *out, const char *word, size_t n, bool utf8);

#endif
