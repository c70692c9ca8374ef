/* record_moments.c - the last minute of a run that failed, as a line of its record. */
#include "record_lines.h"

void record_last_minute_line(struct buffer *out, const struct moment *moments, size_t n)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_open(&j, "last_minute", '{');
	json_member_open(&j, "columns", '[');
	for (size_t i = 0; i < countof(record_moment_columns); i++)
		json_text(&j, record_moment_columns[i].name);
	json_close(&j, ']');
	json_member_open(&j, "points", '[');
	for (size_t i = 0; i < n; i++) {
		json_open(&j, '[');
		for (size_t k = 0; k < countof(record_moment_columns); k++)
			json_number(&j, record_moment_value(&moments[i], k), record_moment_columns[k].decimals);
		json_close(&j, ']');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	json_close(&j, '}');
	buffer_char(out, '\n');
}
