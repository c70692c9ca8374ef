/* config_number.c - converts integers and floats of TOML to plain decimals. */
#include "config_number.h"

#include <string.h>

#include "../core/buffer.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Appends digits of a base to `to`, without the single underscores between them. */
static bool digits(struct scan *s, const char *allowed, char *to)
{
	char *end = to + strlen(to);
	const char *first = s->at;

	while (s->at < s->end) {
		bool underscore = *s->at == '_' && s->at > first && s->at[-1] != '_';

		if (!underscore && !(*s->at && strchr(allowed, *s->at)))
			break;
		if (!underscore)
			*end++ = *s->at;
		s->at++;
	}
	*end = '\0';
	return s->at > first && s->at[-1] != '_';
}

static const char ten[] = "0123456789";

static bool other_base(struct scan s, char *room, uint64_t *ret)
{
	static const struct { const char *prefix; unsigned base; } bases[] = { { "0x", 16 }, { "0o", 8 }, { "0b", 2 } };

	for (size_t i = 0; i < countof(bases); i++) {
		char allowed[23] = "0123456789abcdefABCDEF";

		if (!scan_literal(&s, bases[i].prefix))
			continue;
		if (bases[i].base < 16)
			allowed[bases[i].base] = '\0';
		room[0] = '\0';
		if (!digits(&s, allowed, room) || s.at != s.end)
			return false;
		*ret = 0;
		for (const char *c = room; *c; c++) {
			unsigned value = is_digit(*c) ? (unsigned)(*c - '0') : ((unsigned)*c | 32) - 'a' + 10;

			if (*ret > ((uint64_t)INT64_MAX - value) / bases[i].base)
				return false;
			*ret = *ret * bases[i].base + value;
		}
		return true;
	}
	return false;
}

/* Shifts the point of a plain decimal ("-12.5") by `places`; 9 digits stay after it. */
static void shift_point(struct buffer *out, const char *plain, int64_t places)
{
	struct scan s = scan_of(plain, strlen(plain));
	bool negative = scan_literal(&s, "-");
	double value = 0;
	int64_t after = 0;
	bool point = false;

	for (; s.at < s.end; s.at++) {
		if (*s.at == '.') {
			point = true;
			continue;
		}
		value = value * 10 + (*s.at - '0');
		after += point;
	}
	for (places -= after; places > 0 && value < 1e300 && value > 0; places--)
		value *= 10;
	for (; places < 0 && value > 1e-300; places++)
		value /= 10;
	buffer_trimmed(out, negative ? -value : value, 9);
}

/* 0 with the text in `room`; -EBADMSG. */
static int decimal(struct config_value *ret, struct scan s, char *room, int64_t *ret_exponent)
{
	char *number = room;

	*ret_exponent = 0;
	if (scan_literal(&s, "-"))
		*number++ = '-';
	else
		(void)scan_literal(&s, "+");
	*number = '\0';
	ret->type = CONFIG_INTEGER;
	if ((size_t)(s.end - s.at) == 3 && (memcmp(s.at, "inf", 3) == 0 || memcmp(s.at, "nan", 3) == 0)) {
		ret->type = CONFIG_FLOAT;
		memcpy(number, s.at, 3);
		number[3] = '\0';
		return 0;
	}
	if (!digits(&s, ten, number) || (number[0] == '0' && number[1]))
		return -EBADMSG;
	if (scan_literal(&s, ".")) {
		ret->type = CONFIG_FLOAT;
		memcpy(number + strlen(number), ".", sizeof ".");
		if (!digits(&s, ten, number))
			return -EBADMSG;
	}
	if (scan_literal(&s, "e") || scan_literal(&s, "E")) {
		bool negative = scan_literal(&s, "-");
		char *exponent = number + strlen(number) + 1;   /* the text is shorter by the sign and the e */
		uint64_t places;

		ret->type = CONFIG_FLOAT;
		if (!negative)
			(void)scan_literal(&s, "+");
		*exponent = '\0';
		if (!digits(&s, ten, exponent))
			return -EBADMSG;

		struct scan plain = scan_of(exponent, strlen(exponent));

		if (!scan_u64(&plain, &places) || places > 999)
			return -EBADMSG;
		*ret_exponent = negative ? -(int64_t)places : (int64_t)places;
	}
	return s.at == s.end ? 0 : -EBADMSG;
}

int config_number(struct config_value *ret, struct arena *arena, struct word w)
{
	char *room = arena_take(arena, w.len + 2);
	struct buffer out = { 0 };
	uint64_t integer;
	int64_t exponent;

	if (!room)
		return -ENOMEM;
	if (other_base(scan_of(w.at, w.len), room, &integer)) {
		ret->type = CONFIG_INTEGER;
		buffer_u64(&out, integer);
	} else if (decimal(ret, scan_of(w.at, w.len), room, &exponent) < 0) {
		return -EBADMSG;
	} else if (exponent != 0) {
		shift_point(&out, room, exponent);
	} else {
		ret->text = room;
		return 0;
	}
	ret->text = out.failed ? NULL : arena_copy(arena, out.at, out.len);
	buffer_release(&out);
	return ret->text ? 0 : -ENOMEM;
}
