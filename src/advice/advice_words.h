/* advice_words.h - an advice for people, programs and schedulers. */
#ifndef RT_ADVICE_WORDS_H
#define RT_ADVICE_WORDS_H

#include "../text/page.h"
#include "advice.h"
#include "run_use.h"
#include "server_choice.h"

struct advised_run { char id[160]; int64_t start_wall_ns; struct run_use use; };

/* The runs are ranks of one job: how many it starts, at most how many on a node, and a sentence on how they differ. */
struct advised_ranks { int64_t size; size_t per_node; char differ[300]; };

struct advice_of {                              /* the subject of the advice */
	const char *title;                      /* job or command */
	const struct advised_run *runs;         /* newest first */
	size_t n;
	const struct advice *advice;
	const struct advised_ranks *ranks;      /* the advice is for one of these; NULL: for the whole job */
	const struct server_choice *servers;    /* that hold it; NULL: not asked for */
};

/* All append; errors are those of the buffer. */
void advice_text(struct buffer *out, const struct advice_of *of, const struct summary_style *style);
/* Amounts, reasons and findings, as GitHub's Markdown. */
void advice_markdown(struct buffer *out, const struct advice *a);
/* Writes one object and a newline. */
void advice_json(struct buffer *out, const struct advice_of *of);

/*
 * Writes text ready to paste, with notes in comments; a form without comments puts them into `notes` (sentences, each
 * with a newline), to be shown to the user beside the form.
 */
typedef void advice_form(struct buffer *out, struct buffer *notes, const struct advice_of *of);

struct advice_form_info { const char *name; advice_form *write; };
enum { ADVICE_FORMS = 4 };
extern const struct advice_form_info advice_forms[ADVICE_FORMS];        /* "slurm" ... */

#endif
