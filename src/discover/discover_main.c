/* discover_main.c - `resource-tracker discover`: this machine's cloud, and prices; and the companion of --discover. */
#include "../analysis/answer.h"
#include "../analysis/flags.h"
#include "../text/shown.h"
#include "../text/values.h"
#include "inquiry.h"
#include "prices.h"

static const double SECONDS = 1;

static const char USAGE[] =
	"Usage: resource-tracker discover [--json] [--root DIR]\n"
	"       resource-tracker discover --prices [--vendor V] [--region R] [--cpus N] [--memory SIZE]\n"
	"                                          [--gpus N] [--gpu-memory SIZE] [--from URL]\n"
	"\n"
	"Asks the metadata service of the cloud that this machine is in: for the vendor, region, zone, type of the instance,\n"
	"and whether it is a spot instance. If the machine's firmware names one of the eight clouds, that one alone is asked,\n"
	"else all of them: aws, gcp, azure, hcloud, upcloud, vultr, alicloud, ovh. It takes a second at most. The addresses are\n"
	"169.254.169.254 and 100.100.100.200; proxies are not used. --json: as the record has it. --root: read the firmware\n"
	"below DIR/sys. The exit status is 1 if no cloud has answered.\n"
	"\n"
	"--prices asks a public service (https://keeper.sparecores.net, or --from URL) for the cheapest servers on demand\n"
	"that have at least so much, 1,000 of them at most, and prints the table that 'recommend --servers FILE' reads:\n"
	"\n"
	"    resource-tracker discover --prices --cpus 4 --memory 16GiB > prices.csv\n"
	"    resource-tracker recommend last --servers prices.csv\n";

enum { NO_CLOUD = 1 };

static int answer(const struct cloud *c, bool as_json)
{
	struct buffer out = { 0 };
	struct json j = json_to(&out);
	int r;

	if (as_json)
		cloud_json(&j, c);
	else if (*c->vendor)
		cloud_words(&out, c);
	else
		buffer_text(&out, "No cloud has answered.");
	buffer_char(&out, '\n');
	r = print(&out);
	return r == 0 && !*c->vendor ? NO_CLOUD : r;
}

struct discover_options {
	const char *root, *from, *vendor, *region, *cpus, *memory, *gpus, *gpu_memory;
	bool json, prices, help;
};

static int read_number(double *ret, const char *text, const char *flag, struct why *why)
{
	if (!text || value_decimal(text, ret))
		return 0;
	return why_set(why, -EINVAL, "--%s: '%s' is not a number", flag, show(text).text);
}

static int read_size(double *ret, const char *text, const char *flag, struct why *why)
{
	uint64_t bytes = 0;

	if (text && !value_size(text, &bytes))
		return why_set(why, -EINVAL, "--%s: '%s' is not a size such as 16GiB", flag, show(text).text);
	*ret = (double)bytes;
	return 0;
}

static int print_prices(const struct discover_options *o)
{
	struct prices_question q = { .service = o->from ? o->from : PRICES_SERVICE,
				     .vendor = o->vendor, .region = o->region };
	struct buffer out = { 0 };
	struct why why = { "" };
	int r = read_number(&q.cpus, o->cpus, "cpus", &why);

	if (r == 0)
		r = read_size(&q.memory_bytes, o->memory, "memory", &why);
	if (r == 0)
		r = read_number(&q.gpus, o->gpus, "gpus", &why);
	if (r == 0)
		r = read_size(&q.gpu_memory_bytes, o->gpu_memory, "gpu-memory", &why);
	if (r == 0)
		r = prices_fetch(&out, &q, &why);
	if (r == 0)
		return print(&out);
	buffer_release(&out);
	return complain(why.text);
}

static int print_cloud(const struct discover_options *o)
{
	struct why why = { "" };
	struct source src;
	struct cloud found;

	if (source_open(&src, o->root, &why) < 0)
		return complain(why.text);
	int r = inquiry_run(&found, vendor_by_firmware(&src), SECONDS);

	source_close(&src);
	return r < 0 ? complain("out of memory") : answer(&found, o->json);
}

int main(int argc, char **argv)
{
	struct discover_options o = { .root = "/" };
	enum { FOR_PRICES = 4 };                /* from here on */
	const struct flag flags[] = {
		{ "json", FLAG_SWITCH, &o.json }, { "root", FLAG_TEXT, &o.root }, { "help", FLAG_SWITCH, &o.help },
		{ "prices", FLAG_SWITCH, &o.prices }, { "from", FLAG_TEXT, &o.from }, { "vendor", FLAG_TEXT, &o.vendor },
		{ "region", FLAG_TEXT, &o.region }, { "cpus", FLAG_TEXT, &o.cpus }, { "memory", FLAG_TEXT, &o.memory },
		{ "gpus", FLAG_TEXT, &o.gpus }, { "gpu-memory", FLAG_TEXT, &o.gpu_memory },
	};
	struct buffer text = { 0 };
	struct why why = { "" };

	answer_as("discover");
	if (flags_read(flags, countof(flags), &argc, argv, &why) < 0)
		return complain(why.text);
	if (o.help) {
		buffer_text(&text, USAGE);
		return print(&text);
	}
	if (argc > 1)
		return complain("it takes no words; see --help");
	for (size_t i = FOR_PRICES; i < countof(flags) && !o.prices; i++)
		if (*(const char **)flags[i].to) {
			(void)why_set(&why, -EINVAL, "--%s is for --prices", flags[i].name);
			return complain(why.text);
		}
	return o.prices ? print_prices(&o) : print_cloud(&o);
}
