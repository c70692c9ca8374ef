/* report_ranks.c - the data of a report's page over all ranks of a job. */
#include "report_ranks.h"

#include <string.h>

#include "../ranks/ranks_page.h"
#include "report_data.h"

/* With the page less than 3 MiB. */
enum { DATA_BYTES = 2700000 };

/* "job-1235", or the name of the folder. */
static void name_job(struct buffer *out, const struct ranks_view *v, const char *place)
{
	const struct job *job = &v->ranks.at[0].job;
	const char *id = *job->array_id ? job->array_id : job->id;
	size_t end = strlen(place), begin;

	if (*id) {
		buffer_format(out, "job-%s", id);
		return;
	}
	while (end > 1 && place[end - 1] == '/')
		end--;
	for (begin = end; begin > 0 && place[begin - 1] != '/';)
		begin--;
	buffer_bytes(out, place + begin, end - begin);
}

int report_ranks(struct buffer *out, struct buffer *name, const char *output, const struct ranks_question *q,
		 const char *place, struct why *why)
{
	struct json j = json_to(out);
	struct ranks_view view;
	int r = ranks_find(&view, q, place, why);

	if (r < 0)
		return r;
	r = ranks_check_output(&view.ranks, output, why);
	if (r == 0) {
		name_job(name, &view, place);
		report_data_head(&j, false);
		json_close(&j, ']');
		json_key(&j, "job");
		ranks_page_json(&j, &view, DATA_BYTES);
		json_close(&j, '}');
		buffer_char(out, '\n');
	}
	ranks_view_close(&view);
	return out->failed ? why_set(why, -ENOMEM, "out of memory") : r;
}
