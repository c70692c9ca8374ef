/* bucket.c - where objects are stored. */
#include "bucket.h"

#include <stdio.h>
#include <string.h>

#include "../core/scan.h"
#include "../text/bucket_target.h"

static const char REGION_SIGNS[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";
/* Stores other than AWS' mostly have no regions, and then take this one. */
static const char USUAL_REGION[] = "us-east-1";

const char *bucket_host(const struct bucket *b)
{
	return strstr(b->origin, "://") + 3;
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

static int read_region(struct bucket *b, const struct store_place *p, struct why *why)
{
	const char *region = p->region;

	if (!region && !p->url)
		return why_set(why, -EINVAL, "%s: in which region? Set AWS_REGION, or AWS_ENDPOINT_URL for a store that is not AWS'",
			       b->shown);
	if (!region)
		region = USUAL_REGION;
	if (strspn(region, REGION_SIGNS) != strlen(region) || !word_copy(word_of(region), b->region, sizeof b->region))
		return why_set(why, -EINVAL, "%s is not the name of a region, such as eu-west-1",
			       p->region_name);
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

int bucket_in(struct bucket *ret, const char *text, const char *option, const struct store_place *p, struct why *why)
{
	struct word above = { "", 0 };
	struct bucket_target target;
	int r = bucket_target_read(&target, text, option, why), n;
	bool in_host;

	*ret = (struct bucket){ .origin = "" };
	if (r < 0)
		return r;
	in_host = !p->url && !memchr(target.bucket.at, '.', target.bucket.len);
	(void)snprintf(ret->shown, sizeof ret->shown, "s3://%.*s", (int)target.bucket.len, target.bucket.at);
	r = read_region(ret, p, why);
	if (r == 0 && p->url)
		r = read_endpoint(ret, p->url_name, p->url, &above, why);
	else if (r == 0)
		regional_origin(ret, target.bucket, in_host);
	if (r < 0)
		return r;
	n = snprintf(ret->path, sizeof ret->path, "%.*s/%.*s%s%s%s", (int)above.len, above.at,
		     in_host ? 0 : (int)target.bucket.len, target.bucket.at, in_host ? "" : "/", target.prefix.at,
		     target.prefix.len > 0 && target.prefix.at[target.prefix.len - 1] != '/' ? "/" : "");
	return n < (int)sizeof ret->path ? 0 : why_set(why, -EINVAL, "%s: the prefix is too long", option);
}

int bucket_read(struct bucket *ret, const char *text, const char *option, variable_value *variable, struct why *why)
{
	struct store_place p = { .url = NULL };

	p.url = first_of(variable, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", &p.url_name);
	p.region = first_of(variable, "AWS_REGION", "AWS_DEFAULT_REGION", &p.region_name);
	return bucket_in(ret, text, option, &p, why);
}
