/* protobuf.c - writes Protocol Buffers. */
#include "protobuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum wire { VARINT = 0, FIXED64 = 1, LENGTH = 2 };
enum { VARINT_MAX_BYTES = 10 };

static size_t varint(char ret[VARINT_MAX_BYTES], uint64_t value)
{
	size_t n = 0;

	for (; value > 127; value >>= 7)
		ret[n++] = (char)(value | 128);
	ret[n++] = (char)value;
	return n;
}

void protobuf_varint(struct buffer *out, uint64_t value)
{
	char bytes[VARINT_MAX_BYTES];

	buffer_bytes(out, bytes, varint(bytes, value));
}

static void tag(struct buffer *out, unsigned field, enum wire wire)
{
	protobuf_varint(out, (uint64_t)field << 3 | wire);
}

void protobuf_u64(struct buffer *out, unsigned field, uint64_t value)
{
	tag(out, field, VARINT);
	protobuf_varint(out, value);
}

void protobuf_fixed64(struct buffer *out, unsigned field, uint64_t value)
{
	tag(out, field, FIXED64);
	for (unsigned shift = 0; shift < 64; shift += 8)
		buffer_char(out, (char)(value >> shift));
}

void protobuf_double(struct buffer *out, unsigned field, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof bits);
	protobuf_fixed64(out, field, bits);
}

void protobuf_bytes(struct buffer *out, unsigned field, const char *bytes, size_t n)
{
	tag(out, field, LENGTH);
	protobuf_varint(out, n);
	buffer_bytes(out, bytes, n);
}

void protobuf_text(struct buffer *out, unsigned field, const char *text)
{
	protobuf_bytes(out, field, text, strlen(text));
}

void protobuf_format(struct buffer *out, unsigned field, const char *format, ...)
{
	char text[256];
	va_list values;

	va_start(values, format);
	(void)vsnprintf(text, sizeof text, format, values);
	va_end(values);
	protobuf_text(out, field, text);
}

size_t protobuf_open(struct buffer *out, unsigned field)
{
	tag(out, field, LENGTH);
	return out->len;
}

/* The length is known now: it goes before the message. */
void protobuf_close(struct buffer *out, size_t begin)
{
	char bytes[VARINT_MAX_BYTES];
	size_t length = out->len - begin, n = varint(bytes, length);

	if (!buffer_reserve(out, n))
		return;
	memmove(out->at + begin + n, out->at + begin, length);
	memcpy(out->at + begin, bytes, n);
	out->len += n;
}
