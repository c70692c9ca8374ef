/*
 * frame.h - rows of texts and doubles, each column of doubles in one piece: a data frame of resource_tracker_records.h.
 *
 * What is put in comes from records that are not trusted, so a frame has a bound: `most` values, which its owner sets.
 */
#ifndef RT_FRAME_H
#define RT_FRAME_H

#include "../core/base.h"

enum { FRAME_COLUMNS_MAX = 1024, FRAME_TEXTS_MAX = 2, FRAME_NAME_SIZE = 96, FRAME_WORD_SIZE = 16, FRAME_RECENT = 64 };

struct frame_column { char name[FRAME_NAME_SIZE], unit[FRAME_WORD_SIZE], kind[FRAME_WORD_SIZE]; double *at; };

/* `texts[i][row]` is where text i of a row begins in `bytes`. */
struct rt_frame {
	struct frame_column *columns;
	size_t n_columns, n_rows, room, most;
	const char *text_names[FRAME_TEXTS_MAX];
	size_t *texts[FRAME_TEXTS_MAX], n_texts;
	size_t  recent[FRAME_RECENT];           /* texts put in last: those of rows are the same again and again */
	char   *bytes;
	size_t  n_bytes, bytes_room;
};

/* names: constant texts, NULL-terminated.  NULL: out of memory. */
struct rt_frame *frame_open(const char *const *names);
void frame_close(struct rt_frame *f);           /* NULL is fine */

/*
 * The number of the column with this name, which is `expected` in most cases; a new one if there is none, NONE in all
 * rows.  -E2BIG: there are FRAME_COLUMNS_MAX; -EFBIG: `most`; -ENOMEM.
 */
ssize_t frame_column(struct rt_frame *f, size_t expected, const char *name, const char *unit,
		     const char *kind) must_use;
struct column_words { const char *name, *unit, *kind; };

/* Its first columns, where there are none yet. */
int frame_name_columns(struct rt_frame *f, const struct column_words *words, size_t n) must_use;
/* Another row: the first n columns, the others NONE.  slot: where the same texts may have stood.  -EFBIG, -ENOMEM. */
int frame_add(struct rt_frame *f, const double *values, size_t n, const char *const *texts, size_t slot) must_use;

#endif
