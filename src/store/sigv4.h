/*
 * sigv4.h - signs requests by AWS' "Signature Version 4", as S3 and the stores that are compatible with it require.
 *
 * Nothing is sent.  Names, values and paths are given as they are, not encoded; sigv4_path and sigv4_query write them
 * as they are signed, and the request must be sent with exactly these.  The path is not normalized: "/a/../b" is a key of its own in S3.
 *
 * libcurl's CURLOPT_AWS_SIGV4 is not used: 7.88 signs the hash of an empty body for a file that is uploaded, leaves "="
 * and "+" in keys as they are, and signs "?uploads" without its "=", all of which S3 refuses.
 */
#ifndef RT_SIGV4_H
#define RT_SIGV4_H

#include "../core/buffer.h"

enum { SHA256_TEXT = 65, SIGV4_TIME_SIZE = 17, SIGV4_PAIRS_MAX = 8 };

struct sigv4_keys { const char *access, *secret, *token; };     /* token: of a session; NULL or "": none */
struct sigv4_pair { const char *name, *value; };

struct sigv4_request {
	const char *method, *host;              /* host: as in the header, with its port if that is sent */
	const char *path;                       /* begins with a slash */
	/* At most SIGV4_PAIRS_MAX of each.  Headers: further ones, with names in lower case; host, x-amz-date, and
	   with a token x-amz-security-token are always signed. */
	const struct sigv4_pair *query, *headers;
	size_t n_query, n_headers;
	const char *payload_sha256;             /* of the body, by sha256_text */
	const char *region, *service;
	int64_t unix_seconds;
};

/* In lower case hexadecimal. */
void sha256_text(char ret[SHA256_TEXT], const void *bytes, size_t n);
/* Of n bytes of a file from offset on.  -errno; -EIO: it has fewer. */
int  sha256_file(char ret[SHA256_TEXT], int fd, uint64_t offset, uint64_t n) must_use;

/* "20130524T000000Z", the value of x-amz-date. */
void sigv4_time(char ret[SIGV4_TIME_SIZE], int64_t unix_seconds);
/* Appends the path with each byte but letters, digits, "-._~" and "/" as %XX. */
void sigv4_path(struct buffer *out, const char *path);
/* Appends "a=1&b=", sorted, without a question mark. */
void sigv4_query(struct buffer *out, const struct sigv4_pair *query, size_t n);

/* Appends the value of the header Authorization.  Failures are those of `out`. */
void sigv4_sign(struct buffer *out, const struct sigv4_request *r, const struct sigv4_keys *keys);

#endif
