/*
 * exact.h - the exact totals of a run that is over, known before its rows are read.
 *
 * Rows have rounded amounts: their sum can exceed the total, and a counter that was sent cannot be taken back.
 */
#ifndef RT_EXACT_H
#define RT_EXACT_H

#include "../core/aggregate.h"
#include "../core/buffer.h"

struct record_reader;

struct exact { struct buffer ends; struct record_reader *reader; };

void exact_open(struct exact *e, const char *path);
/* NULL: the record has no end line. */
const struct aggregate *exact_totals(const struct exact *e);
void exact_close(struct exact *e);

#endif
