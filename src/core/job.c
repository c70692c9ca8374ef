/* job.c - the scheduler's job, from the environment. */
#include "job.h"

#include <string.h>

#include "scan.h"

const struct job_key_info job_keys[JOB_KEYS] = {
#define JOB_TEXT(key, help) { #key, help, offsetof(struct job, key), false, 0 },
#define JOB_NUMBER(key, help) { #key, help, offsetof(struct job, key), true, INT32_MAX },
#define JOB_AMOUNT(key, help) { #key, help, offsetof(struct job, key), true, JOB_AMOUNT_MOST },
#include "job.def"
};

enum row_kind { ROW_SCHEDULER, ROW_LAUNCHER, ROW_VALUE };
enum check { CHECK_TEXT, CHECK_DIGITS, CHECK_NUMBER, CHECK_POSITIVE, CHECK_SECONDS, CHECK_MEBIBYTES };
enum { DIGITS_MAX = 20 };                       /* of any number of 64 bits */

/* job.def in its order: each source with the values that follow it. */
static const struct row {
	enum row_kind kind;
	const char *name;                       /* of a source */
	const char *variable;                   /* of a value, or required by a source; NULL: none */
	enum job_key key;
	enum check check;
} rows[] = {
#define JOB_SCHEDULER(source, needs) { ROW_SCHEDULER, #source, needs, JOB_KEYS, CHECK_TEXT },
#define JOB_LAUNCHER(source, needs) { ROW_LAUNCHER, #source, needs, JOB_KEYS, CHECK_TEXT },
#define JOB_VALUE(key, check, variable) { ROW_VALUE, NULL, variable, JOB_KEY_##key, CHECK_##check },
#include "job.def"
};

static char *text_at(struct job *job, enum job_key key)
{
	return (char *)job + job_keys[key].offset;
}

void job_unknown(struct job *ret)
{
	static const int64_t none = -1;

	memset(ret, 0, sizeof *ret);
	for (enum job_key key = 0; key < JOB_KEYS; key++)
		if (job_keys[key].number)
			memcpy(text_at(ret, key), &none, sizeof none);
}

const char *job_text(const struct job *job, enum job_key key)
{
	return (const char *)job + job_keys[key].offset;
}

int64_t job_number(const struct job *job, enum job_key key)
{
	int64_t value;

	memcpy(&value, (const char *)job + job_keys[key].offset, sizeof value);
	return value;
}

static bool is_printable(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] < ' ' || text[i] > '~')
			return false;
	return n > 0 && n < JOB_TEXT_SIZE && text[0] != ' ' && text[n - 1] != ' ';
}

bool job_put_text(struct job *job, enum job_key key, const char *text)
{
	size_t n = strnlen(text, JOB_TEXT_SIZE);

	if (job_keys[key].number || !is_printable(text, n))
		return false;
	memcpy(text_at(job, key), text, n + 1);
	return true;
}

bool job_put_number(struct job *job, enum job_key key, double value)
{
	if (!job_keys[key].number || !(value >= 0 && value <= (double)job_keys[key].most))
		return false;

	int64_t whole = (int64_t)value;

	if (value > (double)whole)
		return false;
	memcpy(text_at(job, key), &whole, sizeof whole);
	return true;
}

static bool is_digits(const char *text)
{
	return text[strspn(text, "0123456789")] == '\0';
}

/* A whole number, of at least `least`; in units of `unit`. */
static bool put_digits(struct job *job, enum job_key key, const char *given, uint64_t least, double unit)
{
	struct scan s = scan_of(given, strnlen(given, JOB_TEXT_SIZE));
	uint64_t number;

	return is_digits(given) && scan_u64(&s, &number) && s.at == s.end && number >= least &&
	       job_put_number(job, key, (double)number * unit);
}

/* Sets a value from its variable. */
static bool put_given(struct job *job, const struct row *row, const char *given)
{
	static const double MEBIBYTE = 1048576;

	switch (row->check) {
	case CHECK_DIGITS:
		return is_digits(given) && strnlen(given, JOB_TEXT_SIZE) <= DIGITS_MAX &&
		       job_put_text(job, row->key, given);
	case CHECK_NUMBER:
		return put_digits(job, row->key, given, 0, 1);
	case CHECK_POSITIVE:
	case CHECK_SECONDS:
		return put_digits(job, row->key, given, 1, 1);
	case CHECK_MEBIBYTES:
		return put_digits(job, row->key, given, 1, MEBIBYTE);
	case CHECK_TEXT:
		break;
	}
	return job_put_text(job, row->key, given);
}

/* Finds each variable's value in the environment; of several the first, as getenv(3) does. */
static bool find_all(const char *ret[countof(rows)], char *const *environment)
{
	bool any = false;

	for (; *environment; environment++)
		for (size_t i = 0; i < countof(rows); i++) {
			const char *variable = rows[i].variable;

			if (!variable || ret[i] || **environment != *variable)
				continue;

			size_t n = strlen(variable);

			if (strncmp(*environment, variable, n) == 0 && (*environment)[n] == '=') {
				ret[i] = *environment + n + 1;
				any = true;
			}
		}
	return any;
}

static bool is_known(const struct job *job, enum job_key key)
{
	return job_keys[key].number ? job_number(job, key) >= 0 : *job_text(job, key) != '\0';
}

/* Whether a rank is beyond the size. */
static bool is_contradictory(const struct job *job)
{
	return job->size >= 0 && (job->rank >= job->size || job->local_rank >= job->size);
}

/* Takes the values of the source in row i.  false: they contradict each other, or the required `must` is missing. */
static bool take_source(struct job *job, size_t i, enum job_key must, enum job_key name, const char *const *found)
{
	struct job taken = *job;

	if (rows[i].variable && !found[i])
		return false;
	(void)job_put_text(&taken, name, rows[i].name);
	while (++i < countof(rows) && rows[i].kind == ROW_VALUE)
		if (found[i] && !is_known(&taken, rows[i].key))
			(void)put_given(&taken, &rows[i], found[i]);
	if (!is_known(&taken, must) || is_contradictory(&taken))
		return false;
	*job = taken;
	return true;
}

bool job_from_environment(struct job *ret, char *const *environment)
{
	const char *found[countof(rows)] = { NULL };
	bool scheduler = false, launcher = false;

	job_unknown(ret);
	if (!find_all(found, environment))
		return false;
	for (size_t i = 0; i < countof(rows); i++) {
		if (rows[i].kind == ROW_SCHEDULER && !scheduler)
			scheduler = take_source(ret, i, JOB_KEY_id, JOB_KEY_scheduler, found);
		if (rows[i].kind == ROW_LAUNCHER && !launcher)
			launcher = take_source(ret, i, JOB_KEY_rank, JOB_KEY_launcher, found);
	}
	if (strcmp(ret->scheduler, "kubernetes") == 0 && strcmp(ret->step, ret->id) == 0)       /* a pod without a Job */
		ret->step[0] = '\0';
	return scheduler || launcher;
}
