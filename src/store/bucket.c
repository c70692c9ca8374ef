/* bucket.c - where objects are stored. */
#include "bucket.h"

#include <stdio.h>
#include <string.h>

#include "../core/scan.h"

static const char SCHEME[] = "s3://", BUCKET_SIGNS[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";
/* Stores other than AWS' mostly have no regions, and then take this one. */
static const char USUAL_REGION[] = "us-east-1";

bool bucket_named(const char *text)
{
	return word_starts(word_of(text), SCHEME);
}

const char *bucket_host(const struct bucket *b)
{
	return strstr(b->origin, "://") + 3;
}

/* Cannot lead to another host or path. */
static bool is_bucket_name(struct word name)
{
	char text[64];

	return name.len >= 3 && word_copy(name, text, sizeof text) && strspn(text, BUCKET_SIGNS) == name.len &&
	       text[0] != '.' && text[0] != '-' && text[name.len - 1] != '.' && text[name.len - 1] != '-';
}

static const char *first_of(variable_value *variable, const char *first, const char *second, const char **ret_name)
{
	const char *value = variable(first);

	*ret_name = first;
	if (value && *value)
		return value;
	*ret_name = second;
	value = variable(second);
	return value && *value ? value : NULL;
}

static int read_region(struct bucket *b, variable_value *variable, bool needed, struct why *why)
{
	const char *name, *region = first_of(variable, "AWS_REGION", "AWS_DEFAULT_REGION", &name);

	if (!region && needed)
		return why_set(why, -EINVAL, "%s: in which region? Set AWS_REGION, or AWS_ENDPOINT_URL for a store that is not AWS'",
			       b->shown);
	if (!region)
		region = USUAL_REGION;
	if (strspn(region, BUCKET_SIGNS) != strlen(region) || !word_copy(word_of(region), b->region, sizeof b->region))
		return why_set(why, -EINVAL, "%s is not the name of a region, such as eu-west-1", name);
	return 0;
}

static bool is_plain(const char *text)
{
	for (; *text; text++)
		if (*text <= ' ' || *text > '~')
			return false;
	return true;
}

/* HOST, HOST:PORT or [ADDRESS]:PORT. */
static bool is_authority(struct word w)
{
	const char *colon = memrchr(w.at, ':', w.len), *end = w.at + w.len;

	if (!colon || memchr(colon, ']', (size_t)(end - colon)))
		return w.len > 0;
	return colon > w.at && colon + 1 < end && strspn(colon + 1, "0123456789") >= (size_t)(end - colon - 1);
}

/* The URL is not shown: it could have a password. */
static int read_endpoint(struct bucket *b, const char *name, const char *url, struct word *ret_path, struct why *why)
{
	struct scan s = scan_of(url, strlen(url));
	size_t host;

	if (!is_plain(url) || (!scan_literal(&s, "http://") && !scan_literal(&s, "https://")))
		return why_set(why, -EINVAL, "%s is not a URL that begins with http:// or https://", name);
	host = strcspn(s.at, "/?#");
	if (!is_authority((struct word){ s.at, host }) || strpbrk(s.at, "?#@"))
		return why_set(why, -EINVAL, "%s is not a URL of host, port and path alone", name);
	if (!word_copy((struct word){ url, (size_t)(s.at - url) + host }, b->origin, sizeof b->origin))
		return why_set(why, -EINVAL, "%s is too long", name);
	*ret_path = word_of(s.at + host);
	while (ret_path->len > 0 && ret_path->at[ret_path->len - 1] == '/')
		ret_path->len--;
	return 0;
}

static void regional_origin(struct bucket *b, struct word bucket, bool in_host)
{
	const char *domain = word_starts(word_of(b->region), "cn-") ? "amazonaws.com.cn" : "amazonaws.com";

	(void)snprintf(b->origin, sizeof b->origin, "https://%.*s%ss3.%s.%s", in_host ? (int)bucket.len : 0, bucket.at,
		       in_host ? "." : "", b->region, domain);
}

int bucket_read(struct bucket *ret, const char *text, const char *option, variable_value *variable, struct why *why)
{
	const char *at = text + strlen(SCHEME), *name, *prefix;
	struct word bucket = { at, strcspn(at, "/") }, above = { "", 0 };
	bool in_host = !memchr(bucket.at, '.', bucket.len);
	const char *url = first_of(variable, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", &name);
	int r = 0, n;

	*ret = (struct bucket){ .origin = "" };
	if (!is_bucket_name(bucket))
		return why_set(why, -EINVAL, "%s: a bucket has 3 to 63 of a-z, 0-9, dot and dash, as in s3://runs/nightly", option);
	(void)snprintf(ret->shown, sizeof ret->shown, "%s%.*s", SCHEME, (int)bucket.len, bucket.at);
	r = read_region(ret, variable, !url, why);
	if (r == 0 && url)
		r = read_endpoint(ret, name, url, &above, why);
	else if (r == 0)
		regional_origin(ret, bucket, in_host);
	if (r < 0)
		return r;
	in_host = in_host && !url;
	prefix = bucket.at[bucket.len] ? bucket.at + bucket.len + 1 : "";
	n = snprintf(ret->path, sizeof ret->path, "%.*s/%.*s%s%s%s", (int)above.len, above.at,
		     in_host ? 0 : (int)bucket.len, bucket.at, in_host ? "" : "/", prefix,
		     *prefix && prefix[strlen(prefix) - 1] != '/' ? "/" : "");
	return n < (int)sizeof ret->path ? 0 : why_set(why, -EINVAL, "%s: the prefix is too long", option);
}
