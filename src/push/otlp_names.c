/* otlp_names.c - names of OpenTelemetry. */
#include "otlp_names.h"

const char OTLP_SCOPE[] = "resource-tracker";

const char *otlp_unit(enum unit unit)
{
	static const char *const names[] = {
		[UNIT_BYTES] = "By", [UNIT_SECONDS] = "s", [UNIT_CORES] = "{cpu}", [UNIT_COUNT] = "1", [UNIT_PERCENT] = "%",
		[UNIT_WATTS] = "W", [UNIT_JOULES] = "J", [UNIT_CELSIUS] = "Cel", [UNIT_HERTZ] = "Hz",
	};

	return names[unit];
}

size_t otlp_resource(struct label_pair ret[OTLP_RESOURCE_MAX], const struct run_labels *l)
{
	const struct label_pair all[OTLP_RESOURCE_MAX] = {
		{ "service.name", l->job }, { "service.instance.id", l->run }, { "host.name", l->host },
		{ "resource_tracker.rank", l->rank },
	};
	size_t n = 0;

	for (size_t i = 0; i < OTLP_RESOURCE_MAX; i++)
		if (all[i].value[0])
			ret[n++] = all[i];
	return n;
}

const struct series *otlp_next(const struct points *p, const struct metric *m, const struct series *after)
{
	for (const struct series *s = after ? after + 1 : p->series; s < p->series + p->n_series; s++)
		if (s->metric == m && points_first(p, s))
			return s;
	return NULL;
}
