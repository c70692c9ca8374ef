/* json_write.c - JSON text into a buffer. */
#include "json_write.h"

#include <math.h>
#include <string.h>

static void item(struct json *j)
{
	if (j->comma)
		buffer_char(j->out, ',');
	j->comma = true;
}

void json_open(struct json *j, char bracket)
{
	item(j);
	buffer_char(j->out, bracket);
	j->comma = false;
}

void json_close(struct json *j, char bracket)
{
	buffer_char(j->out, bracket);
	j->comma = true;
}

void json_key(struct json *j, const char *key)
{
	item(j);
	buffer_char(j->out, '"');
	buffer_text(j->out, key);
	buffer_bytes(j->out, "\":", 2);
	j->comma = false;
}

void json_word(struct json *j, const char *word)
{
	size_t n = strlen(word);
	struct buffer *out = j->out;

	item(j);
	if (!buffer_reserve(out, n + 2))
		return;
	out->at[out->len] = out->at[out->len + n + 1] = '"';
	memcpy(out->at + out->len + 1, word, n);
	out->len += n + 2;
}

size_t utf8_length(const char *text, size_t n)
{
	const unsigned char *at = (const unsigned char *)text;
	static const struct { unsigned char mask, lead; uint32_t least; } forms[] = {
		{ 0x80, 0x00, 0 }, { 0xe0, 0xc0, 0x80 }, { 0xf0, 0xe0, 0x800 }, { 0xf8, 0xf0, 0x10000 },
	};

	for (size_t length = 1; length <= countof(forms); length++) {
		uint32_t code = at[0] & (unsigned char)~forms[length - 1].mask;

		if ((at[0] & forms[length - 1].mask) != forms[length - 1].lead)
			continue;
		if (length > n)
			return 0;
		for (size_t i = 1; i < length; i++) {
			if ((at[i] & 0xc0) != 0x80)
				return 0;
			code = code << 6 | (at[i] & 0x3f);
		}
		bool surrogate = code >= 0xd800 && code <= 0xdfff;

		return code < forms[length - 1].least || surrogate || code > 0x10ffff ? 0 : length;
	}
	return 0;
}

void utf8_write(struct buffer *out, const char *text, size_t n)
{
	for (size_t i = 0, length; i < n; i += length) {
		length = utf8_length(text + i, n - i);
		buffer_bytes(out, length > 0 ? text + i : "\xef\xbf\xbd", length > 0 ? length : 3);
		length = size_max(length, 1);
	}
}

static void escaped(struct buffer *out, unsigned char c)
{
	static const char names[] = "\bb\ff\nn\rr\tt\"\"\\\\";

	for (size_t i = 0; i + 1 < sizeof names; i += 2)
		if ((unsigned char)names[i] == c) {
			buffer_char(out, '\\');
			buffer_char(out, names[i + 1]);
			return;
		}
	buffer_format(out, "\\u%04x", c);
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

void json_text_n(struct json *j, const char *text, size_t n)
{
	const unsigned char *at = (const unsigned char *)text;

	item(j);
	buffer_char(j->out, '"');
	for (size_t i = 0; i < n;) {
		size_t plain = i;

		while (plain < n && is_plain(at[plain]))
			plain++;
		buffer_bytes(j->out, text + i, plain - i);
		i = plain;
		if (i == n)
			break;

		size_t length = utf8_length(text + i, n - i);

		if (length == 0)
			buffer_text(j->out, "\xef\xbf\xbd");
		else if (at[i] < 0x20 || at[i] == '"' || at[i] == '\\')
			escaped(j->out, at[i]);
		else
			buffer_bytes(j->out, text + i, length);
		i += size_max(length, 1);
	}
	buffer_char(j->out, '"');
}

void json_text(struct json *j, const char *text)
{
	if (text)
		json_text_n(j, text, strlen(text));
	else
		json_null(j);
}

void json_bool(struct json *j, bool value)
{
	item(j);
	buffer_text(j->out, value ? "true" : "false");
}

void json_i64(struct json *j, int64_t value)
{
	item(j);
	buffer_i64(j->out, value);
}

void json_u64(struct json *j, uint64_t value)
{
	item(j);
	buffer_u64(j->out, value);
}

void json_number(struct json *j, double value, int decimals)
{
	if (!isfinite(value)) {
		json_null(j);
		return;
	}
	item(j);
	buffer_trimmed(j->out, value, decimals);
}

void json_null(struct json *j)
{
	item(j);
	buffer_text(j->out, "null");
}
