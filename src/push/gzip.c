/* gzip.c - gzip by zlib, which libcurl loads anyway. */
#include "gzip.h"

#define ZLIB_CONST
#include <zlib.h>

void gzip_write(struct buffer *out, const char *bytes, size_t n)
{
	/* Little memory, as batches are small: 32 KiB of window, 64 KiB for the hash. */
	enum { WINDOW_BITS = 15, GZIP_HEADER = 16, MEMORY_LEVEL = 7 };
	z_stream z = { .next_in = (const Bytef *)bytes, .avail_in = (uInt)n };

	if (deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, WINDOW_BITS + GZIP_HEADER, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) !=
	    Z_OK) {
		out->failed = true;
		return;
	}

	size_t room = deflateBound(&z, n);

	if (buffer_reserve(out, room)) {
		z.next_out = (Bytef *)(out->at + out->len);
		z.avail_out = (uInt)room;
		if (deflate(&z, Z_FINISH) == Z_STREAM_END)
			out->len += z.total_out;
		else
			out->failed = true;
	}
	(void)deflateEnd(&z);
}

int gzip_read(struct buffer *out, const char *bytes, size_t n, size_t most)
{
	enum { WINDOW_BITS = 15, GZIP_HEADER = 16, STEP = 64 << 10 };
	z_stream z = { .next_in = (const Bytef *)bytes, .avail_in = (uInt)n };
	size_t before = out->len;
	int r = Z_OK;

	if (inflateInit2(&z, WINDOW_BITS + GZIP_HEADER) != Z_OK)
		return -ENOMEM;
	while (r == Z_OK && out->len - before <= most && buffer_reserve(out, STEP)) {
		z.next_out = (Bytef *)(out->at + out->len);
		z.avail_out = STEP;
		r = inflate(&z, Z_NO_FLUSH);
		out->len += STEP - z.avail_out;
	}
	(void)inflateEnd(&z);
	if (out->failed)
		return -ENOMEM;
	return out->len - before > most ? -EFBIG : r == Z_STREAM_END ? 0 : -EBADMSG;
}
