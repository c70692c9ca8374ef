/*
 * series_store.h - transposes many series of numbers, which arrive moment by moment and are read series by series.
 *
 * They are in a file without a name, in blocks of a hundred moments with the numbers of each series side by side;
 * memory grows with the number of series, never with that of moments.
 */
#ifndef RT_SERIES_STORE_H
#define RT_SERIES_STORE_H

#include "../core/base.h"

struct series_store;

enum { SERIES_BLOCK = 128 };

const char *series_store_folder(void);                          /* for the temporary file */
int  series_store_open(struct series_store **ret) must_use;     /* -errno: no file can be created */
void series_store_close(struct series_store *s);                /* NULL is fine */

/* Ends a moment; series that were not set in it are NONE there. */
int  series_store_moment(struct series_store *s) must_use;
/* Sets a series' value at the current moment.  Series are numbered from 0; an unknown number adds one. */
int  series_store_set(struct series_store *s, size_t series, double value) must_use;

/* Writes the rest to the file; call it before the first series_store_block. */
int  series_store_flush(struct series_store *s) must_use;
size_t series_store_blocks(const struct series_store *s);
/* ret has room for SERIES_BLOCK numbers; *ret_n: how many were read. */
int  series_store_block(const struct series_store *s, size_t block, size_t series, double *ret, size_t *ret_n) must_use;

#endif
