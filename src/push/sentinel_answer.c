/* sentinel_answer.c - what the service Sentinel answers. */
#include "sentinel_answer.h"

#include <string.h>
#include <time.h>

#include "../core/json_read.h"
#include "../core/scan.h"
#include "../text/shown.h"

/* ---- time -------------------------------------------------------------------------------------- */

/* So many digits. */
static bool digits(struct scan *s, size_t n, int *ret)
{
	int value = 0;

	for (size_t i = 0; i < n; i++, s->at++) {
		if (s->at == s->end || !json_is_digit(*s->at))
			return false;
		value = 10 * value + (*s->at - '0');
	}
	*ret = value;
	return true;
}

/* "Z", "+01:00", "+0100", or nothing: UTC. */
static bool read_zone(struct scan *s, int *ret_seconds)
{
	int hours, minutes, sign;

	*ret_seconds = 0;
	if (s->at == s->end || scan_literal(s, "Z"))
		return true;
	sign = scan_literal(s, "-") ? -1 : 1;
	if (sign > 0 && !scan_literal(s, "+"))
		return false;
	if (!digits(s, 2, &hours) || (scan_literal(s, ":"), !digits(s, 2, &minutes)))
		return false;
	*ret_seconds = sign * (hours * 3600 + minutes * 60);
	return true;
}

bool sentinel_read_time(int64_t *ret, const char *text)
{
	struct scan s = scan_of(text, strlen(text));
	struct tm t = { 0 };
	int zone;

	if (!digits(&s, 4, &t.tm_year) || !scan_literal(&s, "-") || !digits(&s, 2, &t.tm_mon) ||
	    !scan_literal(&s, "-") || !digits(&s, 2, &t.tm_mday) || (!scan_literal(&s, "T") && !scan_literal(&s, " ")) ||
	    !digits(&s, 2, &t.tm_hour) || !scan_literal(&s, ":") || !digits(&s, 2, &t.tm_min) ||
	    !scan_literal(&s, ":") || !digits(&s, 2, &t.tm_sec))
		return false;
	if (scan_literal(&s, "."))
		while (s.at < s.end && json_is_digit(*s.at))
			s.at++;
	if (!read_zone(&s, &zone) || s.at != s.end || t.tm_mon < 1 || t.tm_mon > 12 || t.tm_mday < 1 ||
	    t.tm_mday > 31 || t.tm_hour > 23 || t.tm_min > 59 || t.tm_sec > 60)
		return false;
	t.tm_year -= 1900;
	t.tm_mon--;
	*ret = (int64_t)timegm(&t) - zone;
	return true;
}

/* ---- answers ----------------------------------------------------------------------------------- */

static bool text_in(struct json_value object, const char *name, char *ret, size_t size)
{
	struct json_value v;

	return json_find(object, name, &v) && json_as_text(v, ret, size) && strlen(ret) < size - 1;
}

static bool is_part_of_path(const char *id)
{
	static const char signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";

	return *id && strspn(id, signs) == strlen(id) && strcmp(id, ".") != 0 && strcmp(id, "..") != 0;
}

int sentinel_read_run(struct sentinel_run *ret, const char *text, size_t n)
{
	struct sentinel_run run = { .id = "" };
	struct json_value v;

	if (json_parse(&v, text, n) < 0 || !text_in(v, "run_id", run.id, sizeof run.id) || !is_part_of_path(run.id) ||
	    !text_in(v, "upload_uri_prefix", run.place, sizeof run.place))
		return -EBADMSG;
	*ret = run;
	return 0;
}

/* The two clients of the service name it differently. */
static int64_t end_of(struct json_value keys)
{
	static const char *const names[] = { "expiration", "expires_at" };
	struct json_value v;
	char text[64];
	int64_t end;

	for (size_t i = 0; i < countof(names); i++)
		if (json_find(keys, names[i], &v) && v.kind != JSON_NULL)
			return json_as_text(v, text, sizeof text) && sentinel_read_time(&end, text) ? end : INT64_MIN;
	return INT64_MAX;
}

int sentinel_read_keys(struct sentinel_keys *ret, const char *text, size_t n)
{
	struct credentials raw = { .access = "" };
	struct json_value v, keys;
	int r = -EBADMSG;

	if (json_parse(&v, text, n) < 0 || !json_find(v, "upload_credentials", &keys))
		return -EBADMSG;
	if (text_in(keys, "access_key", raw.access, sizeof raw.access) &&
	    text_in(keys, "secret_key", raw.secret, sizeof raw.secret) &&
	    text_in(keys, "session_token", raw.token, sizeof raw.token) &&
	    credentials_take(&ret->keys, raw.access, raw.secret, raw.token)) {
		ret->end = end_of(keys);
		if (!text_in(keys, "region", ret->region, sizeof ret->region))
			ret->region[0] = '\0';
		r = 0;
	}
	credentials_forget(&raw);
	return r;
}

void sentinel_forget_keys(struct sentinel_keys *keys)
{
	explicit_bzero(keys, sizeof *keys);
}

void sentinel_read_detail(char *ret, size_t size, const char *text, size_t n, const char *secret)
{
	static const char *const names[] = { "detail", "message", "error" };
	struct buffer shown = { 0 };
	struct json_value v, part;
	char detail[1024] = "";

	ret[0] = '\0';
	if (json_parse(&v, text, n) < 0)
		return;
	for (size_t i = 0; !*detail && i < countof(names); i++)
		if (json_find(v, names[i], &part))
			(void)json_as_text(part, detail, sizeof detail);
	if (strlen(detail) == sizeof detail - 1 || (*secret && strstr(detail, secret)))
		return;
	show_text(&shown, detail, strlen(detail), '?');
	if (!shown.failed)
		(void)word_copy((struct word){ shown.at ? shown.at : "", shown.len }, ret, size);
	buffer_release(&shown);
}
