/* ranks_table.c - all ranks of a job as a table for other programs. */
#include "ranks_table.h"

#include <string.h>

enum { CELLS_MOST = 32, SECONDS_DECIMALS = 6 };

/* text: NULL: it is a number. */
struct cell { const char *name, *text; double number; int decimals; };
struct cells { struct cell at[CELLS_MOST]; size_t n; };

static void add_text(struct cells *c, const char *name, const char *text)
{
	c->at[c->n++] = (struct cell){ name, text, NONE, 0 };
}

static void add_number(struct cells *c, const char *name, double number, int decimals)
{
	c->at[c->n++] = (struct cell){ name, NULL, number, decimals };
}

static void add_figures(struct cells *c, const struct rank *r)
{
	add_number(c, "seconds", r->seconds, SECONDS_DECIMALS);
	add_number(c, "cpu_seconds", r->cpu_seconds, SECONDS_DECIMALS);
	add_number(c, "peak_pss_bytes", r->memory_pss_bytes, 0);
	add_number(c, "peak_rss_bytes", r->memory_rss_bytes, 0);
	add_number(c, "disk_read_bytes", r->disk_read_bytes, 0);
	add_number(c, "disk_written_bytes", r->disk_written_bytes, 0);
	add_number(c, "net_received_bytes", r->net_received_bytes, 0);
	add_number(c, "net_sent_bytes", r->net_sent_bytes, 0);
	for (enum loss k = 0; k < LOSS_COUNT; k++)
		add_number(c, rank_loss_keys[k], r->lost_seconds[k], SECONDS_DECIMALS);
	add_number(c, "waited_seconds", rank_waited_seconds(r), SECONDS_DECIMALS);
}

/* NULL: it is none. */
static const struct straggler *straggler_of(const struct ranks_view *v, const struct rank *r)
{
	for (size_t i = 0; i < v->n_stragglers; i++)
		if (&v->ranks.at[v->stragglers[i].rank] == r)
			return &v->stragglers[i];
	return NULL;
}

static struct cells cells_of(const struct ranks_view *v, const struct node_use *node, const struct rank *r)
{
	const struct straggler *straggler = straggler_of(v, r);
	struct cells c = { .n = 0 };

	add_text(&c, "job", *r->job.array_id ? r->job.array_id : r->job.id);
	add_text(&c, "step", r->job.step);
	add_number(&c, "rank", (double)r->number, 0);
	add_text(&c, "node", node->name);
	add_text(&c, "record", r->path);
	add_text(&c, "state", run_states[r->state]);
	add_text(&c, "status", r->status);
	add_number(&c, "start", (double)r->start_wall_ns / 1e9, SECONDS_DECIMALS);
	add_number(&c, "begin_seconds", rank_begin_seconds(node, r), SECONDS_DECIMALS);
	add_figures(&c, r);
	add_text(&c, "straggler", straggler ? straggler->cause : "");
	return c;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Names in a record are of anyone's making: one that begins like a formula would be run by a spreadsheet. */
static void write_csv_text(struct buffer *out, const char *text)
{
	struct buffer plain = { 0 };

	if (*text && strchr("=+-@\t\r", *text))
		buffer_char(&plain, '\'');
	utf8_write(&plain, text, strlen(text));
	if (!strpbrk(text, ",\"\r\n")) {
		buffer_bytes(out, plain.at ? plain.at : "", plain.len);
	} else {
		buffer_char(out, '"');
		for (size_t i = 0; i < plain.len; i++) {
			if (plain.at[i] == '"')
				buffer_char(out, '"');
			buffer_char(out, plain.at[i]);
		}
		buffer_char(out, '"');
	}
	out->failed |= plain.failed;
	buffer_release(&plain);
}

static void write_csv(struct buffer *out, const struct cells *c, bool names)
{
	for (size_t i = 0; i < c->n; i++) {
		const struct cell *cell = &c->at[i];

		buffer_text(out, i > 0 ? "," : "");
		if (names)
			buffer_text(out, cell->name);
		else if (cell->text)
			write_csv_text(out, cell->text);
		else
			buffer_trimmed(out, cell->number, cell->decimals);      /* unknown: nothing */
	}
	buffer_char(out, '\n');
}

static void write_json(struct buffer *out, const struct cells *c)
{
	struct json j = json_to(out);

	json_open(&j, '{');
	for (size_t i = 0; i < c->n; i++) {
		const struct cell *cell = &c->at[i];

		if (cell->text)
			json_member_text(&j, cell->name, *cell->text ? cell->text : NULL);
		else
			json_member_number(&j, cell->name, cell->number, cell->decimals);
	}
	json_close(&j, '}');
	buffer_char(out, '\n');
}

static void write_table(struct buffer *out, const struct ranks_view *v, bool csv)
{
	size_t row = 0;

	for (size_t k = 0; k < v->use.n_nodes; k++)
		for (size_t i = 0; i < v->use.nodes[k].ranks; i++, row++) {
			struct cells c = cells_of(v, &v->use.nodes[k], v->use.by_node[row]);

			if (csv && row == 0)
				write_csv(out, &c, true);
			if (csv)
				write_csv(out, &c, false);
			else
				write_json(out, &c);
		}
}

void ranks_table_csv(struct buffer *out, const struct ranks_view *v)
{
	write_table(out, v, true);
}

void ranks_table_jsonl(struct buffer *out, const struct ranks_view *v)
{
	write_table(out, v, false);
}
