/*
 * series_store.h - many series of numbers that come a moment at a time and are wanted a series at a time.
 *
 * They lie in a file without a name, in blocks of a hundred moments with the numbers of each series side by side;
 * memory grows with the series, never with the moments.
 */
#ifndef RT_SERIES_STORE_H
#define RT_SERIES_STORE_H

#include "../core/base.h"

struct series_store;

enum { SERIES_BLOCK = 128 };

const char *series_store_folder(void);                          /* in which it is made */
int  series_store_open(struct series_store **ret) must_use;     /* -errno: no file can be made */
void series_store_close(struct series_store *s);                /* NULL is fine */

/* The next moment; series that are not set in it are NONE there. */
int  series_store_moment(struct series_store *s) must_use;
/* Series are numbered from 0; one that was not set before begins. */
int  series_store_set(struct series_store *s, size_t series, double value) must_use;

/* What is not in a file as yet; before the first series_store_block. */
int  series_store_flush(struct series_store *s) must_use;
size_t series_store_blocks(const struct series_store *s);
/* ret has room for SERIES_BLOCK numbers; *ret_n: how many there are. */
int  series_store_block(const struct series_store *s, size_t block, size_t series, double *ret, size_t *ret_n) must_use;

#endif
