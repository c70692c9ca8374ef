/* selection.c - selects runs of the history. */
#include "selection.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/* Also compares literally: ids of PBS have brackets, which are special in a pattern. */
static bool matches(const char *pattern, const char *text)
{
	return *text && (strcmp(pattern, text) == 0 || fnmatch(pattern, text, 0) == 0);
}

static bool matches_number(const char *pattern, const char *id, size_t n, int64_t task)
{
	char text[JOB_TEXT_SIZE + 24];

	if (n == 0 || task < 0)
		return false;
	(void)snprintf(text, sizeof text, "%.*s_%lld", (int)n, id, (long long)task);
	return matches(pattern, text);
}

bool job_is_called(const struct job *job, const char *pattern)
{
	char text[2 * JOB_TEXT_SIZE];
	size_t array = strcspn(job->array_id, ".["), id = strcspn(job->id, ".[");

	if (matches(pattern, job->id) || matches(pattern, job->array_id) ||
	    matches_number(pattern, job->array_id, array, job->array_task) ||
	    matches_number(pattern, job->id, id, job->array_task))
		return true;
	(void)snprintf(text, sizeof text, "%.*s", (int)id, job->id);
	if (matches(pattern, text))
		return true;
	(void)snprintf(text, sizeof text, "%s.%s", job->id, job->step);
	return *job->step && matches(pattern, text);
}

static bool has_tag(const struct run *run, const char *pattern)
{
	for (size_t i = 0; i < run->n_tags; i++) {
		const char *tag = run->tags[i];
		size_t key = strcspn(tag, "=");

		if (matches(pattern, tag) || (strlen(pattern) == key && strncmp(pattern, tag, key) == 0))
			return true;
	}
	return false;
}

bool selection_asks(const struct selection *s)
{
	return s->job || s->name || s->n_tags > 0;
}

bool selection_takes(const struct selection *s, const struct past_run *run)
{
	if (s->job && !(run->run.job && job_is_called(run->run.job, s->job)))
		return false;
	if (s->name && !(run->run.job_name && matches(s->name, run->run.job_name)))
		return false;
	for (size_t i = 0; i < s->n_tags; i++)
		if (!has_tag(&run->run, s->tags[i]))
			return false;
	return true;
}

void selection_keep(const struct selection *s, struct history *h)
{
	size_t kept = 0;

	for (size_t i = 0; i < h->n; i++)
		if (selection_takes(s, &h->runs[i]))
			h->runs[kept++] = h->runs[i];
	h->n = kept;
}
