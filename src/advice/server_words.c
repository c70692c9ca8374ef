/* server_words.c - servers that hold a job, for people and programs. */
#include "server_words.h"

#include "../text/human.h"
#include "advice_parts.h"

/* "m7i.large (aws, eu-central-1)" */
static void put_name(struct buffer *text, const struct server *s)
{
	buffer_format(text, "%s (%s%s%s)", s->type, s->vendor, *s->region ? ", " : "", s->region);
}

static void phrase(struct page *p, unsigned gap, struct buffer *text, enum ink ink)
{
	buffer_char(text, '\0');
	page_phrase(p, gap, text->failed ? "" : text->at, ink);
	text->len = 0;
}

static void put_price(struct page *p, struct buffer *text, const struct server *s, double seconds)
{
	human_usd(text, s->usd_per_hour);
	buffer_text(text, "/h");
	phrase(p, 2, text, INK_PLAIN);
	if (is_none(seconds))
		return;
	human_usd(text, server_cost(s, seconds));
	buffer_text(text, " a run");
	phrase(p, 2, text, INK_PLAIN);
}

static void put_server(struct page *p, struct buffer *text, const struct server *s, double seconds)
{
	page_next_line(p);
	put_name(text, s);
	phrase(p, 0, text, INK_BOLD);
	advice_plural(text, s->cpus, "CPU");
	buffer_format(text, ", %g GiB", s->memory_bytes / ADVICE_GIB);
	if (s->gpus > 0) {
		buffer_text(text, ", ");
		advice_plural(text, s->gpus, "GPU");
	}
	phrase(p, 2, text, INK_PLAIN);
	put_price(p, text, s, seconds);
}

static void put_saving(struct page *p, struct buffer *text, double here, double there)
{
	double share = 100 * (1 - there / here);

	if (!(here > 0) || !(share >= 0.5))
		return;
	buffer_text(text, "the first one above saves ");
	human_percent(text, share);
	phrase(p, 2, text, INK_GOOD);
}

static void put_table(struct page *p, struct buffer *text, const struct server_choice *c)
{
	const struct server_table *t = c->table;

	if (c->holding > 0)
		buffer_format(text, "%zu of %zu hold it; prices", c->holding, t->n);
	else
		buffer_format(text, "none of %zu holds it; prices", t->n);
	if (*t->date)
		buffer_format(text, " of %s", t->date);
	if (*t->source)
		buffer_format(text, " from %s", t->source);
	buffer_char(text, '\0');
	page_label(p, "Servers", INK_PLAIN);
	page_words(p, text->failed ? "" : text->at, INK_PLAIN);
	text->len = 0;
}

void servers_text(struct page *p, const struct server_choice *c)
{
	struct buffer text = { 0 };

	put_table(p, &text, c);
	for (size_t i = 0; i < c->n; i++)
		put_server(p, &text, c->at[i], c->seconds);
	page_end(p);
	if (c->here) {
		page_label(p, "Ran on", INK_PLAIN);
		put_name(&text, c->here);
		phrase(p, 0, &text, INK_BOLD);
		put_price(p, &text, c->here, c->seconds);
		if (c->n > 0)
			put_saving(p, &text, c->here->usd_per_hour, c->at[0]->usd_per_hour);
		page_end(p);
	}
	buffer_release(&text);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void server_members(struct json *j, const struct server *s, double seconds)
{
	json_member_text(j, "vendor", s->vendor);
	json_member_text(j, "region", *s->region ? s->region : NULL);
	json_member_text(j, "type", s->type);
	json_member_number(j, "cpus", s->cpus, 2);
	json_member_number(j, "memory_bytes", s->memory_bytes, 0);
	json_member_number(j, "gpus", s->gpus, 2);
	json_member_number(j, "gpu_memory_bytes", s->gpu_memory_bytes, 0);
	json_member_number(j, "usd_per_hour", s->usd_per_hour, 6);
	json_member_number(j, "usd_per_run", server_cost(s, seconds), 9);
	json_close(j, '}');
}

void servers_json(struct json *j, const struct server_choice *c)
{
	json_member_open(j, "servers", '{');
	json_member_text(j, "date", *c->table->date ? c->table->date : NULL);
	json_member_text(j, "source", *c->table->source ? c->table->source : NULL);
	json_member_number(j, "run_seconds", c->seconds, 6);
	json_member_u64(j, "in_table", c->table->n);
	json_member_u64(j, "holding", c->holding);
	json_member_open(j, "cheapest", '[');
	for (size_t i = 0; i < c->n; i++) {
		json_open(j, '{');
		server_members(j, c->at[i], c->seconds);
	}
	json_close(j, ']');
	if (c->here) {
		json_member_open(j, "here", '{');
		server_members(j, c->here, c->seconds);
	} else {
		json_member_text(j, "here", NULL);
	}
	json_close(j, '}');
}
