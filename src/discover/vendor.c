/* vendor.c - the clouds that can be asked. */
#include "vendor.h"

#define TEXT_READER(field) \
	static bool read_##field(struct cloud *c, struct word answer) \
	{ \
		return cloud_text(c->field, sizeof c->field, answer); \
	}
TEXT_READER(region)
TEXT_READER(zone)
TEXT_READER(instance_type)
#undef TEXT_READER

static struct word trimmed(struct word w)
{
	while (w.len > 0 && (w.at[w.len - 1] == '\n' || w.at[w.len - 1] == '\r' || w.at[w.len - 1] == ' '))
		w.len--;
	return w;
}

/* A text of a JSON object, by the names that lead to it. */
static bool text_at(char *ret, size_t size, struct json_value v, const char *const *names)
{
	char text[128];

	for (; *names; names++)
		if (!json_find(v, *names, &v))
			return false;
	return json_as_text(v, text, sizeof text) && cloud_text(ret, size, word_of(text));
}

#define TEXT_AT(to, v, ...) text_at(to, sizeof(to), v, (const char *const[]){ __VA_ARGS__, NULL })

/* ---- aws ------------------------------------------------------------------------------------- */

static bool aws_domain(struct cloud *c, struct word answer)
{
	(void)c;
	answer = trimmed(answer);
	return word_is(answer, "amazonaws.com") || word_is(answer, "amazonaws.com.cn");
}

static bool aws_life_cycle(struct cloud *c, struct word answer)
{
	answer = trimmed(answer);
	if (word_is(answer, "spot"))
		c->spot = SPOT_YES;
	else if (word_is(answer, "on-demand") || word_is(answer, "scheduled") || word_is(answer, "capacity-block"))
		c->spot = SPOT_NO;
	else
		return false;
	return true;
}

static bool aws_account(struct cloud *c, struct word answer)
{
	struct json_value v;

	return json_parse(&v, answer.at, answer.len) == 0 && TEXT_AT(c->account, v, "AccountId");
}

/* ---- gcp ------------------------------------------------------------------------------------- */

/* The last part of "projects/NUMBER/KIND/NAME". */
static bool gcp_last(char *ret, size_t size, struct word answer, const char *kind)
{
	struct scan s = scan_of(answer.at, answer.len);
	struct word project;

	return scan_literal(&s, "projects/") && scan_until(&s, '/', &project) && scan_literal(&s, kind) &&
	       !memchr(s.at, '/', (size_t)(s.end - s.at)) &&
	       cloud_text(ret, size, (struct word){ s.at, (size_t)(s.end - s.at) });
}

static bool gcp_type(struct cloud *c, struct word answer)
{
	return gcp_last(c->instance_type, sizeof c->instance_type, answer, "machineTypes/");
}

static bool gcp_zone(struct cloud *c, struct word answer)
{
	if (!gcp_last(c->zone, sizeof c->zone, answer, "zones/"))
		return false;

	const char *dash = strrchr(c->zone, '-');

	if (dash)
		(void)cloud_text(c->region, sizeof c->region, (struct word){ c->zone, (size_t)(dash - c->zone) });
	return true;
}

static bool gcp_preemptible(struct cloud *c, struct word answer)
{
	answer = trimmed(answer);
	if (!word_is(answer, "TRUE") && !word_is(answer, "FALSE"))
		return false;
	c->spot = word_is(answer, "TRUE") ? SPOT_YES : SPOT_NO;
	return true;
}

/* ---- those that answer with one text ---------------------------------------------------------- */

static bool azure(struct cloud *c, struct word answer)
{
	struct json_value v, compute;
	char priority[16];

	if (json_parse(&v, answer.at, answer.len) < 0 || !json_find(v, "compute", &compute) ||
	    !TEXT_AT(c->region, compute, "location"))
		return false;
	(void)TEXT_AT(c->instance_type, compute, "vmSize");
	(void)TEXT_AT(c->zone, compute, "zone");
	if (TEXT_AT(priority, compute, "priority")) {
		bool low = strcmp(priority, "Spot") == 0 || strcmp(priority, "Low") == 0;

		c->spot = low ? SPOT_YES : strcmp(priority, "Regular") == 0 ? SPOT_NO : SPOT_UNKNOWN;
	}
	return true;
}

/* Lines "key: value".  The number of the instance proves it; the type of a machine is not in them. */
static bool hetzner(struct cloud *c, struct word answer)
{
	struct scan s = scan_of(answer.at, answer.len);
	struct cloud found = *c;
	bool numbered = false, placed = false;

	do {
		struct scan line = s;
		struct word key, value;
		uint64_t number;

		if (!scan_until(&line, ':', &key) || !scan_line(&line, &value))
			continue;
		value = trimmed(value);
		struct scan digits = scan_of(value.at, value.len);

		if (word_is(key, "instance-id"))
			numbered = scan_u64(&digits, &number) && digits.at == digits.end;
		else if (word_is(key, "region"))
			placed = cloud_text(found.region, sizeof found.region, value);
		else if (word_is(key, "availability-zone"))
			(void)cloud_text(found.zone, sizeof found.zone, value);
	} while (scan_next_line(&s));
	if (numbered && placed)
		*c = found;
	return numbered && placed;
}

static bool upcloud(struct cloud *c, struct word answer)
{
	struct json_value v, name;

	if (json_parse(&v, answer.at, answer.len) < 0 || !json_find(v, "cloud_name", &name) || !json_is(name, "upcloud"))
		return false;
	(void)TEXT_AT(c->region, v, "region");
	return true;
}

static bool vultr(struct cloud *c, struct word answer)
{
	struct json_value v;
	char id[64];

	if (json_parse(&v, answer.at, answer.len) < 0 || (!TEXT_AT(id, v, "instanceid") && !TEXT_AT(id, v, "instance-v2-id")))
		return false;
	(void)TEXT_AT(c->region, v, "region", "regioncode");
	return true;
}

/* ---- ovh: OpenStack, so it is known by its name server --------------------------------------------- */

static bool ovh_network(struct cloud *c, struct word answer)
{
	struct json_value v, services, service, type, address;

	(void)c;
	if (json_parse(&v, answer.at, answer.len) < 0 || !json_find(v, "services", &services) || services.kind != JSON_ARRAY)
		return false;
	for (struct json_walk w = json_walk(services); json_next(&w, NULL, &service);)
		if (json_find(service, "type", &type) && json_is(type, "dns") &&
		    json_find(service, "address", &address) && json_is(address, "213.186.33.99"))
			return true;
	return false;
}

static bool ovh_zone(struct cloud *c, struct word answer)
{
	struct json_value v;
	char zone[sizeof c->region];

	if (json_parse(&v, answer.at, answer.len) < 0 || !TEXT_AT(zone, v, "availability_zone") ||
	    strcmp(zone, "nova") == 0)
		return false;
	return cloud_text(c->region, sizeof c->region, word_of(zone));
}

/* ---- alicloud: its address can be another machine's of a private network, which answers OK to all --------- */

static bool alicloud_type(struct cloud *c, struct word answer)
{
	return word_starts(answer, "ecs.") && cloud_text(c->instance_type, sizeof c->instance_type, answer);
}

/* ---- all ----------------------------------------------------------------------------------------- */

#define LINK_LOCAL "169.254.169.254"
#define AWS        "/latest/meta-data/"
#define GCP        "/computeMetadata/v1/instance/"

const struct vendor vendors[VENDOR_COUNT] = {
	{ "aws", LINK_LOCAL, NULL, "X-aws-ec2-metadata-token", { "sys_vendor", "Amazon EC2" }, {
		{ AWS "services/domain", aws_domain, true }, { AWS "instance-type", read_instance_type, false },
		{ AWS "placement/region", read_region, false }, { AWS "placement/availability-zone", read_zone, false },
		{ AWS "instance-life-cycle", aws_life_cycle, false },
		{ AWS "identity-credentials/ec2/info", aws_account, false } } },
	{ "gcp", LINK_LOCAL, "Metadata-Flavor: Google", NULL, { "product_name", "Google Compute Engine" }, {
		{ GCP "machine-type", gcp_type, true }, { GCP "zone", gcp_zone, true },
		{ GCP "scheduling/preemptible", gcp_preemptible, false } } },
	/* The vendor's name alone is that of any machine under Hyper-V. */
	{ "azure", LINK_LOCAL, "Metadata: true", NULL, { "chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77" }, {
		{ "/metadata/instance?api-version=2021-02-01", azure, true } } },
	{ "hcloud", LINK_LOCAL, NULL, NULL, { "sys_vendor", "Hetzner" }, {
		{ "/hetzner/v1/metadata", hetzner, true } } },
	{ "upcloud", LINK_LOCAL, NULL, NULL, { "sys_vendor", "UpCloud" }, {
		{ "/metadata/v1.json", upcloud, true } } },
	{ "vultr", LINK_LOCAL, NULL, NULL, { "sys_vendor", "Vultr" }, {
		{ "/v1.json", vultr, true } } },
	{ "alicloud", "100.100.100.200", NULL, "X-aliyun-ecs-metadata-token", { "product_name", "Alibaba Cloud ECS" }, {
		{ AWS "region-id", read_region, true }, { AWS "instance/instance-type", alicloud_type, true },
		{ AWS "zone-id", read_zone, false } } },
	{ "ovh", LINK_LOCAL, NULL, NULL, { NULL, NULL }, {
		{ "/openstack/latest/network_data.json", ovh_network, true },
		{ "/openstack/latest/meta_data.json", ovh_zone, false },
		{ AWS "instance-type", read_instance_type, false } } },
};

bool vendor_token(char ret[TOKEN_SIZE], struct word answer)
{
	answer = trimmed(answer);
	if (answer.len == 0 || answer.len >= TOKEN_SIZE)
		return false;
	for (size_t i = 0; i < answer.len; i++)
		if (answer.at[i] <= ' ' || answer.at[i] > '~' || strchr("<>\"'{}:", answer.at[i]))
			return false;
	return word_copy(answer, ret, TOKEN_SIZE);
}

const struct vendor *vendor_by_firmware(const struct source *src)
{
	for (size_t i = 0; i < countof(vendors); i++) {
		char path[64] = "class/dmi/id/", text[64];

		if (!vendors[i].firmware.file || src->sys < 0)
			continue;
		(void)strncat(path, vendors[i].firmware.file, sizeof path - strlen(path) - 1);
		if (source_read_line(text, sizeof text, src->sys, path) == 0 &&
		    strcmp(text, vendors[i].firmware.text) == 0)
			return &vendors[i];
	}
	return NULL;
}
