/* summary_program.c - the summary in a form that the analysis companion writes, from the record. */
#include "summary_program.h"

#include "asked_program.h"

int summary_program_read(struct buffer *out, const char *record, const char *form, double seconds, struct why *why)
{
	const struct asked_program program = {
		.name = "resource-tracker-analysis", .prefix = "resource-tracker summary: ",
		.words = (const char *const[]){ "summary", "--form", form, "--", record, NULL },
	};

	return asked_program_read(out, &program, seconds, why);
}
