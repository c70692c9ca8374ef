/* cloud.c - where in which cloud a run was. */
#include "cloud.h"

#include "sample.h"

static const struct cloud_text_info { const char *name, *member; size_t offset, size; } texts[] = {
#define TEXT(name, member) { #name, member, offsetof(struct cloud, name), sizeof ((struct cloud *)0)->name }
	TEXT(vendor, "cloud_vendor_id"), TEXT(account, "cloud_account_id"), TEXT(region, "cloud_region_id"),
	TEXT(zone, "cloud_zone_id"), TEXT(instance_type, "cloud_instance_type"),
#undef TEXT
};

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("-._:/", c));
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool cloud_text(char *ret, size_t size, struct word text)
{
	while (text.len > 0 && is_blank(text.at[text.len - 1]))
		text.len--;
	for (; text.len > 0 && is_blank(text.at[0]); text.at++)
		text.len--;
	if (text.len == 0 || text.len >= size || word_is(text, "unknown"))
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (!is_plain(text.at[i]))
			return false;
	return word_copy(text, ret, size);
}

static const char *known(const struct cloud *c, const struct cloud_text_info *info)
{
	const char *text = (const char *)c + info->offset;

	return *text ? text : NULL;
}

static void spot_member(struct json *j, const char *key, enum spot spot)
{
	json_key(j, key);
	if (spot == SPOT_UNKNOWN)
		json_null(j);
	else
		json_bool(j, spot == SPOT_YES);
}

void cloud_json(struct json *j, const struct cloud *c)
{
	json_open(j, '{');
	for (size_t i = 0; i < countof(texts); i++)
		json_member_text(j, texts[i].name, known(c, &texts[i]));
	spot_member(j, "spot", c->spot);
	json_member_number(j, "seconds", c->seconds, 3);
	json_close(j, '}');
}

void cloud_read(struct cloud *ret, struct json_value object)
{
	struct cloud c = { .asked = object.kind == JSON_OBJECT, .seconds = NONE };
	struct json_value v;
	char text[sizeof c.region + 1];

	for (size_t i = 0; i < countof(texts); i++)
		if (json_find(object, texts[i].name, &v) && json_as_text(v, text, sizeof text))
			(void)cloud_text((char *)&c + texts[i].offset, texts[i].size, word_of(text));
	if (json_find(object, "spot", &v) && v.kind == JSON_BOOL)
		c.spot = json_as_bool(v) ? SPOT_YES : SPOT_NO;
	if (json_find(object, "seconds", &v))
		c.seconds = json_as_number(v);
	*ret = c;
}

void cloud_shared_members(struct json *j, const struct cloud *c)
{
	for (size_t i = 0; i < countof(texts); i++)
		json_member_text(j, texts[i].member, known(c, &texts[i]));
}

void cloud_members(struct json *j, const struct cloud *c)
{
	cloud_shared_members(j, c);
	spot_member(j, "cloud_spot", c->spot);
}

void cloud_words(struct buffer *out, const struct cloud *c)
{
	if (!*c->vendor)
		return;
	buffer_text(out, c->vendor);
	if (*c->instance_type)
		buffer_format(out, " %s", c->instance_type);
	if (*c->region)
		buffer_format(out, " in %s", c->region);
	if (*c->zone)
		buffer_format(out, " (%s)", c->zone);
	if (c->spot == SPOT_YES)
		buffer_text(out, ", spot");
}
