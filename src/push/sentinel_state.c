/* sentinel_state.c - what is known of a run at the service Sentinel. */
#include "sentinel_state.h"

#include "../core/json_read.h"
#include "../core/json_write.h"
#include "../core/sample.h"

static const char FILE_NAME[] = "sentinel.json";

static uint64_t count_of(struct json_value object, const char *name)
{
	struct json_value v;
	double number = json_find(object, name, &v) ? json_as_number(v) : NONE;

	return number >= 0 && number < (double)UINT32_MAX ? (uint64_t)number : 0;
}

void sentinel_state_read(struct sentinel_state *ret, const struct spool *spool)
{
	struct buffer text = { 0 };
	struct json_value v;

	*ret = (struct sentinel_state){ .sent = 0 };
	if (spool && spool_read(spool, FILE_NAME, &text) == 0 && sentinel_read_run(&ret->run, text.at, text.len) == 0 &&
	    json_parse(&v, text.at, text.len) == 0) {
		ret->sent = count_of(v, "sent");
		ret->last = count_of(v, "last");
	}
	buffer_release(&text);
}

void sentinel_state_write(const struct sentinel_state *s, const struct spool *spool)
{
	struct buffer text = { 0 };
	struct json j = json_to(&text);

	if (!spool)
		return;
	json_open(&j, '{');
	json_member_text(&j, "run_id", s->run.id);
	json_member_text(&j, "upload_uri_prefix", s->run.place);
	json_member_u64(&j, "sent", s->sent);
	json_member_u64(&j, "last", s->last);
	json_close(&j, '}');
	if (!text.failed)
		(void)!spool_write(spool, FILE_NAME, text.at, text.len);
	buffer_release(&text);
}

uint64_t sentinel_state_object(const struct sentinel_state *s, uint64_t parcel)
{
	return s->sent > 0 && s->last == parcel ? s->sent - 1 : s->sent;
}
