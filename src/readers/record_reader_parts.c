/* record_reader_parts.c - helpers of the record reader: problems, counts, and metrics by their names. */
#include "record_reader_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PROBLEMS_MAX = 16 };

void record_problem(struct record_reader *r, const char *format, ...)
{
	char text[512];
	int n = snprintf(text, sizeof text, "%s:%zu: ", r->name, r->source.line);
	va_list arguments;

	if (r->problems.n >= PROBLEMS_MAX) {
		r->problems.more++;
		return;
	}
	va_start(arguments, format);
	if (n > 0 && (size_t)n < sizeof text)
		(void)vsnprintf(text + n, sizeof text - (size_t)n, format, arguments);
	va_end(arguments);
	record_sentence(&r->problems, text);
}

uint64_t record_count(double n)
{
	return n > 0 && n < 1e15 ? (uint64_t)n : 0;
}

const struct metric *record_metric(struct json_value name)
{
	const struct table_info *info = &tables[TABLE_TOTAL];
	char text[RECORD_NAME_SIZE];

	if (!json_as_text(name, text, sizeof text))
		return NULL;
	for (size_t i = 0; i < info->n_metrics; i++) {
		size_t n = strlen(info->metrics[i].group);

		if (strncmp(text, info->metrics[i].group, n) == 0 && text[n] == '.' &&
		    strcmp(text + n + 1, info->metrics[i].name) == 0)
			return &info->metrics[i];
	}
	return NULL;
}

const struct metric *record_row_metric(enum table t, struct json_value name)
{
	for (size_t i = 0; i < tables[t].n_metrics; i++)
		if (json_is(name, tables[t].metrics[i].name))
			return &tables[t].metrics[i];
	return NULL;
}
