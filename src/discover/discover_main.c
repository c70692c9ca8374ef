/* discover_main.c - `resource-tracker discover`, and the companion of --discover. */
#include "../analysis/answer.h"
#include "../analysis/flags.h"
#include "inquiry.h"

static const double SECONDS = 1;

static const char USAGE[] =
	"Usage: resource-tracker discover [--json] [--root DIR]\n"
	"\n"
	"Asks the metadata service of the cloud that this machine is in: for the vendor, region, zone, type of the instance,\n"
	"and whether it is a spot instance. If the machine's firmware names one of the eight clouds, that one alone is asked,\n"
	"else all of them: aws, gcp, azure, hcloud, upcloud, vultr, alicloud, ovh. It takes a second at most. The addresses are\n"
	"169.254.169.254 and 100.100.100.200; proxies are not used. --json: as the record has it. --root: read the firmware\n"
	"below DIR/sys. The exit status is 1 if no cloud has answered.\n";

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

int main(int argc, char **argv)
{
	const char *root = "/";
	bool json = false, help = false;
	const struct flag flags[] = {
		{ "json", FLAG_SWITCH, &json }, { "root", FLAG_TEXT, &root }, { "help", FLAG_SWITCH, &help },
	};
	struct buffer text = { 0 };
	struct why why = { "" };
	struct source src;
	struct cloud found;

	answer_as("discover");
	if (flags_read(flags, countof(flags), &argc, argv, &why) < 0)
		return complain(why.text);
	if (help) {
		buffer_text(&text, USAGE);
		return print(&text);
	}
	if (argc > 1)
		return complain("it takes no words; see --help");
	if (source_open(&src, root, &why) < 0)
		return complain(why.text);
	int r = inquiry_run(&found, vendor_by_firmware(&src), SECONDS);

	source_close(&src);
	return r < 0 ? complain("out of memory") : answer(&found, json);
}
