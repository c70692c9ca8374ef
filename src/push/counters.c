/* counters.c - a line of JSON for each counter: [table, group, name, key, value]. */
#include "counters.h"

#include "../core/json_read.h"
#include "../core/json_write.h"
#include "../core/scan.h"

enum { PARTS = 5 };

void counters_save(struct buffer *out, const struct points *p)
{
	for (size_t i = 0; i < p->n_series; i++) {
		const struct series *s = &p->series[i];
		struct json j = json_to(out);

		if (s->metric->kind != KIND_AMOUNT)
			continue;
		json_open(&j, '[');
		json_word(&j, tables[s->table].name);
		json_word(&j, s->metric->group);
		json_word(&j, s->metric->name);
		json_text(&j, s->key);
		json_number(&j, s->least, s->metric->decimals);
		json_close(&j, ']');
		buffer_char(out, '\n');
	}
}

static void load(struct points *p, const struct json_value part[PARTS])
{
	char key[MOUNT_KEY_SIZE];

	if (!json_as_text(part[3], key, sizeof key))
		return;
	for (enum table t = 0; t < TABLE_COUNT; t++)
		for (size_t k = 0; json_is(part[0], tables[t].name) && k < tables[t].n_metrics; k++) {
			const struct metric *m = &tables[t].metrics[k];
			double value = json_as_number(part[4]);
			struct series *s;

			if (m->kind != KIND_AMOUNT || !json_is(part[1], m->group) || !json_is(part[2], m->name) ||
			    !isfinite(value))
				continue;
			s = points_series(p, t, key, k);
			if (s)
				s->least = value;
		}
}

void counters_load(struct points *p, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	struct word line;

	while (scan_line(&s, &line)) {
		struct json_value v, part[PARTS];
		size_t parts = 0;

		if (json_parse(&v, line.at, line.len) == 0)
			for (struct json_walk w = json_walk(v); parts < PARTS && json_next(&w, NULL, &part[parts]);)
				parts++;
		if (parts == PARTS)
			load(p, part);
	}
}
