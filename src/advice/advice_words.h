/* advice_words.h - an advice as people, programs and schedulers read it. */
#ifndef RT_ADVICE_WORDS_H
#define RT_ADVICE_WORDS_H

#include "../text/page.h"
#include "advice.h"
#include "run_use.h"

struct advised_run { char id[160]; int64_t start_wall_ns; struct run_use use; };

struct advice_of {                              /* what the advice is of */
	const char *title;                      /* job or command */
	const struct advised_run *runs;         /* newest first */
	size_t n;
	const struct advice *advice;
};

void advice_text(struct buffer *out, const struct advice_of *of, const struct summary_style *style);
/* One object, with a newline. */
void advice_json(struct buffer *out, const struct advice_of *of);

/*
 * Ready to paste, with what has to be known in comments; where the form has none, `notes` gets it (sentences, each with
 * a newline), and it must be told to the user beside the form.
 */
typedef void advice_form(struct buffer *out, struct buffer *notes, const struct advice_of *of);

struct advice_form_info { const char *name; advice_form *write; };
enum { ADVICE_FORMS = 4 };
extern const struct advice_form_info advice_forms[ADVICE_FORMS];        /* "slurm" ... */

#endif
