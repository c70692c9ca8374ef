/*
 * bucket.h - where objects are stored: s3://BUCKET/PREFIX, at AWS or at a store with the same interface.
 *
 * AWS_ENDPOINT_URL_S3, else AWS_ENDPOINT_URL, is the address of the store, and the bucket is the first part of the path
 * there.  Without them it is that of AWS in AWS_REGION, else AWS_DEFAULT_REGION, and the bucket is in the host's name,
 * unless it has a dot, which no certificate of AWS covers.
 */
#ifndef RT_BUCKET_H
#define RT_BUCKET_H

#include "../core/why.h"

/* The value of a variable, NULL without it: getenv. */
typedef char *variable_value(const char *name);

struct bucket {
	char origin[320];                       /* "https://runs.s3.eu-west-1.amazonaws.com", "http://127.0.0.1:9000" */
	char path[1280];                        /* of objects, not encoded: "/", "/bucket/prefix/"; their name follows */
	char region[64];
	char shown[80];                         /* for messages: "s3://bucket" */
};

/* Where a store is.  NULL: not given.  The names are those of the variables, for messages. */
struct store_place { const char *url, *url_name, *region, *region_name; };

/*
 * text: as bucket_target_read.  option: of the text, for messages.  -EINVAL with a sentence: not a bucket, no region,
 * or no URL of a store.
 */
int  bucket_read(struct bucket *ret, const char *text, const char *option, variable_value *variable,
		 struct why *why) must_use;
/* The same in a store that is known. */
int  bucket_in(struct bucket *ret, const char *text, const char *option, const struct store_place *place,
	       struct why *why) must_use;
/* The value of Host: that of the origin. */
const char *bucket_host(const struct bucket *b);

#endif
