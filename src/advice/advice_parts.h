/* advice_parts.h - what the files of the advice share: several runs as one, and words. */
#ifndef RT_ADVICE_PARTS_H
#define RT_ADVICE_PARTS_H

#include "advice.h"
#include "run_use.h"

static const double ADVICE_MIB = 1048576, ADVICE_GIB = 1073741824;
enum { RUNS_FOR_HIGH = 5 };

/* Of a member of struct run_use, the highest value that is known, and the mean by the runs' time; NONE. */
double advice_highest(const struct run_use *runs, size_t n, size_t offset);
double advice_mean(const struct run_use *runs, size_t n, size_t offset);
#define HIGHEST(runs, n, member) advice_highest(runs, n, offsetof(struct run_use, member))
#define MEAN(runs, n, member) advice_mean(runs, n, offsetof(struct run_use, member))
double advice_larger(double a, double b);       /* a missing one does not count */

/* It came to its end, or its format tells of no other. */
bool   advice_succeeded(const struct run_use *u);
/* All that has to fit at once, by what no sample can miss; what was swapped out would have been there, too. */
double advice_memory(const struct run_use *u);
/* Its quota held it back, or it kept all that it had busy and its threads waited for more. */
bool   advice_wants_cpu(const struct run_use *u);

/* It used what it used; whether more was wanted nothing tells.  Of a machine that is not asked. */
bool   advice_waits_unknown(const struct run_use *u);

/* What is advised and why; findings.  Text: empty before and after. */
void advice_needs(struct advice *a, const struct run_use *runs, size_t n, struct buffer *text);
void advice_find(struct advice *a, const struct run_use *runs, size_t n, struct buffer *text);

void advice_settle(char *to, size_t size, struct buffer *text);         /* cut to the room; begins a new text */
void advice_cores(struct buffer *text, double cores);                   /* "8", "1.5" */
void advice_plural(struct buffer *text, double n, const char *one);     /* "2 cores" */

#endif
