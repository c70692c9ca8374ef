/* bucket_target.h - s3://BUCKET[/PREFIX], a place for objects, as --upload and `push --to` take it. */
#ifndef RT_BUCKET_TARGET_H
#define RT_BUCKET_TARGET_H

#include "../core/scan.h"
#include "../core/why.h"

struct bucket_target { struct word bucket, prefix; };   /* prefix: without the slash before it; can be empty */

bool bucket_target_named(const char *text);             /* it begins with s3:// */
/*
 * origin: the option, for messages.  -EINVAL with a sentence: it does not begin so, or the bucket is none: a name that
 * is accepted cannot lead to another host or path.
 */
int  bucket_target_read(struct bucket_target *ret, const char *text, const char *origin, struct why *why) must_use;

#endif
