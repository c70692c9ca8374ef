/* inquiry.c - asks the metadata services of clouds. */
#include "inquiry.h"

#include <stdio.h>
#include <time.h>

#include "../core/curl_http.h"

enum { ANSWER_BYTES_MAX = 64 << 10, HEADER_BYTES_MAX = 16 << 10 };
enum step { STEP_TOKEN, STEP_PROOF, STEP_REST, STEP_OVER };

struct request {
	struct asked *asked;
	const struct question *question;        /* NULL: for the token */
	CURL *easy;                             /* NULL: not started, or over */
	struct curl_slist *headers;
	struct buffer answer;
	size_t header_bytes;
};

/* A vendor that is being asked. */
struct asked {
	const struct vendor *vendor;
	enum step step;
	bool proved;
	size_t going;                           /* requests of this step */
	char token[TOKEN_SIZE];
	struct cloud found;
	struct request requests[1 + QUESTIONS_MAX];     /* the first: for the token */
};

struct inquiry {
	CURLM *multi;
	double end;
	struct asked at[VENDOR_COUNT];
	size_t n;
};

static double now(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- a request --------------------------------------------------------------------------------- */

/* Less than all means to libcurl: give up. */
static size_t keep(char *bytes, size_t size, size_t n, void *context)
{
	struct request *r = context;

	if (r->answer.len + size * n > ANSWER_BYTES_MAX)
		return 0;
	buffer_bytes(&r->answer, bytes, size * n);
	return r->answer.failed ? 0 : size * n;
}

static size_t count_header(char *bytes, size_t size, size_t n, void *context)
{
	struct request *r = context;

	(void)bytes;
	r->header_bytes += size * n;
	return r->header_bytes > HEADER_BYTES_MAX ? 0 : size * n;
}

static bool add_header(struct request *r, const char *name, const char *value)
{
	char line[TOKEN_SIZE + 64];
	struct curl_slist *more;

	(void)snprintf(line, sizeof line, "%s%s%s", name, value ? ": " : "", value ? value : "");
	more = curl_slist_append(r->headers, line);
	r->headers = more ? more : r->headers;
	return more != NULL;
}

static bool set_headers(struct request *r)
{
	const struct vendor *v = r->asked->vendor;
	char name[64];

	if (v->header && !add_header(r, v->header, NULL))
		return false;
	if (!v->token_header)
		return true;
	(void)snprintf(name, sizeof name, "%s-ttl-seconds", v->token_header);
	return r->question ? add_header(r, v->token_header, r->asked->token) : add_header(r, name, "60");
}

static void set_options(struct request *r, double seconds)
{
	const struct vendor *v = r->asked->vendor;
	char url[160];

	(void)snprintf(url, sizeof url, "http://%s%s", v->address, r->question ? r->question->path : TOKEN_PATH);
	(void)curl_easy_setopt(r->easy, CURLOPT_URL, url);
	curl_http_only(r->easy);
	(void)curl_easy_setopt(r->easy, CURLOPT_PROXY, "");                     /* nor that of a variable */
	(void)curl_easy_setopt(r->easy, CURLOPT_NOPROXY, "*");
	(void)curl_easy_setopt(r->easy, CURLOPT_FOLLOWLOCATION, 0L);
	(void)curl_easy_setopt(r->easy, CURLOPT_HTTP09_ALLOWED, 0L);
	(void)curl_easy_setopt(r->easy, CURLOPT_NOSIGNAL, 1L);
	(void)curl_easy_setopt(r->easy, CURLOPT_TIMEOUT_MS, (long)(seconds * 1000) + 1);
	(void)curl_easy_setopt(r->easy, CURLOPT_USERAGENT, "resource-tracker/" RT_VERSION);
	(void)curl_easy_setopt(r->easy, CURLOPT_HTTPHEADER, r->headers);
	(void)curl_easy_setopt(r->easy, CURLOPT_WRITEFUNCTION, keep);
	(void)curl_easy_setopt(r->easy, CURLOPT_WRITEDATA, r);
	(void)curl_easy_setopt(r->easy, CURLOPT_HEADERFUNCTION, count_header);
	(void)curl_easy_setopt(r->easy, CURLOPT_HEADERDATA, r);
	(void)curl_easy_setopt(r->easy, CURLOPT_PRIVATE, r);
	if (!r->question)
		(void)curl_easy_setopt(r->easy, CURLOPT_CUSTOMREQUEST, "PUT");
}

static void release(struct request *r, CURLM *multi)
{
	if (r->easy) {
		(void)curl_multi_remove_handle(multi, r->easy);
		curl_easy_cleanup(r->easy);
	}
	curl_slist_free_all(r->headers);
	buffer_release(&r->answer);
	*r = (struct request){ .asked = r->asked };
}

static bool start(struct inquiry *q, struct asked *a, const struct question *question)
{
	struct request *r = &a->requests[question ? 1 + (question - a->vendor->questions) : 0];

	*r = (struct request){ .asked = a, .question = question, .easy = curl_easy_init() };
	if (r->easy && set_headers(r)) {
		set_options(r, double_max(q->end - now(), 0));
		if (curl_multi_add_handle(q->multi, r->easy) == CURLM_OK) {
			a->going++;
			return true;
		}
	}
	release(r, q->multi);
	return false;
}

/* ---- a vendor ---------------------------------------------------------------------------------- */

static void give_up(struct inquiry *q, struct asked *a)
{
	for (size_t i = 0; i < countof(a->requests); i++)
		release(&a->requests[i], q->multi);
	a->step = STEP_OVER;
	a->going = 0;
}

/* Without memory for a request that is needed, the vendor is not asked. */
static void start_step(struct inquiry *q, struct asked *a)
{
	bool started = a->step != STEP_TOKEN || start(q, a, NULL);

	for (const struct question *at = a->vendor->questions; a->step != STEP_TOKEN && at->path; at++)
		if (at->proof == (a->step == STEP_PROOF))
			started = start(q, a, at) && started;
	if (!started && a->step != STEP_REST)
		give_up(q, a);
}

/* Begins the next step that has requests. */
static void step_on(struct inquiry *q, struct asked *a)
{
	while (a->going == 0 && a->step < STEP_OVER) {
		a->proved = a->proved || a->step == STEP_PROOF;
		a->step++;
		if (a->step < STEP_OVER)
			start_step(q, a);
	}
}

static void ended(struct inquiry *q, struct request *r, CURLcode code)
{
	struct asked *a = r->asked;
	struct word answer = { r->answer.at ? r->answer.at : "", r->answer.len };
	bool needed = a->step != STEP_REST, taken = false;
	long status = 0;

	(void)curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &status);
	if (code == CURLE_OK && status == 200)
		taken = r->question ? r->question->read(&a->found, answer) : vendor_token(a->token, answer);
	release(r, q->multi);
	a->going--;
	if (needed && !taken)
		give_up(q, a);
	else
		step_on(q, a);
}

/* ---- all of them ------------------------------------------------------------------------------- */

/* The first that has proved to be it, once it is proved; NULL: none. */
static struct asked *proved(struct inquiry *q)
{
	for (size_t i = 0; i < q->n; i++)
		if (q->at[i].proved)
			return &q->at[i];
	return NULL;
}

static bool is_over(struct inquiry *q)
{
	struct asked *one = proved(q);

	for (size_t i = 0; i < q->n; i++) {
		if (one && one != &q->at[i])
			give_up(q, &q->at[i]);
		if (q->at[i].step != STEP_OVER)
			return false;
	}
	return true;
}

static void ask(struct inquiry *q)
{
	int running, left;

	while (!is_over(q) && now() < q->end) {
		(void)curl_multi_poll(q->multi, NULL, 0, (int)((q->end - now()) * 1000) + 1, NULL);
		(void)curl_multi_perform(q->multi, &running);
		for (CURLMsg *m; (m = curl_multi_info_read(q->multi, &left)) != NULL;) {
			char *private = NULL;

			if (m->msg != CURLMSG_DONE)
				continue;
			(void)curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &private);
			ended(q, (void *)private, m->data.result);
		}
	}
}

int inquiry_run(struct cloud *ret, const struct vendor *only, double seconds)
{
	double begun = now();
	struct inquiry *q = calloc(1, sizeof *q);
	struct cloud found = { .asked = true };
	int running;

	if (!q || curl_global_init(CURL_GLOBAL_NOTHING) != CURLE_OK || !(q->multi = curl_multi_init())) {
		free(q);
		return -ENOMEM;
	}
	q->end = begun + seconds;
	for (size_t i = 0; i < countof(vendors); i++) {
		struct asked *a = &q->at[q->n];

		if (only && only != &vendors[i])
			continue;
		*a = (struct asked){ .vendor = &vendors[i], .step = vendors[i].token_header ? STEP_TOKEN : STEP_PROOF };
		q->n++;
		start_step(q, a);
	}
	(void)curl_multi_perform(q->multi, &running);
	ask(q);

	const struct asked *one = proved(q);

	if (one) {
		found = one->found;
		found.asked = true;
		(void)cloud_text(found.vendor, sizeof found.vendor, word_of(one->vendor->id));
	}
	found.seconds = now() - begun;
	for (size_t i = 0; i < q->n; i++)
		give_up(q, &q->at[i]);
	(void)curl_multi_cleanup(q->multi);
	free(q);
	*ret = found;
	return 0;
}
