/*
 * protobuf.h - messages of Protocol Buffers, written field by field.
 * https://protobuf.dev/programming-guides/encoding/
 */
#ifndef RT_PROTOBUF_H
#define RT_PROTOBUF_H

#include "../core/buffer.h"

void protobuf_varint(struct buffer *out, uint64_t value);

void protobuf_u64(struct buffer *out, unsigned field, uint64_t value);          /* also int64, enum, bool */
void protobuf_fixed64(struct buffer *out, unsigned field, uint64_t value);
void protobuf_double(struct buffer *out, unsigned field, double value);
void protobuf_bytes(struct buffer *out, unsigned field, const char *bytes, size_t n);
void protobuf_text(struct buffer *out, unsigned field, const char *text);
void protobuf_format(struct buffer *out, unsigned field, const char *format, ...) printf_like(3, 4);

/* A message within a message: all that is written until protobuf_close, which gets the result of protobuf_open. */
size_t protobuf_open(struct buffer *out, unsigned field);
void   protobuf_close(struct buffer *out, size_t begin);

#endif
