/* credentials.c - the keys to a store. */
#include "credentials.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../core/scan.h"

static const struct part { const char *variable, *key; size_t offset, size; bool needed; } parts[] = {
#define PART(variable, key, member, needed) \
	{ variable, key, offsetof(struct credentials, member), sizeof ((struct credentials *)NULL)->member, needed }
	PART("AWS_ACCESS_KEY_ID", "aws_access_key_id", access, true),
	PART("AWS_SECRET_ACCESS_KEY", "aws_secret_access_key", secret, true),
	PART("AWS_SESSION_TOKEN", "aws_session_token", token, false),
#undef PART
};

static char *value_of(struct credentials *c, const struct part *p)
{
	return (char *)c + p->offset;
}

/* What is not printable could end a header. */
static bool take(struct credentials *c, const struct part *p, struct word value)
{
	for (size_t i = 0; i < value.len; i++)
		if (value.at[i] <= ' ' || value.at[i] > '~')
			return false;
	return word_copy(value, value_of(c, p), p->size);
}

static int from_variables(struct credentials *c, variable_value *variable, struct why *why)
{
	const char *missing = NULL, *present = NULL;

	for (size_t i = 0; i < countof(parts); i++) {
		const char *value = variable(parts[i].variable);

		if (!value || !*value)
			missing = parts[i].needed ? parts[i].variable : missing;
		else if (!take(c, &parts[i], word_of(value)))
			return why_set(why, -EINVAL, "%s is not such a key", parts[i].variable);
		else
			present = parts[i].needed ? parts[i].variable : present;
	}
	if (!present)
		return -ENOENT;
	return missing ? why_set(why, -EINVAL, "%s is set, %s is not", present, missing) : 0;
}

static struct word trimmed(struct word w)
{
	while (w.len > 0 && strchr(" \t\r\n", w.at[0])) {
		w.at++;
		w.len--;
	}
	while (w.len > 0 && strchr(" \t\r\n", w.at[w.len - 1]))
		w.len--;
	return w;
}

static bool is_section(struct word line, const char *profile)
{
	return word_is(trimmed((struct word){ line.at + 1, line.len - 1 - (line.at[line.len - 1] == ']') }), profile);
}

/* A line "key = value" of the profile. */
static int take_line(struct credentials *c, struct word line, const char *path, struct why *why)
{
	const char *equals = memchr(line.at, '=', line.len);
	size_t n = equals ? (size_t)(equals - line.at) : 0;

	for (size_t i = 0; equals && i < countof(parts); i++)
		if (word_is(trimmed((struct word){ line.at, n }), parts[i].key) &&
		    !take(c, &parts[i], trimmed((struct word){ equals + 1, line.len - n - 1 })))
			return why_set(why, -EINVAL, "%s: %s is not such a key", path, parts[i].key);
	return 0;
}

static int read_profile(struct credentials *c, FILE *file, const char *path, const char *profile, struct why *why)
{
	char *text = NULL;
	size_t size = 0;
	bool within = false;
	int r = 0;

	for (ssize_t n; r == 0 && (n = getline(&text, &size, file)) >= 0;) {
		struct word line = trimmed((struct word){ text, (size_t)n });

		if (line.len == 0 || line.at[0] == '#' || line.at[0] == ';')
			continue;
		if (line.at[0] == '[')
			within = is_section(line, profile);
		else if (within)
			r = take_line(c, line, path, why);
	}
	if (text)
		explicit_bzero(text, size);
	free(text);
	return r;
}

static int from_file(struct credentials *c, variable_value *variable, struct why *why)
{
	const char *given = variable("AWS_SHARED_CREDENTIALS_FILE"), *home = variable("HOME"), *profile = variable("AWS_PROFILE");
	char path[PATH_MAX];
	FILE *file;
	int r;

	if (!profile || !*profile)
		profile = "default";
	if (given && *given)
		(void)snprintf(path, sizeof path, "%s", given);
	else
		(void)snprintf(path, sizeof path, "%s/.aws/credentials", home ? home : "");
	file = fopen(path, "re");
	if (!file && errno != ENOENT)
		return why_set(why, -errno, "cannot read %s: %s", path, strerror(errno));
	if (!file)
		return why_set(why, -ENOENT, "there are no keys to the store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or "
			       "write them into ~/.aws/credentials");
	r = read_profile(c, file, path, profile, why);
	(void)fclose(file);
	if (r == 0 && (!c->access[0] || !c->secret[0]))
		r = why_set(why, -ENOENT, "%s has no aws_access_key_id with aws_secret_access_key for the profile %s", path, profile);
	return r;
}

int credentials_find(struct credentials *ret, variable_value *variable, struct why *why)
{
	int r;

	*ret = (struct credentials){ .access = "" };
	r = from_variables(ret, variable, why);
	if (r == -ENOENT) {
		*ret = (struct credentials){ .access = "" };
		r = from_file(ret, variable, why);
	}
	if (r < 0)
		credentials_forget(ret);
	return r;
}

bool credentials_take(struct credentials *ret, const char *access, const char *secret, const char *token)
{
	const char *const values[] = { access, secret, token };
	struct credentials c = { .access = "" };
	bool fit = *access && *secret;

	_Static_assert(countof(values) == countof(parts), "in their order");
	for (size_t i = 0; i < countof(values); i++)
		fit = fit && take(&c, &parts[i], word_of(values[i]));
	if (fit)
		*ret = c;
	credentials_forget(&c);
	return fit;
}

struct sigv4_keys credentials_keys(const struct credentials *c)
{
	return (struct sigv4_keys){ c->access, c->secret, c->token };
}

void credentials_forget(struct credentials *c)
{
	explicit_bzero(c, sizeof *c);
}
