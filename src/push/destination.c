/* destination.c - where points are sent. */
#include "destination.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../text/push_target.h"
#include "../text/shown.h"
#include "forms.h"

#define SERVICE_ADDRESS "SENTINEL_API_URL"

static const struct { const char *key; size_t given, kept; } files_of[] = {
	{ "headers", offsetof(struct push_files, headers), offsetof(struct destination, headers) },
	{ "authorities", offsetof(struct push_files, authorities), offsetof(struct destination, authorities) },
	{ "certificate", offsetof(struct push_files, certificate), offsetof(struct destination, certificate) },
	{ "key", offsetof(struct push_files, key), offsetof(struct destination, key) },
};

static char **kept(struct destination *d, size_t i)
{
	return (char **)((char *)d + files_of[i].kept);
}

static const char *given(const struct push_files *files, size_t i)
{
	const char *path;

	memcpy(&path, (const char *)files + files_of[i].given, sizeof path);
	return path;
}

/* A URL without a path gets that of its form. */
static char *whole_url(const struct push_target *t, const char *path, struct why *why)
{
	struct buffer url = { 0 };

	buffer_bytes(&url, t->url, (size_t)(t->rest.at - t->url));
	if (t->rest.len == 0 || t->rest.at[0] != '/' || t->rest.at[1] == '\0' || t->rest.at[1] == '?') {
		buffer_text(&url, path);
		buffer_text(&url, t->rest.at + (t->rest.at[0] == '/'));
	} else {
		buffer_text(&url, t->rest.at);
	}
	buffer_char(&url, '\0');
	if (!url.failed)
		return url.at;
	buffer_release(&url);
	(void)why_set(why, -ENOMEM, "out of memory");
	return NULL;
}

/* SENTINEL_API_URL, else that of the service; its paths are appended to it. */
static const char *service_address(void)
{
	const char *url = getenv(SERVICE_ADDRESS);

	return url && *url ? url : "https://api.sentinel.sparecores.net";
}

static char *service_url(const struct push_target *t, struct why *why)
{
	const char *url = *t->url ? t->url : service_address();
	struct push_target whole;
	struct buffer text = { 0 };
	char *copy = NULL;
	int r;

	buffer_format(&text, "%.*s=%s", (int)t->form.len, t->form.at, url);
	while (text.len > 0 && text.at[text.len - 1] == '/')
		text.len--;
	buffer_char(&text, '\0');
	r = text.failed ? why_set(why, -ENOMEM, "out of memory") : push_target_read(&whole, text.at, SERVICE_ADDRESS, why);
	if (r == 0 && strpbrk(whole.url, "?#"))
		(void)why_set(why, -EINVAL, SERVICE_ADDRESS ": its URL has host and path alone");
	else if (r == 0 && !(copy = strdup(whole.url)))
		(void)why_set(why, -ENOMEM, "out of memory");
	buffer_release(&text);
	return copy;
}

int destination_keep_files(struct destination *d, const struct push_files *files, struct why *why)
{
	for (size_t i = 0; i < countof(files_of); i++) {
		const char *name = given(files, i);

		if (name && !(*kept(d, i) = realpath(name, NULL)))
			return why_set(why, -errno, "%s: %s", name, strerror(errno));
	}
	return 0;
}

int destination_open(struct destination *ret, const char *text, const char *origin, const struct push_files *files,
		     struct why *why)
{
	struct destination d = { .form = NULL };
	struct push_target target;
	const char *path = "";
	int r = push_target_read(&target, text, origin, why);

	if (r < 0)
		return r;
	d.form = form_find(target.form.at, target.form.len, &path);
	if (!d.form)
		return why_set(why, -EINVAL, "%s: '%s' cannot be sent", origin, show(text).text);
	(void)snprintf(d.shown, sizeof d.shown, "%.*s", (int)(target.rest.at - text), text);
	d.url = d.form->service ? service_url(&target, why) : whole_url(&target, path, why);
	if (!d.url)
		r = -EINVAL;
	if (r == 0)
		r = destination_keep_files(&d, files, why);
	if (r < 0)
		destination_close(&d);
	else
		*ret = d;
	return r;
}

void destination_close(struct destination *d)
{
	free(d->url);
	for (size_t i = 0; i < countof(files_of); i++)
		free(*kept(d, i));
}

struct http_peer destination_peer(const struct destination *d)
{
	return (struct http_peer){
		.url = d->url, .headers = d->form ? d->form->headers : NULL, .header_file = d->headers,
		.authorities = d->authorities, .certificate = d->certificate, .key = d->key,
	};
}

int destination_request_open(struct http_request **ret, struct http *h, const struct destination *d, struct why *why)
{
	struct http_peer peer = destination_peer(d);

	return http_request_open(ret, h, &peer, why);
}

void destination_write_files(struct json *j, const struct destination *d)
{
	struct destination copy = *d;

	for (size_t i = 0; i < countof(files_of); i++)
		if (*kept(&copy, i))
			json_member_text(j, files_of[i].key, *kept(&copy, i));
}

int destination_read_files(struct destination *d, struct json_value v, struct why *why)
{
	struct push_files files = { NULL, NULL, NULL, NULL };
	char paths[countof(files_of)][PATH_MAX];
	struct json_value part;

	for (size_t i = 0; i < countof(files_of); i++)
		if (json_find(v, files_of[i].key, &part) && json_as_text(part, paths[i], sizeof paths[i])) {
			const char *path = paths[i];

			memcpy((char *)&files + files_of[i].given, &path, sizeof path);
		}
	return destination_keep_files(d, &files, why);
}

void destination_write(struct json *j, const struct destination *d)
{
	struct buffer to = { 0 };

	buffer_format(&to, "%s=%s", d->form->word, d->url);
	buffer_char(&to, '\0');
	json_open(j, '{');
	json_member_text(j, "to", to.failed ? "" : to.at);
	destination_write_files(j, d);
	json_close(j, '}');
	buffer_release(&to);
}

/* Whether the service is not the one that the variable names now. */
static bool is_elsewhere(const struct destination *d)
{
	const struct push_target alone = { .form = word_of(d->form->word), .url = "" };
	char *now = d->form->service ? service_url(&alone, NULL) : NULL;
	bool elsewhere = d->form->service && (!now || strcmp(now, d->url) != 0);

	free(now);
	return elsewhere;
}

int destination_read(struct destination *ret, struct json_value v, struct why *why)
{
	const struct push_files none = { NULL, NULL, NULL, NULL };
	struct json_value part;
	char to[2048];
	int r;

	if (!json_find(v, "to", &part) || !json_as_text(part, to, sizeof to))
		return why_set(why, -EBADMSG, "there is no destination in it");
	r = destination_open(ret, to, "the spool", &none, why);
	if (r == 0)
		ret->elsewhere = is_elsewhere(ret);
	if (r == 0 && (r = destination_read_files(ret, v, why)) < 0)
		destination_close(ret);
	return r;
}
