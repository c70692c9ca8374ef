/* ranks_command.c - `resource-tracker summary DIR`: one summary over all ranks of a job. */
#include "ranks_command.h"

#include <sys/stat.h>

#include "../summary/summary.h"
#include "../text/shown.h"
#include "answer.h"
#include "confinement.h"
#include "replaced_file.h"

bool means_ranks(char *const *words, size_t n)
{
	struct stat status;

	return n == 1 && stat(words[0], &status) == 0 && S_ISDIR(status.st_mode);
}

int ranks_place(char ret[PATH_MAX], const struct ranks_question *q, struct why *why)
{
	if (q->form != SUMMARY_TEXT && q->form != SUMMARY_JSON)
		return why_set(why, -EINVAL, "%s: over all ranks a summary is text or JSON",
			       q->n_words > 0 ? show_path(q->words[0]).text : "--ranks");
	if (q->n_words > 0 && (!means_ranks(q->words, q->n_words) || q->directory))
		return why_set(why, -EINVAL, "--ranks: give one folder of records, or --job ID");
	return history_place(ret, q->n_words > 0 ? q->words[0] : q->directory, NULL, 0, why);
}

int ranks_find(struct ranks_view *ret, const struct ranks_question *q, const char *folder, struct why *why)
{
	struct selection selection = chosen_selection(q->chosen);
	struct ranks ranks;
	int r = ranks_read(&ranks, folder, &selection, why);

	if (r < 0)
		return r;
	r = ranks_view_open(ret, &ranks);
	return r < 0 ? why_set(why, r, "out of memory") : 0;
}

int ranks_check_output(const struct ranks *ranks, const char *output, struct why *why)
{
	int r = 0;

	for (size_t i = 0; output && r == 0 && i < ranks->all; i++)
		r = replaced_file_check(output, ranks->at[i].path, why);
	return r;
}

static int summarize(struct buffer *out, const struct ranks_question *q, const char *place, struct why *why)
{
	struct summary_style style = summary_style(STDOUT_FILENO);
	struct ranks_view view;
	int r = ranks_find(&view, q, place, why);

	if (r < 0)
		return r;
	if (q->form == SUMMARY_JSON)
		ranks_json(out, &view);
	else
		ranks_text(out, &view, &style);
	ranks_view_close(&view);
	return 0;
}

int ranks_summary(const struct ranks_question *q)
{
	char place[PATH_MAX];
	struct buffer text = { 0 };
	struct why why = { "" };

	if (ranks_place(place, q, &why) < 0)
		return complain(why.text);
	(void)confine(&(struct confinement){ .place = place });
	if (summarize(&text, q, place, &why) < 0) {
		buffer_release(&text);
		return complain(why.text);
	}
	return print(&text);
}
