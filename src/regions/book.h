/* book.h - what the entries of each region came to, by path.  Pure; times are in ticks of the channel. */
#ifndef RT_BOOK_H
#define RT_BOOK_H

#include "../core/regions.h"

#define RT_REGION_LAYOUT_ONLY
#include "../../include/resource_tracker_regions.h"
#undef RT_REGION_LAYOUT_ONLY

struct book_entry {
	char path[REGION_PATH_SIZE];
	bool cpu_unknown;                       /* of some entry */
	struct rt_region_block sum;             /* `abandoned` are those unfinished */
};

struct book { struct book_entry *at; size_t n; uint64_t lost; };        /* zeros: empty */

void book_release(struct book *b);

struct book_visit { uint64_t wall, cpu; bool cpu_unknown, unfinished; };
void book_add(struct book *b, const char *path, const struct book_visit *visit);
/* Sums of entries, as whoever counted them gives them: they may be anything. */
void book_add_block(struct book *b, const char *path, const struct rt_region_block *sum, bool cpu_unknown);
void book_add_recursed(struct book *b, const char *path);
/* The times of `from` are in units of which one is so many of `to`. */
void book_add_book(struct book *to, const struct book *from, double scale);

/* In the order of paths; 0, or -ENOMEM.  `ret` is to be freed with region_totals_release. */
int  book_totals(struct region_totals *ret, const struct book *b, double ns_per_tick) must_use;
void region_totals_release(struct region_totals *t);

#endif
