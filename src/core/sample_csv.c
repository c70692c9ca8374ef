/* sample_csv.c - a sample as a CSV row in one of three layouts: a walk over layouts.def. */
#include <string.h>

#include "layouts.h"
#include "sample_write.h"

enum column_source { SOURCE_METRIC, SOURCE_TIMESTAMP, SOURCE_PID };

struct column {
	enum csv_layout layout;
	const char *name;
	enum column_source source;
	size_t offset;                          /* in struct totals */
	enum scale scale;
	int decimals;
};

static const struct column columns[] = {
#define CSV(layout, column, metric, scale, decimals) \
	{ CSV_##layout, #column, SOURCE_METRIC, offsetof(struct totals, metric), SCALE_##scale, decimals },
#define CSV_OTHER(layout, column, what) { CSV_##layout, #column, SOURCE_##what, 0, SCALE_ONE, 0 },
#include "layouts.def"
};

const char *const csv_layout_names[CSV_LAYOUTS] = { "system", "combined", "process" };

void timestamp_write(struct buffer *out, int64_t wall_ns, int decimals)
{
	char digits[6];
	uint64_t ns = wall_ns < 0 ? -(uint64_t)wall_ns : (uint64_t)wall_ns, micros = ns % NS_PER_SECOND / 1000;

	if (wall_ns < 0)                        /* before 1970 */
		buffer_char(out, '-');
	buffer_u64(out, ns / NS_PER_SECOND);
	if (decimals == 0)
		return;
	for (size_t i = sizeof digits; i-- > 0; micros /= 10)
		digits[i] = (char)('0' + micros % 10);
	buffer_char(out, '.');
	buffer_bytes(out, digits, size_min((size_t)decimals, sizeof digits));
}

static void write_cell(struct buffer *out, const struct column *c, const struct sample *s, const struct run *run)
{
	double value;

	switch (c->source) {
	case SOURCE_METRIC:
		memcpy(&value, (const char *)&s->total + c->offset, sizeof value);
		buffer_fixed(out, scaled(value, c->scale, s->interval_seconds), c->decimals);
		break;
	case SOURCE_TIMESTAMP:
		timestamp_write(out, s->wall_ns, whole_seconds(run) ? 0 : 3);
		break;
	case SOURCE_PID:
		if (run->n_pids > 0)
			buffer_i64(out, run->pids[0]);
		break;
	}
}

void sample_write_csv(struct buffer *out, const struct sample *s, const struct run *run, enum csv_layout layout)
{
	const char *separator = "";

	for (size_t i = 0; i < countof(columns); i++)
		if (columns[i].layout == layout) {
			buffer_text(out, separator);
			write_cell(out, &columns[i], s, run);
			separator = ",";
		}
	buffer_char(out, '\n');
}

void sample_write_csv_header(struct buffer *out, enum csv_layout layout)
{
	const char *separator = "";

	for (size_t i = 0; i < countof(columns); i++)
		if (columns[i].layout == layout) {
			buffer_text(out, separator);
			buffer_text(out, columns[i].name);
			separator = ",";
		}
	buffer_char(out, '\n');
}
