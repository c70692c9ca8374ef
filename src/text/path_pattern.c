/* path_pattern.c - a path with parts of the run in it. */
#include "path_pattern.h"

#include <stdio.h>
#include <string.h>

enum { PART_SIZE = JOB_TEXT_SIZE };

static void number(char ret[PART_SIZE], int64_t value)
{
	if (value >= 0)
		(void)snprintf(ret, PART_SIZE, "%lld", (long long)value);
}

static void text(char ret[PART_SIZE], const char *value)
{
	(void)snprintf(ret, PART_SIZE, "%s", value);
}

static void job_id(char ret[PART_SIZE], const struct job *job) { text(ret, job->id); }
static void array_task(char ret[PART_SIZE], const struct job *job) { number(ret, job->array_task); }
static void step(char ret[PART_SIZE], const struct job *job) { text(ret, job->step); }
static void rank(char ret[PART_SIZE], const struct job *job) { number(ret, job->rank); }
static void node_number(char ret[PART_SIZE], const struct job *job) { number(ret, job->node_number); }

static void host(char ret[PART_SIZE], const struct job *job)
{
	(void)job;
	(void)gethostname(ret, PART_SIZE - 1);
}

static void pid(char ret[PART_SIZE], const struct job *job)
{
	(void)job;
	number(ret, getpid());
}

static const struct part { char letter; void (*write)(char ret[PART_SIZE], const struct job *job); } parts[] = {
	{ 'j', job_id }, { 'a', array_task }, { 's', step }, { 't', rank }, { 'n', node_number }, { 'h', host },
	{ 'p', pid },
};

/* NULL: there is none of this letter. */
static const struct part *part_of(char letter)
{
	for (size_t i = 0; i < countof(parts); i++)
		if (parts[i].letter == letter)
			return &parts[i];
	return NULL;
}

int path_pattern_check(const char *pattern, const char *origin, struct why *why)
{
	for (const char *at = strchr(pattern, '%'); at; at = strchr(at + 2, '%')) {
		if (!at[1])
			return why_set(why, -EINVAL, "%s: '%%' at the end stands for nothing; write %%%% for a percent sign",
				       origin);
		if (at[1] != '%' && !part_of(at[1]))
			return why_set(why, -EINVAL, "%s: there is no %%%c; there are %%j %%a %%s %%t %%n %%h %%p, and %%%% for a "
				       "percent sign", origin, at[1] > ' ' && at[1] <= '~' ? at[1] : '?');
	}
	return 0;
}

static bool is_plain(char c, bool first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
	       (c == '.' && !first);
}

/* The part as text for a file's name. */
static void write_part(char ret[PART_SIZE], const struct part *part, const struct job *job)
{
	memset(ret, 0, PART_SIZE);
	part->write(ret, job);
	for (char *c = ret; *c; c++)
		if (!is_plain(*c, c == ret))
			*c = '-';
	if (!*ret)
		text(ret, "none");
}

int path_pattern_write(char *ret, size_t size, const char *pattern, const struct job *job)
{
	struct job unknown;
	size_t n = 0;

	job_unknown(&unknown);
	for (const char *at = pattern; *at; at++) {
		char word[PART_SIZE] = { *at };
		const struct part *part = *at == '%' ? part_of(at[1]) : NULL;

		if (*at == '%' && !part && at[1] != '%')
			return -EINVAL;
		if (part)
			write_part(word, part, job ? job : &unknown);
		at += *at == '%';

		size_t length = strlen(word);

		if (length >= size - n)
			return -ENAMETOOLONG;
		memcpy(ret + n, word, length);
		n += length;
	}
	if (size == 0)
		return -ENAMETOOLONG;
	ret[n] = '\0';
	return 0;
}

size_t path_pattern_folder(const char *pattern)
{
	size_t n = strcspn(pattern, "%");

	while (n > 0 && pattern[n - 1] != '/')
		n--;
	return n;
}
