/* job_words.c - short descriptions of a scheduler's job. */
#include "job_words.h"

#include <string.h>

struct list { struct buffer *out; bool comma; };

static struct buffer *next(struct list *l)
{
	if (l->comma)
		buffer_text(l->out, ", ");
	l->comma = true;
	return l->out;
}

static void text(struct list *l, const char *what, const char *value)
{
	if (*value)
		buffer_format(next(l), "%s%s", what, value);
}

static void number(struct list *l, const char *what, int64_t value, const char *of, int64_t all)
{
	if (value >= 0)
		buffer_format(next(l), "%s%lld", what, (long long)value);
	if (value >= 0 && all >= 0)
		buffer_format(l->out, "%s%lld", of, (long long)all);
}

void job_words(struct buffer *out, const struct job *job)
{
	struct list l = { .out = out };

	if (*job->scheduler)
		buffer_format(next(&l), "%s %s", job->scheduler, job->id);
	number(&l, "task ", job->array_task, "", -1);
	if (job->array_task >= 0 && *job->array_id)
		buffer_format(out, " of array %s", job->array_id);
	text(&l, "step ", job->step);
	number(&l, "rank ", job->rank, " of ", job->size);
	if (job->rank >= 0 && *job->launcher && strcmp(job->launcher, job->scheduler) != 0)
		buffer_format(out, " by %s", job->launcher);
	text(&l, "node ", job->node);
	if (!*job->node)
		number(&l, "node ", job->node_number, "", -1);
}

void job_short_words(struct buffer *out, const struct job *job)
{
	const char *array = *job->array_id ? job->array_id : job->id;
	long long task = (long long)job->array_task;

	if (task < 0 || strchr(job->id, '['))           /* PBS: 1230[7].server */
		buffer_text(out, job->id);
	else if (array[strspn(array, "0123456789")] == '\0')
		buffer_format(out, "%s_%lld", array, task);
	else
		buffer_format(out, "%s task %lld", job->id, task);
	if (job->rank >= 0)
		buffer_format(out, "%srank %lld", *job->id ? " " : "", (long long)job->rank);
}
