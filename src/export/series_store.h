/*
 * series_store.h - transposes many series of numbers, which arrive moment by moment and are read series by series.
 *
 * For each moment: series_store_moment, then series_store_set for each series that has a value.  At the end:
 * series_store_flush, then series_store_block for each series, block by block.
 *
 * They are in a file without a name, in blocks of SERIES_BLOCK moments with the numbers of each series side by side;
 * memory grows with the number of series, never with that of moments.  Functions that return int: 0, or -errno of the
 * file (ENOSPC, EIO), or -ENOMEM; after an error results mean nothing, and the store is only to be closed.
 */
#ifndef RT_SERIES_STORE_H
#define RT_SERIES_STORE_H

#include "../core/base.h"

struct series_store;

enum { SERIES_BLOCK = 128 };

const char *series_store_folder(void);                          /* for the temporary file: $TMPDIR, else /tmp */
int  series_store_open(struct series_store **ret) must_use;     /* -errno: no file can be created */
void series_store_close(struct series_store *s);                /* NULL is fine */

/* Begins a moment, in which all series are NONE. */
int  series_store_moment(struct series_store *s) must_use;
/*
 * Sets a series' value at this moment; not before the first moment.  Series are numbered from 0; a new number adds it
 * and all below, which are NONE in the moments before.
 */
int  series_store_set(struct series_store *s, size_t series, double value) must_use;

/* Writes the rest to the file; call it before the first series_store_block. */
int  series_store_flush(struct series_store *s) must_use;
size_t series_store_blocks(const struct series_store *s);
/* block: less than series_store_blocks.  ret has room for SERIES_BLOCK numbers; *ret_n: the moments of this block. */
int  series_store_block(const struct series_store *s, size_t block, size_t series, double *ret, size_t *ret_n) must_use;

#endif
