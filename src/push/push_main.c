/* push_main.c - `resource-tracker push`, and the companion that the recorder starts for --push. */
#include <limits.h>
#include <string.h>

#include "../analysis/answer.h"
#include "../analysis/flags.h"
#include "../history/history.h"
#include "../text/bucket_target.h"
#include "../text/push_target.h"
#include "../text/shown.h"
#include "../text/values.h"
#include "feed_sender.h"
#include "forms.h"
#include "record_sender.h"
#include "run_upload.h"

enum { NOT_DELIVERED = 1 };
static const double DRAIN_SECONDS = 60;

static const char USAGE[] =
	"Usage: resource-tracker push RUN --to FORM=URL... [--header-file [FORM=]FILE]... [--ca-file FILE]\n"
	"                             [--cert-file FILE --key-file FILE] [--drain TIME] [--directory DIR]\n"
	"       resource-tracker push RUN --to sentinel [--drain TIME] [--directory DIR]\n"
	"       resource-tracker push RUN --to s3://BUCKET[/PREFIX] [--ca-file FILE] [--drain TIME] [--directory DIR]\n"
	"       resource-tracker push --spooled [--drain TIME]\n"
	"\n"
	"Sends the metrics of a run that is over; resource-tracker --push sends them while it goes on. A RUN is the beginning\n"
	"of its id, last, last~2 (the third last), or the path of a record. FORM is one of:\n"
#define PUSH_FORM(id, word, by, path, help) "  " word ": " help "\n"
#include "../core/push_forms.def"
	"  s3://BUCKET[/PREFIX]: the record itself, gzipped, into an object store, at AWS_ENDPOINT_URL or AWS in AWS_REGION,\n"
	"      with the keys of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or ~/.aws/credentials\n"
	"A URL without a path gets the usual one of its form. --header-file has lines such as 'Authorization: Bearer ...', for\n"
	"all destinations of that form. --spooled sends what runs with --push left in the spool, because the receiver could\n"
	"not be reached. --drain: the longest wait for a receiver, 1m if it is not given. The exit status is 1 if something\n"
	"was not delivered.\n";

struct wanted {
	struct flag_texts to, headers;
	const char *authorities, *certificate, *key, *drain, *directory, *spool, *listen, *token, *upload,
		   *part_bytes;
	bool spooled, feed, quiet, help, cloud;
};

/* The file of headers for a destination: FORM=FILE for its form, or FILE if it is the only destination. */
static int headers_of(const char **ret, const struct wanted *w, const char *to, struct why *why)
{
	size_t form = strcspn(to, "=");

	*ret = NULL;
	for (size_t i = 0; i < w->headers.n; i++) {
		const char *text = w->headers.at[i];
		size_t n = strcspn(text, "=");

		if (!text[n] || !form_find(text, n, NULL)) {
			if (w->to.n > 1)
				return why_set(why, -EINVAL, "--header-file: for which destination? Write FORM=%s", show(text).text);
			*ret = text;
		} else if (n == form && memcmp(text, to, n) == 0) {
			*ret = text + n + 1;
		}
	}
	return 0;
}

static int bucket_of(struct upload_options *ret, const char *to, const struct push_files *files, struct why *why)
{
	int r = bucket_read(&ret->to[ret->n], to, "--to", getenv, why);

	if (r == 0 && ret->n == 0)
		r = credentials_find(&ret->keys, getenv, why);
	if (r == 0 && ret->n == 0)
		r = destination_keep_files(&ret->files, files, why);
	ret->n += r == 0;
	return r;
}

static int destinations_of(struct sender_options *ret, struct upload_options *uploads, const struct wanted *w,
			   struct why *why)
{
	const char *origin = w->feed ? "--push" : "--to";

	if (w->to.n > DESTINATIONS_MAX)
		return why_set(why, -EINVAL, "%s: more than %d", origin, DESTINATIONS_MAX);
	for (size_t i = 0; i < w->to.n; i++) {
		struct push_files files = {
			.authorities = w->authorities, .certificate = w->certificate, .key = w->key,
		};
		bool metrics = w->feed || !bucket_target_named(w->to.at[i]);
		struct destination *place = &ret->to[ret->n];
		int r = metrics ? headers_of(&files.headers, w, w->to.at[i], why) :
				  bucket_of(uploads, w->to.at[i], &files, why);

		if (r == 0 && metrics)
			r = destination_open(place, w->to.at[i], origin, &files, why);
		if (r < 0)
			return r;
		if (!metrics)
			continue;
		if (place->form->encode || place->form->service)
			ret->n++;
		else if (w->feed)
			ret->by_udp[ret->n_by_udp++] = *place;
		else
			return why_set(why, -EINVAL, "--to %s: it has no times, so it takes a run only while that goes on, by --push",
				       place->form->word);
	}
	return 0;
}

/* A run is registered at one service, which has one table of its rows. */
static int check_services(struct sender_options *o, const struct wanted *w, struct why *why)
{
	size_t services = 0;

	for (size_t i = 0; i < o->n; i++)
		services += o->to[i].form->service;
	if (services > 1)
		return why_set(why, -EINVAL, "%s: there is one sentinel", w->feed ? "--push" : "--to");
	if (services > 0 && w->feed)
		o->send.sheet_seconds = sheet_seconds(w->quiet);
	return 0;
}

static int size_of(uint64_t *ret, const char *flag, const char *text, struct why *why)
{
	return !text || value_size(text, ret) ? 0 : why_set(why, -EINVAL, "%s: '%s' is not a size, such as 64MiB", flag,
							     show(text).text);
}

static int options_of(struct sender_options *ret, struct upload_options *uploads, const struct wanted *w,
		      struct why *why)
{
	const char *record = getenv("RESOURCE_TRACKER_RUN");
	uint64_t part_bytes = UPLOAD_PART_BYTES;
	int r;

	*ret = (struct sender_options){
		.drain_seconds = DRAIN_SECONDS, .quiet = w->quiet, .listen = w->listen, .listen_token_file = w->token,
		.send = { .spool_bytes = PUSH_SPOOL_BYTES, .record = w->feed ? record : NULL, .wants_cloud = w->cloud,
			  .sheet_seconds = (double)INFINITY },
	};
	if (w->drain && !value_duration(w->drain, &ret->drain_seconds))
		return why_set(why, -EINVAL, "--drain: '%s' is not a time, such as 5s", show(w->drain).text);
	r = size_of(&ret->send.spool_bytes, "--spool-bytes", w->spool, why);
	if (r == 0)
		r = size_of(&part_bytes, "--part-bytes", w->part_bytes, why);
	if (r < 0)
		return r;
	*uploads = (struct upload_options){ .drain_seconds = ret->drain_seconds, .quiet = w->quiet,
					     .part_bytes = part_bytes,
					     .spool_bytes = w->spool ? ret->send.spool_bytes : UPLOAD_SPOOL_BYTES };
	r = w->upload ? 0 : destinations_of(ret, uploads, w, why);
	return r < 0 ? r : check_services(ret, w, why);
}

static int send_run(struct sender_options *o, const struct upload_options *uploads, const struct wanted *w, char **runs,
		    size_t n, bool *left, struct why *why)
{
	char place[PATH_MAX];
	auto_free char *path = NULL;
	bool unsent = false;

	if (n != 1)
		return why_set(why, -EINVAL, "which run? Give the beginning of its id, last, or a file; or --spooled");
	if (o->n + uploads->n == 0)
		return why_set(why, -EINVAL, "to where? Give --to FORM=URL, such as --to prometheus=http://metrics.example:9090");
	int r = history_place(place, w->directory, runs, n, why);

	if (r < 0)
		return r;
	path = run_path(runs[0], place, why);
	r = path ? 0 : -ENOENT;
	if (r == 0 && uploads->n > 0)
		r = record_upload(uploads, path, left, why);
	if (r == 0 && o->n > 0)
		r = record_send(o, path, &unsent, why);
	*left = *left || unsent;
	return r;
}

static int upload_record_of(struct upload_options *o, const struct wanted *w, struct why *why)
{
	const struct push_files files = { NULL, w->authorities, w->certificate, w->key };

	if (w->to.n != 1)
		return why_set(why, -EINVAL, "--upload: needs one --to");
	run_upload(o, w->upload, w->to.at[0], &files);
	return 0;
}

static int send_spooled(struct sender_options *o, struct upload_options *uploads, bool *left, struct why *why)
{
	bool unsent = false;
	int r = sender_send_spooled(o, left, why);

	if (r == 0)
		r = uploads_send_waiting(uploads, &unsent, why);
	*left = *left || unsent;
	return r;
}

int main(int argc, char **argv)
{
	struct wanted w = { .help = false };
	const struct flag flags[] = {
		{ "to", FLAG_TEXTS, &w.to }, { "header-file", FLAG_TEXTS, &w.headers }, { "ca-file", FLAG_TEXT, &w.authorities },
		{ "cert-file", FLAG_TEXT, &w.certificate }, { "key-file", FLAG_TEXT, &w.key }, { "drain", FLAG_TEXT, &w.drain },
		{ "directory", FLAG_TEXT, &w.directory }, { "spooled", FLAG_SWITCH, &w.spooled },
		{ "help", FLAG_SWITCH, &w.help },
		/* Of the recorder: */
		{ "feed", FLAG_SWITCH, &w.feed }, { "quiet", FLAG_SWITCH, &w.quiet }, { "listen", FLAG_TEXT, &w.listen },
		{ "listen-token-file", FLAG_TEXT, &w.token }, { "upload", FLAG_TEXT, &w.upload },
		{ "cloud", FLAG_SWITCH, &w.cloud },
		/* Of tests: */
		{ "spool-bytes", FLAG_TEXT, &w.spool }, { "part-bytes", FLAG_TEXT, &w.part_bytes },
	};
	struct sender_options o;
	struct upload_options uploads = { .n = 0 };
	struct buffer text = { 0 };
	struct why why = { "" };
	bool left = false;
	int r;

	answer_as("push");
	if (flags_read(flags, countof(flags), &argc, argv, &why) < 0)
		return complain(why.text);
	if (w.help) {
		buffer_text(&text, USAGE);
		return print(&text);
	}
	r = options_of(&o, &uploads, &w, &why);
	if (r == 0 && w.feed)
		r = feed_send(&o, &why);
	else if (r == 0 && w.upload)
		r = upload_record_of(&uploads, &w, &why);
	else if (r == 0 && w.spooled)
		r = send_spooled(&o, &uploads, &left, &why);
	else if (r == 0)
		r = send_run(&o, &uploads, &w, argv + 1, (size_t)argc - 1, &left, &why);
	credentials_forget(&uploads.keys);
	destination_close(&uploads.files);
	/* Not exit(): a thread of libcurl can still wait for a name server. */
	_exit(r < 0 ? complain(why.text) : left ? NOT_DELIVERED : 0);
}
