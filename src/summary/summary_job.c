/* summary_job.c - which job of a scheduler it was part of, as a line of the summary. */
#include "../text/job_words.h"
#include "summary_parts.h"

void summary_job(struct page *p, struct phrase *w, const struct summary *s)
{
	if (!s->run.job)
		return;
	page_label(p, "Job", INK_PLAIN);
	job_words(phrase_new(w), s->run.job);
	page_words(p, phrase_text(w), INK_PLAIN);
	page_end(p);
}
