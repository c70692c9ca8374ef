/*
 * summary_parts.h - shared by the files of the summary: each part writes its lines, or nothing if nothing is known.  w
 * is scratch for the pieces of a line.
 */
#ifndef RT_SUMMARY_PARTS_H
#define RT_SUMMARY_PARTS_H

#include "../text/page.h"
#include "summary_facts.h"

enum { TAB_PEAK = PAGE_INDENT + 18, TAB_GRAPH = PAGE_INDENT + 40 };

/* A text under construction for one piece of a line; zeroed at first, the owner releases its buffer. */
struct phrase { struct buffer text; };
struct buffer *phrase_new(struct phrase *p);            /* empties it */
const char *phrase_text(struct phrase *p);              /* terminated, once after phrase_new; "" without memory */
/*
 * Shortens a text of more than `width` (10 to PAGE_WIDEST) bytes in its middle: the beginning names the program, the
 * end its input.
 */
void phrase_fit(struct buffer *text, unsigned width, bool utf8);

/* The command's words, quoted for a shell, with secrets masked. */
void summary_command_text(struct buffer *out, char *const *command, bool utf8);
void summary_what_ran(struct page *p, struct phrase *w, const struct summary *s);
void summary_job(struct page *p, struct phrase *w, const struct summary *s);    /* of a scheduler */
void summary_how_it_ended(struct page *p, struct phrase *w, const struct summary *s);
void summary_cpu(struct page *p, struct phrase *w, const struct summary *s);
void summary_disk_and_network(struct page *p, struct phrase *w, const struct summary *s);
const char *summary_cpu_source_words(const char *source);        /* "own control group"; NULL: not a source */
void summary_tracker(struct page *p, struct phrase *w, const struct summary *s);
void summary_cost(struct page *p, struct phrase *w, const struct summary *s);
void summary_time(struct page *p, struct phrase *w, const struct summary *s);
void summary_in_and_out(struct page *p, struct phrase *w, const char *label, const char *in_word, double in,
			const char *out_word, double out);      /* without the end of the line */
void summary_graph(struct page *p, struct phrase *w, const struct spark *spark);
void summary_memory(struct page *p, struct phrase *w, const struct summary *s);
void summary_last_minute(struct page *p, struct phrase *w, const struct summary *s);
void summary_programs(struct page *p, struct phrase *w, const struct summary *s);
/* The use of a region: the figure, or "LOWER to UPPER" if it is an estimated share. */
void summary_region_use(struct buffer *out, const struct region_use *u, void (*put)(struct buffer *out, double n));
/*
 * The `most` longest regions, by time; each is followed by those in it.  Writes their indices, and returns how many
 * there are.
 */
size_t summary_region_order(size_t *ret, size_t most, const struct region_totals *t);
void summary_regions(struct page *p, struct phrase *w, const struct summary *s);
void summary_gpu(struct page *p, struct phrase *w, const struct summary *s);
void summary_gpu_warnings(struct page *p, struct buffer *text, const struct summary *s);
/* Writes a line; empties `text`. */
void summary_say(struct page *p, struct buffer *text, const char *label, enum ink ink);
void summary_warnings(struct page *p, const struct summary *s);

bool summary_tracks(const struct summary *s);           /* a process is tracked, not only the machine watched */
double summary_seconds(const struct summary *s);        /* from its start to its end, or the last sample so far */
/* A total by name; all NONE if there is none. */
struct statistic summary_total(const struct aggregate *whole, enum total_metric m);      /* METRIC_NONE: unknown */

#endif
