/* export_ranks.c - all ranks of a job as one table in a file. */
#include "export_ranks.h"

#include <signal.h>

#include "../ranks/ranks_table.h"
#include "confinement.h"
#include "replaced_file.h"

static int write_file(const char *output, const struct buffer *text, struct why *why)
{
	struct replaced_file file;
	int r = text->failed ? why_set(why, -ENOMEM, "out of memory") : replaced_file_open(&file, output, why);

	if (r < 0)
		return r;
	r = replaced_file_write(&file, text->at, text->len, why);
	if (r == 0)
		return replaced_file_finish(&file, why);
	replaced_file_abandon(&file);
	return r;
}

int export_ranks(const struct ranks_question *q, const char *output, bool csv, struct why *why)
{
	struct buffer text = { 0 };
	struct ranks_view view;
	char place[PATH_MAX];
	int r = ranks_place(place, q, why);

	if (r < 0)
		return r;
	(void)confine(&(struct confinement){ .place = place, .output = output });
	/* A file that is too large is reported as an error instead of by SIGXFSZ. */
	(void)signal(SIGXFSZ, SIG_IGN);
	r = ranks_find(&view, q, place, why);
	if (r < 0)
		return r;
	r = ranks_check_output(&view.ranks, output, why);
	if (r == 0) {
		(csv ? ranks_table_csv : ranks_table_jsonl)(&text, &view);
		r = write_file(output, &text, why);
	}
	buffer_release(&text);
	ranks_view_close(&view);
	return r;
}
