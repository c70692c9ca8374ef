/* metrics_text.c - the metric reference. */
#include "metrics_text.h"

#include <string.h>

#include "../core/json_write.h"
#include "../core/metrics.h"
#include "metrics_names.h"

static const char *const kinds[] = {
	[KIND_LEVEL] = "a state; a summary shows its mean over time and its maximum",
	[KIND_AMOUNT] = "an increase in the interval of the sample; a summary shows the sum",
	[KIND_COUNTER] = "the total since the source began to count",
	[KIND_FIXED] = "does not change by itself",
};

static const char introduction[] =
	"Every metric of a sample. A value that is not available on a machine, or not at the moment, is missing: "
	"null in JSON, an empty cell in CSV, never 0.";

/* The title of a table with rows, or of a group of the totals. */
static void title(struct buffer *out, enum table t, const char *group)
{
	if (t == TABLE_TOTAL)
		buffer_text(out, group);
	else
		buffer_format(out, "%s[]: one for each %s", tables[t].name,
			      strncmp(tables[t].help, "a ", 2) == 0 ? tables[t].help + 2 : tables[t].help);
}

static bool new_group(const struct table_info *table, size_t i)
{
	return i == 0 || strcmp(table->metrics[i].group, table->metrics[i - 1].group) != 0;
}

static void padded(struct buffer *out, const char *text, size_t width)
{
	size_t n = strlen(text);

	buffer_bytes(out, text, n);
	for (; n < width; n++)
		buffer_char(out, ' ');
}

/* ---- plain ---- */

static size_t longest_name(void)
{
	size_t longest = 0;

	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		for (size_t i = 0; i < tables[t].n_metrics; i++)
			longest = size_max(longest, strlen(tables[t].metrics[i].name));
		for (size_t i = 0; i < tables[t].n_labels; i++)
			longest = size_max(longest, strlen(tables[t].labels[i].name));
	}
	return longest;
}

static void plain_line(struct buffer *out, size_t width, const char *name, const char *unit, const char *kind,
		       const char *help)
{
	buffer_text(out, "  ");
	padded(out, name, width + 2);
	padded(out, unit, 9);
	padded(out, kind, 9);
	buffer_text(out, help);
	buffer_char(out, '\n');
}

static void plain(struct buffer *out)
{
	size_t width = longest_name();

	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const struct table_info *table = &tables[t];

		for (size_t i = 0; i < table->n_metrics; i++) {
			const struct metric *m = &table->metrics[i];

			if (new_group(table, i)) {
				buffer_text(out, out->len ? "\n" : "");
				title(out, t, m->group);
				buffer_char(out, '\n');
				for (size_t l = 0; l < table->n_labels; l++)
					if (strcmp(table->labels[l].group, m->group) == 0)
						plain_line(out, width, table->labels[l].name, "text", "", table->labels[l].help);
			}
			plain_line(out, width, m->name, unit_name(m->unit), kind_name(m->kind), m->help);
		}
	}
}

/* ---- Markdown ---- */

static void markdown(struct buffer *out)
{
	static const char collectors[] =
#define COLLECTOR(name, what) "| `" #name "` | " what " |\n"
#include "../core/collectors.def"
		;

	buffer_format(out, "# Metrics\n\nThis page is the output of `resource-tracker metrics --markdown`.\n\n%s\n\n",
		      introduction);
	for (size_t k = 0; k < countof(kinds); k++)
		buffer_format(out, "* %s: %s\n", kind_name((enum kind)k), kinds[k]);
	buffer_format(out, "\n## What is measured\n\n`--only` and `--without` restrict it.\n\n| word | values |\n|---|---|\n%s",
		      collectors);
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const struct table_info *table = &tables[t];

		for (size_t i = 0; i < table->n_metrics; i++) {
			const struct metric *m = &table->metrics[i];

			if (new_group(table, i)) {
				buffer_text(out, "\n## ");
				title(out, t, m->group);
				buffer_text(out, "\n\n| name | unit | kind | meaning |\n|---|---|---|---|\n");
				for (size_t l = 0; l < table->n_labels; l++)
					if (strcmp(table->labels[l].group, m->group) == 0)
						buffer_format(out, "| `%s` | text | | %s |\n", table->labels[l].name,
							      table->labels[l].help);
			}
			buffer_format(out, "| `%s` | %s | %s | %s |\n", m->name, unit_name(m->unit), kind_name(m->kind),
				      m->help);
		}
	}
	metrics_names(out);
}

/* ---- JSON ---- */

static void json(struct buffer *out)
{
	struct json j = json_to(out);

	json_open(&j, '[');
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const struct table_info *table = &tables[t];

		for (size_t i = 0; i < table->n_labels; i++) {
			json_open(&j, '{');
			json_member_text(&j, "table", table->name);
			if (t == TABLE_TOTAL)
				json_member_text(&j, "group", table->labels[i].group);
			json_member_text(&j, "name", table->labels[i].name);
			json_member_text(&j, "unit", "text");
			json_member_text(&j, "help", table->labels[i].help);
			json_close(&j, '}');
		}
		for (size_t i = 0; i < table->n_metrics; i++) {
			const struct metric *m = &table->metrics[i];

			json_open(&j, '{');
			json_member_text(&j, "table", table->name);
			if (t == TABLE_TOTAL)
				json_member_text(&j, "group", m->group);
			json_member_text(&j, "name", m->name);
			json_member_text(&j, "unit", unit_name(m->unit));
			json_member_text(&j, "kind", kind_name(m->kind));
			json_member_i64(&j, "decimals", m->decimals);
			json_member_text(&j, "help", m->help);
			json_close(&j, '}');
		}
	}
	json_close(&j, ']');
	buffer_char(out, '\n');
}

void metrics_text(struct buffer *out, enum metrics_format format)
{
	switch (format) {
	case METRICS_PLAIN:
		plain(out);
		break;
	case METRICS_MARKDOWN:
		markdown(out);
		break;
	case METRICS_JSON:
		json(out);
		break;
	}
}
