/* push_target.c - a destination of metrics as text. */
#include "push_target.h"

#include <string.h>

#include "did_you_mean.h"
#include "shown.h"

enum way { HTTP, UDP, SERVICE };

static const struct { const char *word; enum way by; } forms[] = {
#define PUSH_FORM(id, word, by, path, help) { word, by },
#include "../core/push_forms.def"
};

static int find_form(enum way *ret, struct word form, const char *origin, struct why *why)
{
	struct guess guess = { .word = "" };
	char word[32], list[120] = "";

	(void)word_copy(form, word, sizeof word);
	guess.word = word;
	for (size_t i = 0; i < countof(forms); i++) {
		if (word_is(form, forms[i].word)) {
			*ret = forms[i].by;
			return 0;
		}
		guess_consider(&guess, forms[i].word);
		alternatives_add(list, sizeof list, forms[i].word, i + 1 == countof(forms));
	}
	return guess.best ? why_set(why, -EINVAL, "%s: '%s' is not %s; did you mean %s?", origin, show(word).text, list, guess.best)
			  : why_set(why, -EINVAL, "%s: '%s' is not %s", origin, show(word).text, list);
}

static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

/* A name or an address, in brackets if it has colons, and a port. */
static int read_place(struct push_target *t, const char *origin, struct why *why)
{
	const char *colon = strrchr(t->url, ':'), *port = colon ? colon + 1 : "";
	size_t host = colon ? (size_t)(colon - t->url) : 0;
	struct scan s = scan_of(port, strlen(port));
	bool bracketed = host > 2 && t->url[0] == '[' && t->url[host - 1] == ']';
	uint64_t number;

	if (!is_plain(t->url) || strpbrk(t->url, "/?#@") || host == 0 || (!bracketed && strcspn(t->url, ":[]") < host) ||
	    !scan_u64(&s, &number) || s.at != s.end || number == 0 || number > UINT16_MAX)
		return why_set(why, -EINVAL, "%s: '%s' is not HOST:PORT, such as 127.0.0.1:8125", origin, show(t->url).text);
	t->authority = word_of(t->url);
	t->rest = word_of(t->url + t->authority.len);
	return 0;
}

static int read_url(struct push_target *t, const char *origin, struct why *why)
{
	struct scan s = scan_of(t->url, strlen(t->url));
	const char *at;

	if (!is_plain(t->url) || (!scan_literal(&s, "http://") && !scan_literal(&s, "https://")))
		return why_set(why, -EINVAL, "%s: '%s' is not a URL that begins with http:// or https://", origin,
			       show(t->url).text);
	at = s.at;
	t->authority = (struct word){ at, strcspn(at, "/?#") };
	t->rest = word_of(at + t->authority.len);
	if (memchr(at, '@', t->authority.len))
		return why_set(why, -EINVAL, "%s: a URL with a user or a password can be read by all users of the machine; write them as "
			       "a line 'Authorization: ...' into a file, and name it with --push-header-file", origin);
	if (t->authority.len == 0)
		return why_set(why, -EINVAL, "%s: '%s' has no host", origin, show(t->url).text);
	return 0;
}

int push_target_read(struct push_target *ret, const char *text, const char *origin, struct why *why)
{
	const char *equals = strchr(text, '=');
	struct push_target target;
	enum way by = HTTP;
	int r;

	target = (struct push_target){ .form = word_of(text), .url = text + strlen(text) };
	target.authority = target.rest = word_of(target.url);
	if (!equals && find_form(&by, target.form, origin, NULL) == 0 && by == SERVICE) {
		*ret = target;
		return 0;
	}
	if (!equals || equals == text)
		return why_set(why, -EINVAL, "%s: '%s' is not FORM=URL, such as prometheus=http://metrics.example:9090", origin,
			       show(text).text);
	target = (struct push_target){ .form = { text, (size_t)(equals - text) }, .url = equals + 1 };
	r = find_form(&by, target.form, origin, why);
	if (r == 0)
		r = by == UDP ? read_place(&target, origin, why) : read_url(&target, origin, why);
	if (r == 0)
		*ret = target;
	return r;
}
