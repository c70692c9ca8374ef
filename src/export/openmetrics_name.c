/* openmetrics_name.c - metrics by the conventions of Prometheus. */
#include "openmetrics_name.h"

#include <string.h>

static const char PREFIX[] = "resource_tracker_";

void openmetrics_family(struct buffer *out, const struct metric *m)
{
	buffer_format(out, "%s%s_%s", PREFIX, m->group, m->name);
}

void openmetrics_name(struct buffer *out, const struct metric *m)
{
	openmetrics_family(out, m);
	if (m->kind == KIND_AMOUNT)
		buffer_text(out, "_total");
}

/* The unit must be the suffix of the name. */
static bool has_unit(const struct metric *m)
{
	size_t name = strlen(m->name), unit = strlen(unit_name(m->unit));

	return name > unit && m->name[name - unit - 1] == '_' && strcmp(m->name + name - unit, unit_name(m->unit)) == 0;
}

static void descriptor(struct buffer *out, const char *what, const struct metric *m)
{
	buffer_format(out, "# %s ", what);
	openmetrics_family(out, m);
	buffer_char(out, ' ');
}

void openmetrics_head(struct buffer *out, const struct metric *m)
{
	descriptor(out, "TYPE", m);
	buffer_text(out, m->kind == KIND_AMOUNT ? "counter\n" : "gauge\n");
	if (has_unit(m)) {
		descriptor(out, "UNIT", m);
		buffer_format(out, "%s\n", unit_name(m->unit));
	}
	descriptor(out, "HELP", m);
	buffer_text(out, m->help);              /* our own texts: without newline, backslash or quote */
	buffer_char(out, '\n');
}
