/*
 * frame.h - rows of texts and doubles, each column of doubles contiguous: a data frame of resource_tracker_records.h.
 *
 * The content comes from untrusted records, so a frame has a limit: `most` values of 8 bytes (of columns and texts),
 * set by its owner after frame_open; until then nothing can be added.  The frames of a record belong to it
 * (record_state.h); programs read them by rt_frame.c.  Pointers into a frame are valid until the next row or column.
 */
#ifndef RT_FRAME_H
#define RT_FRAME_H

#include "../core/base.h"

enum { FRAME_COLUMNS_MAX = 1024, FRAME_TEXTS_MAX = 2, FRAME_NAME_SIZE = 96, FRAME_WORD_SIZE = 16, FRAME_RECENT = 64 };

struct frame_column { char name[FRAME_NAME_SIZE], unit[FRAME_WORD_SIZE], kind[FRAME_WORD_SIZE]; double *at; };

/* `texts[i][row]` is the offset of text i of a row in `bytes`. */
struct rt_frame {
	struct frame_column *columns;
	size_t n_columns, columns_room, n_rows, room, most;
	size_t expected;                        /* rows, where something is known: room is made for so many at once */
	const char *text_names[FRAME_TEXTS_MAX];
	size_t *texts[FRAME_TEXTS_MAX], n_texts;
	size_t  recent[FRAME_RECENT];           /* the latest texts: those of rows repeat */
	char   *bytes;
	size_t  n_bytes, bytes_room;
};

/* names: of the text columns, at most FRAME_TEXTS_MAX, static, NULL-terminated.  NULL: out of memory. */
struct rt_frame *frame_open(const char *const *names);
void frame_close(struct rt_frame *f);           /* NULL is fine */

/*
 * Adds a column of a name that no other one has, with NONE in all rows: its number.  -E2BIG: there are
 * FRAME_COLUMNS_MAX; -EFBIG: `most` is reached; -ENOMEM.
 */
ssize_t frame_append(struct rt_frame *f, const char *name, const char *unit, const char *kind) must_use;
/* The number of the column with this name, which is `expected` in most cases (a hint); if there is none, adds it. */
ssize_t frame_column(struct rt_frame *f, size_t expected, const char *name, const char *unit,
		     const char *kind) must_use;
struct column_words { const char *name, *unit, *kind; };

/* Adds the first n columns of a frame, those that it lacks.  Errors as frame_append. */
int frame_name_columns(struct rt_frame *f, const struct column_words *words, size_t n) must_use;
/*
 * Adds a row: `values` of the first n columns, the others NONE; one text for each text column, copied.  slot: any
 * number; a text equal to the last one of this slot is stored once.  -EFBIG, -ENOMEM: no row was added.
 */
int frame_add(struct rt_frame *f, const double *values, size_t n, const char *const *texts, size_t slot) must_use;

#endif
