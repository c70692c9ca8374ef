/* record_reader_job.c - the job of a scheduler that a record's header tells of. */
#include "record_reader_parts.h"

void record_read_job(struct record_reader *r, struct json_value line)
{
	struct json_value job, v;
	char text[JOB_TEXT_SIZE + 1];           /* one more than fits: what is cut is not taken for the whole */
	bool any = false;

	if (!json_find(line, "job", &job) || job.kind != JSON_OBJECT)
		return;
	job_unknown(&r->job);
	for (enum job_key key = 0; key < JOB_KEYS; key++) {
		if (!json_find(job, job_keys[key].name, &v))
			continue;
		any = (v.kind == JSON_NUMBER && job_put_number(&r->job, key, json_as_number(v))) ||
		      (json_as_text(v, text, sizeof text) && job_put_text(&r->job, key, text)) || any;
	}
	if (any)
		r->facts.run.job = &r->job;
}
