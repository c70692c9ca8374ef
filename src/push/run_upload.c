/* run_upload.c - the companion of --upload. */
#include "run_upload.h"

#include <poll.h>
#include <string.h>

#include "../analysis/answer.h"
#include "../text/shown.h"
#include "push_clock.h"
#include "record_body.h"
#include "stop_signals.h"
#include "waiting_upload.h"

/* LEFT: it waits; GIVEN_UP: it never can be uploaded. */
enum outcome { UPLOADED, LEFT, GIVEN_UP };

enum { LOOK_AGAIN_MS = 50 };

/* The bytes that were kept, else those of the record, which are kept now.  As record_body_read. */
static int find_body(struct buffer *ret, const struct waiting_upload *w, const struct upload_options *o,
		     struct why *why)
{
	int r = waiting_upload_body(w, ret);

	if (r == 0)
		return 0;
	buffer_clear(ret);
	r = record_body_read(ret, w->record, why);
	if (r == 0)
		waiting_upload_keep(w, ret, o->spool_bytes, o->quiet);
	return r;
}

/*
 * As find_body.  A killed recorder's pipe closes before its process is gone, and until then the record counts as that
 * of a run which goes on.
 */
static int find_body_at_end(struct buffer *ret, const struct waiting_upload *w, const struct upload_options *o,
			    int signals, struct why *why)
{
	struct pollfd stop = { .fd = signals, .events = POLLIN };
	int r;

	do
		r = find_body(ret, w, o, why);
	while (r == -EBUSY && poll(&stop, 1, LOOK_AGAIN_MS) == 0);
	return r;
}

static enum outcome without_body(int error)
{
	return error == -EBUSY || error == -ENOMEM ? LEFT : GIVEN_UP;
}

/* The keys are looked for once it is known that something is to be sent.  *ret: why it is not uploaded, "" if it is. */
static enum outcome upload(const struct waiting_upload *w, const struct buffer *body, struct upload_options *o,
			   struct attempts *a, struct why *ret)
{
	struct object object = {
		.bucket = &w->to, .keys = &o->keys, .files = &w->files, .part_bytes = o->part_bytes,
		.body = body->at, .n = body->len,
	};
	struct buffer name = { 0 };
	int r;

	upload_name(&name, w->record);
	object.name = name.at;
	r = name.failed ? why_set(ret, -ENOMEM, "out of memory") : 0;
	if (r == 0 && !o->keys.access[0])
		r = credentials_find(&o->keys, getenv, ret);
	if (r == 0)
		r = object_put(&object, a, ret, ret);
	buffer_release(&name);
	return r == 0 && !ret->text[0] ? UPLOADED : LEFT;
}

static void report(enum outcome outcome, const struct waiting_upload *w, const struct why *trouble)
{
	struct why text;

	if (outcome == UPLOADED)
		return;
	if (outcome == GIVEN_UP)
		(void)why_set(&text, 0, "the record is not uploaded: %s", trouble->text);
	else if (w->spool.folder >= 0)
		(void)why_set(&text, 0, "%s is not uploaded yet; resource-tracker push --spooled does it; %s",
			      show_path(w->record).text, trouble->text);
	else
		(void)why_set(&text, 0, "%s is not uploaded, and cannot wait in the spool; %s", show_path(w->record).text,
			      trouble->text);
	remark(text.text);
}

/* ---- of a run that goes on --------------------------------------------------------------------- */

/* The recorder names the record as its user does. */
static int absolute(char *ret, size_t size, const char *path, struct why *why)
{
	char folder[PATH_MAX] = "";
	struct buffer whole = { 0 };
	bool fits;

	if (path[0] != '/' && !getcwd(folder, sizeof folder))
		return why_set(why, -errno, "the working directory: %s", strerror(errno));
	buffer_format(&whole, "%s%s%s", folder, folder[0] ? "/" : "", path);
	buffer_char(&whole, '\0');
	fits = !whole.failed && whole.len <= size;
	if (fits)
		memcpy(ret, whole.at, whole.len);
	buffer_release(&whole);
	return fits ? 0 : why_set(why, -ENAMETOOLONG, "the path of the record is too long");
}

/* Whether there is something to upload. */
static bool wait_for_end(void)
{
	ssize_t n;
	char byte;

	do
		n = read(STDIN_FILENO, &byte, 1);
	while (n < 0 && errno == EINTR);
	return n <= 0;
}

void run_upload(struct upload_options *o, const char *record, const char *to, const struct push_files *files)
{
	struct waiting_upload w = { .spool = { .folder = -1 } };
	auto_close int signals = stop_signals_open(), root = spool_root(SPOOL_UPLOAD, true, NULL);
	enum outcome outcome = GIVEN_UP;
	struct buffer body = { 0 };
	struct why why = { "" };
	struct http *h = NULL;
	int r = absolute(w.record, sizeof w.record, record, &why);

	if (r == 0)
		r = bucket_read(&w.to, to, "--upload", getenv, &why);
	if (r == 0)
		r = destination_keep_files(&w.files, files, &why);
	if (r == 0)
		waiting_upload_make(&w, root);
	if (!wait_for_end()) {
		waiting_upload_close(&w, true);
		return;
	}
	stop_signals_forget(signals);
	if (r == 0 && http_open(&h) < 0)
		r = why_set(&why, -ENOMEM, "out of memory");
	if (r == 0) {
		r = find_body_at_end(&body, &w, o, signals, &why);
		outcome = without_body(r);
	}
	if (r == 0) {
		struct attempts attempts = upload_attempts(o, h);

		attempts.signals = signals;
		attempts.quiet = true;
		outcome = upload(&w, &body, o, &attempts, &why);
	}
	if (!o->quiet)
		report(outcome, &w, &why);
	buffer_release(&body);
	http_close(h);
	waiting_upload_close(&w, outcome != LEFT);
}

/* ---- what waits -------------------------------------------------------------------------------- */

/* Whether it still waits. */
static bool send_one(struct upload_options *o, struct attempts *a, int root, const char *name)
{
	struct waiting_upload w;
	struct buffer body = { 0 };
	struct why why = { "" };
	enum outcome outcome;
	int r = waiting_upload_adopt(&w, root, name, &why);

	if (r == -EBUSY || r == -ENOENT)        /* its own process still has it, or has just delivered it */
		return false;
	if (r < 0) {
		remark(why.text);
		return true;
	}
	r = find_body(&body, &w, o, &why);
	outcome = r < 0 ? without_body(r) : upload(&w, &body, o, a, &why);
	report(outcome, &w, &why);
	buffer_release(&body);
	waiting_upload_close(&w, outcome != LEFT);
	return outcome != UPLOADED;
}

int uploads_send_waiting(struct upload_options *o, bool *ret_left, struct why *why)
{
	auto_close int root = spool_root(SPOOL_UPLOAD, false, why), signals = -1;
	struct waiting_names names;
	struct attempts attempts;
	struct http *h;

	if (root < 0)
		return root == -ENOENT ? 0 : root;      /* none was ever spooled */
	if (http_open(&h) < 0)
		return why_set(why, -ENOMEM, "out of memory");
	signals = stop_signals_open();
	attempts = upload_attempts(o, h);
	attempts.signals = signals;
	waiting_names_read(&names, root);
	for (size_t i = 0; i < names.n; i++) {
		/* A store that hangs is asked once, not for each record. */
		bool late = attempts.stopped || (i > 0 && push_now() > attempts.until);

		*ret_left = late || send_one(o, &attempts, root, names.at[i]) || *ret_left;
	}
	waiting_names_release(&names);
	http_close(h);
	return 0;
}
