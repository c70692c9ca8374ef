/* record_job.c - the job of a scheduler, as it stands in a record's header. */
#include "record_lines.h"

void record_job(struct json *j, const struct job *job)
{
	if (!job)
		return;
	json_member_open(j, "job", '{');
	for (enum job_key key = 0; key < JOB_KEYS; key++) {
		const struct job_key_info *info = &job_keys[key];

		if (info->number && job_number(job, key) >= 0)
			json_member_i64(j, info->name, job_number(job, key));
		else if (!info->number && *job_text(job, key))
			json_member_text(j, info->name, job_text(job, key));
	}
	json_close(j, '}');
}
