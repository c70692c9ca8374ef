/* run_words.c - short descriptions of a run. */
#include "run_words.h"

#include <string.h>

#include "../summary/summary_parts.h"
#include "../text/human.h"
#include "past_run.h"

enum { COMMAND_LONGEST = 8192 };

void run_command_words(struct buffer *out, const struct run *run)
{
	if (run->command)
		summary_command_text(out, run->command, true);
	phrase_fit(out, COMMAND_LONGEST, true);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *run_id_words(const struct digest *d)
{
	return *d->facts->id ? d->facts->id : strcmp(d->path, "-") == 0 ? "stdin" : base_name(d->path);
}

void run_name_words(struct buffer *out, const struct digest *d)
{
	const struct run *run = &d->facts->run;

	if (run->job_name)
		buffer_text(out, run->job_name);
	else if (run->command && run->command[0])
		buffer_text(out, base_name(run->command[0]));
	else if (!d->facts->records_end)
		buffer_text(out, run_id_words(d));
	else if (run->n_pids > 0)
		for (size_t i = 0; i < size_min(run->n_pids, 8); i++)
			buffer_format(out, "%s%d", i == 0 ? "process " : ", ", (int)run->pids[i]);
	else
		buffer_format(out, "machine %s", d->facts->host.name);
}

const char *run_outcome_word(const struct digest *d)
{
	static const char *const words[STATE_COUNT + 1] = {
		[STATE_OK] = "succeeded", [STATE_FAILED] = "failed", [STATE_KILLED] = "failed",
		[STATE_ENDED] = "ended", [STATE_STOPPED] = "ended", [STATE_RUNNING] = "running",
		[STATE_TRUNCATED] = "incomplete", [STATE_UNREADABLE] = "unknown", [STATE_COUNT] = "unknown",
	};

	return words[d->state];
}

/* "exit 1 after 3.02s: the kernel killed it ..." */
void run_ending_words(struct buffer *out, const struct digest *d)
{
	const struct run_status *status = &d->facts->status;
	struct past_run run = { .state = state_of_status(status), .status = *status };
	char words[32];

	past_run_status(words, sizeof words, &run);
	if (d->state == STATE_RUNNING)
		buffer_text(out, "still running");
	else
		buffer_text(out, status->end == RUN_RUNNING ? "how it ended is unknown, last seen" : words);
	buffer_text(out, " after ");
	human_seconds(out, d->seconds);
	if (status->core_dumped)
		buffer_text(out, ", core dumped");
	if (status->reason.text[0])
		buffer_format(out, ": %s", status->reason.text);
}
