/* summary_head.c - the command and its end, as the first lines of the summary. */

#include "../text/human.h"
#include "../text/job_words.h"
#include "../text/mask.h"
#include "summary_parts.h"

void summary_command_text(struct buffer *out, char *const *command, bool utf8)
{
	struct buffer masked = { 0 };
	struct mask mask = { 0 };

	for (size_t i = 0; command[i]; i++) {
		buffer_clear(&masked);
		mask_argument(&mask, &masked, command[i]);
		if (i > 0)
			buffer_char(out, ' ');
		human_word(out, masked.at ? masked.at : "", masked.len, utf8);
	}
	buffer_release(&masked);
}

void summary_what_ran(struct page *p, struct phrase *w, const struct summary *s)
{
	struct buffer *text = phrase_new(w);

	if (s->run.command) {
		page_label(p, "Command", INK_PLAIN);
		summary_command_text(text, s->run.command, p->style.utf8);
		phrase_fit(text, page_room(p), p->style.utf8);
		page_phrase(p, 0, phrase_text(w), INK_BOLD);
	} else if (s->run.n_pids > 0) {
		page_label(p, s->run.n_pids == 1 ? "Process" : "Processes", INK_PLAIN);
		for (size_t i = 0; i < s->run.n_pids; i++)
			buffer_format(text, "%s%d", i > 0 ? " " : "", (int)s->run.pids[i]);
		page_words(p, phrase_text(w), INK_BOLD);
	} else if (summary_tracks(s)) {
		page_label(p, "Processes", INK_PLAIN);
		page_words(p, "which ones is unknown", INK_PLAIN);
	} else {
		page_label(p, "Machine", INK_PLAIN);
		page_words(p, "all that ran on it", INK_PLAIN);
	}
	page_end(p);
}

void summary_how_it_ended(struct page *p, struct phrase *w, const struct summary *s)
{
	struct buffer *text = phrase_new(w);
	enum ink ink = INK_PLAIN;
	const char *more = "";

	switch (s->status.end) {
	case RUN_EXITED:
		buffer_format(text, "exit %d", s->status.value);
		ink = s->status.value == 0 ? INK_GOOD : INK_BAD;
		break;
	case RUN_SIGNALED:
		buffer_format(text, "killed by signal %d (", s->status.value);
		human_signal(text, s->status.value);
		buffer_char(text, ')');
		more = s->status.core_dumped ? ", core dumped" : "";
		ink = INK_BAD;
		break;
	case RUN_ROOTS_ENDED:
		buffer_text(text, "ended");
		more = ", exit status unknown: not the recorder's child";
		break;
	case RUN_STOPPED:
		buffer_text(text, summary_tracks(s) ? "no longer tracked" : "no longer watched");
		break;
	case RUN_RUNNING:
		buffer_text(text, s->running ? "running" : "how it ended is unknown, last seen");
		ink = s->running ? INK_GOOD : INK_WARN;
		break;
	}
	page_label(p, "Status", INK_PLAIN);
	page_phrase(p, 0, phrase_text(w), ink);
	text = phrase_new(w);
	buffer_text(text, "after ");
	human_seconds(text, summary_seconds(s));
	buffer_text(text, more);
	page_phrase(p, 1, phrase_text(w), INK_PLAIN);
	page_end(p);
	if (s->status.reason.text[0]) {
		page_label(p, "Cause", INK_PLAIN);
		page_words(p, s->status.reason.text, INK_PLAIN);
		page_end(p);
	}
}

/* The scheduler's job that the run was part of. */
void summary_job(struct page *p, struct phrase *w, const struct summary *s)
{
	if (!s->run.job)
		return;
	page_label(p, "Job", INK_PLAIN);
	job_words(phrase_new(w), s->run.job);
	page_words(p, phrase_text(w), INK_PLAIN);
	page_end(p);
}
