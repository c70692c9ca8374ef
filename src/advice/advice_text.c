/* advice_text.c - an advice as text for people and as JSON. */
#include "advice_words.h"

#include <stdio.h>

#include "../core/json_write.h"
#include "server_words.h"

static void line(struct page *p, const char *label, const char *words, enum ink ink)
{
	page_label(p, label, ink);
	page_words(p, words, INK_PLAIN);
	page_end(p);
}

static enum ink ink_of(enum confidence confidence)
{
	return confidence == CONFIDENCE_LOW ? INK_WARN : confidence == CONFIDENCE_HIGH ? INK_GOOD : INK_PLAIN;
}

static void item(struct page *p, enum advised which, const struct advice *a)
{
	static const char *const labels[ADVISED_COUNT] = { "CPU", "Memory", "GPU", "GPU memory", "Time" };
	const struct advice_item *item = &a->of[which];

	if (!item->why[0])
		return;
	page_label(p, labels[which], INK_PLAIN);
	page_phrase(p, 0, item->value, INK_BOLD);
	page_tab(p, PAGE_INDENT + 10);
	page_words(p, item->why, INK_PLAIN);
	if (item->confidence < a->confidence)
		page_phrase(p, 1, "(confidence low)", INK_WARN);
	page_end(p);
}

void advice_text(struct buffer *out, const struct advice_of *of, const struct summary_style *style)
{
	struct page p = { .out = out, .style = *style };
	const struct advice *a = of->advice;
	char words[280];

	page_title(&p, "recommended");
	line(&p, "For", of->title, INK_PLAIN);
	(void)snprintf(words, sizeof words, "%zu, %zu of them succeeded", of->n, a->succeeded);
	if (of->n > 1)
		line(&p, "Runs", words, INK_PLAIN);
	page_label(&p, "Confidence", INK_PLAIN);
	(void)snprintf(words, sizeof words, "%s:", confidences[a->confidence]);
	page_phrase(&p, 0, words, ink_of(a->confidence));
	page_words(&p, a->confidence_why, INK_PLAIN);
	page_end(&p);
	for (enum advised i = 0; i < ADVISED_COUNT; i++)
		item(&p, i, a);
	for (enum finding i = 0; i < FINDING_COUNT; i++)
		if (a->findings[i][0]) {
			(void)snprintf(words, sizeof words, "%s: %s", findings[i].label, a->findings[i]);
			line(&p, "Found", words, INK_WARN);
		}
	if (of->servers)
		servers_text(&p, of->servers);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void items(struct json *j, const struct advice *a)
{
	json_member_open(j, "advice", '{');
	for (enum advised i = 0; i < ADVISED_COUNT; i++) {
		if (!a->of[i].why[0])
			continue;
		json_member_open(j, advised[i].key, '{');
		json_member_number(j, advised[i].amount_key, a->of[i].amount, 0);
		if (i == ADVISED_CPU)
			json_member_number(j, "request_cores", a->cpu_request_cores, 1);
		json_member_text(j, "value", a->of[i].value);
		json_member_text(j, "why", a->of[i].why);
		json_member_text(j, "confidence", confidences[a->of[i].confidence]);
		json_close(j, '}');
	}
	json_close(j, '}');
}

static void used(struct json *j, const struct advised_run *run)
{
	const struct run_use *u = &run->use;

	json_open(j, '{');
	json_member_text(j, "id", run->id[0] ? run->id : NULL);
	json_member_text(j, "status", u->state < STATE_COUNT ? run_states[u->state] : NULL);
	json_member_bool(j, "tracked", u->tracked);
	json_member_bool(j, "out_of_memory", u->out_of_memory);
#define NUMBER(name) json_member_number(j, #name, u->name, 6);
	RUN_USE(NUMBER)
#undef NUMBER
	json_close(j, '}');
}

void advice_json(struct buffer *out, const struct advice_of *of)
{
	const struct advice *a = of->advice;
	struct json j = json_to(out);

	json_open(&j, '{');
	json_member_text(&j, "for", of->title);
	json_member_u64(&j, "succeeded", a->succeeded);
	json_member_text(&j, "confidence", confidences[a->confidence]);
	json_member_text(&j, "confidence_why", a->confidence_why);
	items(&j, a);
	json_member_open(&j, "findings", '[');
	for (enum finding i = 0; i < FINDING_COUNT; i++)
		if (a->findings[i][0]) {
			json_open(&j, '{');
			json_member_text(&j, "finding", findings[i].key);
			json_member_text(&j, "label", findings[i].label);
			json_member_text(&j, "text", a->findings[i]);
			json_close(&j, '}');
		}
	json_close(&j, ']');
	json_member_open(&j, "runs", '[');
	for (size_t i = 0; i < of->n; i++)
		used(&j, &of->runs[i]);
	json_close(&j, ']');
	if (of->servers)
		servers_json(&j, of->servers);
	json_close(&j, '}');
	buffer_char(out, '\n');
}
