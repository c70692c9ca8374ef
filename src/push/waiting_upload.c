/* waiting_upload.c - records that wait for a store. */
#include "waiting_upload.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "../analysis/answer.h"
#include "../text/shown.h"

static const char ABOUT[] = "about.json", BODY[] = "body.gz";

/* Of a bucket, all but secrets: it has none. */
static const struct { const char *key; size_t offset, size; } bucket_parts[] = {
#define PART(member) { #member, offsetof(struct bucket, member), sizeof ((struct bucket *)NULL)->member }
	PART(origin), PART(path), PART(region), PART(shown),
#undef PART
};

/* ---- one of them ------------------------------------------------------------------------------- */

static int write_about(const struct waiting_upload *w)
{
	struct buffer text = { 0 };
	struct json j = json_to(&text);
	int r;

	json_open(&j, '{');
	json_member_text(&j, "record", w->record);
	for (size_t i = 0; i < countof(bucket_parts); i++)
		json_member_text(&j, bucket_parts[i].key, (const char *)&w->to + bucket_parts[i].offset);
	destination_write_files(&j, &w->files);
	json_close(&j, '}');
	r = text.failed ? -ENOMEM : spool_write(&w->spool, ABOUT, text.at, text.len);
	buffer_release(&text);
	return r;
}

void waiting_upload_make(struct waiting_upload *w, int root)
{
	struct timespec now = { 0 };
	char name[64];

	w->spool = (struct spool){ .root = root, .folder = -1 };
	(void)clock_gettime(CLOCK_REALTIME, &now);
	(void)snprintf(name, sizeof name, "%010lld%09ld-%d", (long long)now.tv_sec, now.tv_nsec, (int)getpid());
	if (root < 0 || spool_open(&w->spool, root, name, true) < 0)
		w->spool.folder = -1;
	else if (write_about(w) < 0)
		spool_remove(&w->spool);
}

static bool read_about(struct waiting_upload *w, struct json_value about)
{
	struct json_value part;
	bool whole = json_find(about, "record", &part) && json_as_text(part, w->record, sizeof w->record);

	for (size_t i = 0; whole && i < countof(bucket_parts); i++)
		whole = json_find(about, bucket_parts[i].key, &part) &&
			json_as_text(part, (char *)&w->to + bucket_parts[i].offset, bucket_parts[i].size);
	return whole && strstr(w->to.origin, "://");
}

int waiting_upload_adopt(struct waiting_upload *ret, int root, const char *name, struct why *why)
{
	struct waiting_upload w = { .record = "" };
	struct buffer text = { 0 };
	struct json_value about = { .kind = JSON_NULL };
	int r = spool_open(&w.spool, root, name, false);

	*ret = (struct waiting_upload){ .spool = { .folder = -1 } };
	if (r < 0)
		return why_set(why, r, "%s: %s", name, r == -EBUSY ? "another process sends it" : strerror(-r));
	r = spool_read(&w.spool, ABOUT, &text);
	if (r == 0)
		r = json_parse(&about, text.at, text.len);
	if (r == 0 && !read_about(&w, about))
		r = -EBADMSG;
	if (r < 0)
		(void)why_set(why, r, "what is kept of the upload %s cannot be read: %s", name, strerror(-r));
	else
		r = destination_read_files(&w.files, about, why);
	buffer_release(&text);
	if (r < 0)                              /* without about.json its process was killed before it had anything */
		waiting_upload_close(&w, r == -ENOENT);
	else
		*ret = w;
	return r;
}

int waiting_upload_body(const struct waiting_upload *w, struct buffer *ret)
{
	return w->spool.folder >= 0 ? spool_read(&w->spool, BODY, ret) : -ENOENT;
}

void waiting_upload_close(struct waiting_upload *w, bool done)
{
	destination_close(&w->files);
	w->files = (struct destination){ .form = NULL };
	if (done && w->spool.folder >= 0)
		spool_remove(&w->spool);
	spool_close(&w->spool);
}

/* ---- all of them ------------------------------------------------------------------------------- */

static void add_name(void *context, const char *name)
{
	struct waiting_names *n = context;

	if (n->n == n->size) {
		size_t size = n->size ? 2 * n->size : 16;
		char (*more)[64] = reallocarray(n->at, size, sizeof *more);

		if (!more)
			return;
		n->at = more;
		n->size = size;
	}
	if (strlen(name) < sizeof *n->at)
		memcpy(n->at[n->n++], name, strlen(name) + 1);
}

static int by_age(const void *a, const void *b)
{
	return strcmp(a, b);
}

void waiting_names_read(struct waiting_names *ret, int root)
{
	*ret = (struct waiting_names){ .n = 0 };
	spool_walk(root, add_name, ret);
	if (ret->n > 0)
		qsort(ret->at, ret->n, sizeof *ret->at, by_age);
}

void waiting_names_release(struct waiting_names *n)
{
	free(n->at);
	*n = (struct waiting_names){ .n = 0 };
}

/* ---- the limits -------------------------------------------------------------------------------- */

static uint64_t bytes_of(int root, const char *name)
{
	struct stat status;
	char path[96];

	(void)snprintf(path, sizeof path, "%s/%s", name, BODY);
	return fstatat(root, path, &status, AT_SYMLINK_NOFOLLOW) == 0 ? (uint64_t)status.st_size : 0;
}

/* Whether it is gone: one that another process sends stays. */
static bool give_up(int root, const char *name, bool quiet)
{
	struct waiting_upload w;
	struct why why;
	int r = waiting_upload_adopt(&w, root, name, &why);

	if (r < 0)
		return false;
	(void)why_set(&why, 0, "the upload of %s is given up: too many records wait for their stores", show_path(w.record).text);
	if (!quiet)
		remark(why.text);
	waiting_upload_close(&w, true);
	return true;
}

void waiting_upload_keep(const struct waiting_upload *w, const struct buffer *body, uint64_t most, bool quiet)
{
	struct waiting_names names;
	uint64_t bytes = body->len;
	size_t left;

	if (w->spool.folder < 0 || body->len > most)
		return;
	waiting_names_read(&names, w->spool.root);
	left = names.n;
	for (size_t i = 0; i < names.n; i++)
		bytes += bytes_of(w->spool.root, names.at[i]);
	for (size_t i = 0; i < names.n && (bytes > most || left > UPLOADS_MAX); i++) {
		uint64_t its = bytes_of(w->spool.root, names.at[i]);

		if (strcmp(names.at[i], w->spool.name) != 0 && give_up(w->spool.root, names.at[i], quiet)) {
			bytes -= its;
			left--;
		}
	}
	if (bytes <= most)
		(void)!spool_write(&w->spool, BODY, body->at, body->len);
	waiting_names_release(&names);
}
