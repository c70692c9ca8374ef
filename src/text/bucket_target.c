/* bucket_target.c - a place for objects as text. */
#include "bucket_target.h"

#include <string.h>

#include "shown.h"

static const char SCHEME[] = "s3://", BUCKET_SIGNS[] = "abcdefghijklmnopqrstuvwxyz0123456789.-";

bool bucket_target_named(const char *text)
{
	return word_starts(word_of(text), SCHEME);
}

static bool is_bucket_name(struct word name)
{
	char text[64];

	return name.len >= 3 && word_copy(name, text, sizeof text) && strspn(text, BUCKET_SIGNS) == name.len &&
	       text[0] != '.' && text[0] != '-' && text[name.len - 1] != '.' && text[name.len - 1] != '-';
}

int bucket_target_read(struct bucket_target *ret, const char *text, const char *origin, struct why *why)
{
	const char *at = text + strlen(SCHEME);
	struct word bucket;

	if (!bucket_target_named(text))
		return why_set(why, -EINVAL, "%s: '%s' is not s3://BUCKET/PREFIX, such as s3://runs/nightly", origin,
			       show(text).text);
	bucket = (struct word){ at, strcspn(at, "/") };
	if (!is_bucket_name(bucket))
		return why_set(why, -EINVAL, "%s: a bucket has 3 to 63 of a-z, 0-9, dot and dash, as in s3://runs/nightly", origin);
	*ret = (struct bucket_target){ bucket, word_of(at + bucket.len + (at[bucket.len] == '/')) };
	return 0;
}
