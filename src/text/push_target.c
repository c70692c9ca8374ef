/* push_target.c - a destination of metrics as text. */
#include "push_target.h"

#include "did_you_mean.h"
#include "shown.h"

static const char *const forms[] = {
#define PUSH_FORM(word, path, help) #word,
#include "../core/push_forms.def"
	NULL,
};

static int check_form(struct word form, const char *origin, struct why *why)
{
	struct guess guess = { .word = "" };
	char word[32], list[120] = "";

	(void)word_copy(form, word, sizeof word);
	guess.word = word;
	for (size_t i = 0; forms[i]; i++) {
		if (word_is(form, forms[i]))
			return 0;
		guess_consider(&guess, forms[i]);
		alternatives_add(list, sizeof list, forms[i], !forms[i + 1]);
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

int push_target_read(struct push_target *ret, const char *text, const char *origin, struct why *why)
{
	const char *equals = strchr(text, '='), *at;

	if (!equals || equals == text)
		return why_set(why, -EINVAL, "%s: '%s' is not FORM=URL, such as prometheus=http://metrics.example:9090", origin,
			       show(text).text);
	ret->form = (struct word){ text, (size_t)(equals - text) };
	ret->url = equals + 1;

	struct scan s = scan_of(ret->url, strlen(ret->url));
	int r = check_form(ret->form, origin, why);

	if (r < 0)
		return r;
	if (!is_plain(ret->url) || (!scan_literal(&s, "http://") && !scan_literal(&s, "https://")))
		return why_set(why, -EINVAL, "%s: '%s' is not a URL that begins with http:// or https://", origin,
			       show(ret->url).text);
	at = s.at;
	ret->authority = (struct word){ at, strcspn(at, "/?#") };
	ret->rest = word_of(at + ret->authority.len);
	if (memchr(at, '@', ret->authority.len))
		return why_set(why, -EINVAL, "%s: a URL with a user or a password can be read by all users of the machine; write them as "
			       "a line 'Authorization: ...' into a file, and name it with --push-header-file", origin);
	if (ret->authority.len == 0)
		return why_set(why, -EINVAL, "%s: '%s' has no host", origin, show(ret->url).text);
	return 0;
}
