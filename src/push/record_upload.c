/* record_upload.c - from a record to objects in stores. */
#include "record_upload.h"

#include <string.h>

#include "../analysis/answer.h"
#include "push_clock.h"
#include "record_body.h"

static const double STALL_SECONDS = 30;

struct attempts upload_attempts(const struct upload_options *o, struct http *h)
{
	return (struct attempts){
		.http = h, .signals = -1, .until = push_now() + o->drain_seconds, .quiet = o->quiet,
		.stall_seconds = double_max(double_min(o->drain_seconds, STALL_SECONDS), 1),
	};
}

void upload_name(struct buffer *out, const char *path)
{
	const char *slash = strrchr(path, '/');

	buffer_format(out, "%s.gz", slash ? slash + 1 : path);
	buffer_char(out, '\0');
}

static int upload_to(struct http *h, const struct upload_options *o, const struct bucket *to, const char *name,
		     const struct buffer *body, bool *ret_left, struct why *why)
{
	const struct object object = {
		.bucket = to, .keys = &o->keys, .files = &o->files, .name = name, .body = body->at, .n = body->len,
		.part_bytes = o->part_bytes,
	};
	struct attempts attempts = upload_attempts(o, h);
	struct why left, text;
	int r = object_put(&object, &attempts, &left, why);

	if (r == 0 && left.text[0]) {
		(void)why_set(&text, 0, "the record is not uploaded: %s", left.text);
		remark(text.text);
		*ret_left = true;
	}
	return r;
}

int record_upload(const struct upload_options *o, const char *path, bool *ret_left, struct why *why)
{
	struct buffer body = { 0 }, name = { 0 };
	struct http *h = NULL;
	int r = 0;

	if (strcmp(path, "-") == 0)
		return why_set(why, -EINVAL, "a record on standard input has no name to be stored by; give a file or a run");
	r = record_body_read(&body, path, why);
	upload_name(&name, path);
	if (r == 0 && (name.failed || http_open(&h) < 0))
		r = why_set(why, -ENOMEM, "out of memory");
	for (size_t i = 0; r == 0 && i < o->n; i++)
		r = upload_to(h, o, &o->to[i], name.at, &body, ret_left, why);
	http_close(h);
	buffer_release(&body);
	buffer_release(&name);
	return r;
}
