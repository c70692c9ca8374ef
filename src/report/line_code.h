/*
 * line_code.h - a long series of numbers as short text, which the page of a report decodes (web/line_code.js).
 *
 * Values are counted in steps: `floor` * `ratio` near 0, a step of `ratio` of the value above the floor.  What is
 * written are differences, each as a base64 VLQ as in source maps (five bits a digit, the sign in the lowest bit of the
 * first).  "~" and a number: the last value so many times again.  "_" and a number: so many unknown values.
 */
#ifndef RT_LINE_CODE_H
#define RT_LINE_CODE_H

#include "../core/buffer.h"

struct line_scale { double floor, ratio; };
/* value: finite. */
int64_t line_steps(const struct line_scale *s, double value);

struct line_code { struct buffer *out; int64_t last; uint64_t again, unknown; };

static inline struct line_code line_code_to(struct buffer *out) { return (struct line_code){ .out = out }; }

void line_code_add(struct line_code *c, int64_t steps);
void line_code_unknown(struct line_code *c);
/* After the last value. */
void line_code_end(struct line_code *c);

#endif
