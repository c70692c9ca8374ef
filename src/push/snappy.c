/* snappy.c - Snappy: literals, and copies of what stood at most 64 KiB before. */
#include "snappy.h"

#include <string.h>

#include "protobuf.h"

enum { BLOCK = 1 << 16, HASH_BITS = 12, MATCH_LEAST = 4, COPY_MOST = 64 };
enum element { LITERAL = 0, COPY_2 = 2 };

static uint32_t four(const char *at)
{
	uint32_t bytes;

	memcpy(&bytes, at, sizeof bytes);
	return bytes;
}

static uint32_t hash_of(uint32_t bytes)
{
	return bytes * 0x1e35a7bdU >> (32 - HASH_BITS);
}

/* A block has at most 2^16 bytes, so its length less one fits into two. */
static void literal(struct buffer *out, const char *bytes, size_t n)
{
	if (n == 0)
		return;
	if (n <= 60) {
		buffer_char(out, (char)((n - 1) << 2 | LITERAL));
	} else if (n <= 256) {
		buffer_char(out, (char)(60 << 2 | LITERAL));
		buffer_char(out, (char)(n - 1));
	} else {
		buffer_char(out, (char)(61 << 2 | LITERAL));
		buffer_char(out, (char)(n - 1));
		buffer_char(out, (char)((n - 1) >> 8));
	}
	buffer_bytes(out, bytes, n);
}

static void copy(struct buffer *out, size_t offset, size_t n)
{
	while (n > 0) {
		size_t some = size_min(n, COPY_MOST);

		buffer_char(out, (char)((some - 1) << 2 | COPY_2));
		buffer_char(out, (char)offset);
		buffer_char(out, (char)(offset >> 8));
		n -= some;
	}
}

/* Greedy: at each place the last one with the same four bytes. */
static void block(struct buffer *out, const char *bytes, size_t n)
{
	uint16_t last[1 << HASH_BITS] = { 0 };  /* by hash: a place in this block */
	size_t written = 0, at = 1;

	while (at + MATCH_LEAST <= n) {
		uint32_t here = four(bytes + at);
		uint16_t *slot = &last[hash_of(here)];
		size_t before = *slot, same = 0;

		*slot = (uint16_t)at;
		if (four(bytes + before) != here) {
			at++;
			continue;
		}
		while (at + same < n && bytes[before + same] == bytes[at + same])
			same++;
		literal(out, bytes + written, at - written);
		copy(out, at - before, same);
		at += same;
		written = at;
	}
	literal(out, bytes + written, n - written);
}

void snappy_write(struct buffer *out, const char *bytes, size_t n)
{
	protobuf_varint(out, n);
	for (size_t at = 0; at < n; at += BLOCK)
		block(out, bytes + at, size_min(n - at, BLOCK));
}
