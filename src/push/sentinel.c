/* sentinel.c - the requests of a parcel for the service Sentinel, one after the other. */
#include "sentinel.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../store/store_error.h"
#include "sentinel_body.h"
#include "sentinel_inline.h"
#include "sentinel_request.h"
#include "sentinel_state.h"
#include "store_request.h"

/* KEYS and REGION are on the way to PUT.  READY: `ready` is the result. */
enum step { IDLE, REGISTER, KEYS, REGION, PUT, FINISH, READY };

struct sentinel {
	struct http *http;
	const struct destination *to;
	const struct spool *spool;
	struct sentinel_state state;
	struct sentinel_keys keys;
	char region[64];                        /* of the store; "": to be asked for */
	struct parcel parcel;
	enum step step;
	bool renewed;                           /* keys were asked for in this parcel */
	struct http_request *request;           /* of the step */
	struct bucket bucket;
	struct buffer body;
	struct delivery ready;
};

int sentinel_open(struct sentinel **ret, struct http *h, const struct destination *d, const struct spool *spool,
		  struct why *why)
{
	struct sentinel *s = calloc(1, sizeof *s);
	struct http_request *trial = NULL;
	int r = s ? destination_request_open(&trial, h, d, why) : why_set(why, -ENOMEM, "out of memory");

	http_request_close(trial);              /* its headers can be read */
	if (r < 0) {
		free(s);
		return r;
	}
	s->http = h;
	s->to = d;
	s->spool = spool;
	sentinel_state_read(&s->state, spool);
	*ret = s;
	return 0;
}

void sentinel_close(struct sentinel *s)
{
	if (!s)
		return;
	http_request_close(s->request);
	buffer_release(&s->body);
	sentinel_forget_keys(&s->keys);
	free(s);
}

/* ---- results ----------------------------------------------------------------------------------- */

static struct delivery *end(struct sentinel *s, enum verdict verdict)
{
	s->step = READY;
	s->ready = (struct delivery){ .verdict = verdict, .answered = true };
	return &s->ready;
}

/* The user has to give something else first. */
static void give_up(struct sentinel *s, const char *what)
{
	struct delivery *d = end(s, LATER);

	d->futile = true;
	(void)why_set(&d->trouble, 0, "%s: %s", s->to->shown, what);
}

/* A request that is started, or cannot be. */
static void begin(struct sentinel *s, enum step step, int r, const struct why *why)
{
	s->step = step;
	if (r < 0)
		end(s, r == -EINVAL ? REFUSED : LATER)->trouble = *why;
}

/* Another token can be accepted later; a run that the service does not know never will. */
static void end_by_service(struct sentinel *s, const struct http_answer *a)
{
	struct delivery *d = end(s, http_verdict(a));
	char detail[120];

	d->answered = a->status != 0;
	d->asked_seconds = a->retry_after_seconds;
	d->futile = a->status == 401 || a->status == 403;
	if (d->futile)
		d->verdict = LATER;
	sentinel_read_detail(detail, sizeof detail, a->body, a->n_body, sentinel_token());
	if (d->verdict != ACCEPTED && (a->web_page || a->status < 400))
		http_answer_describe(&d->trouble, s->to->shown, a);
	else if (d->verdict != ACCEPTED)
		(void)why_set(&d->trouble, 0, "%s: status %ld%s%s", s->to->shown, a->status, *detail ? ": " : "", detail);
}

static void end_by_strange_answer(struct sentinel *s, const char *lacks)
{
	(void)why_set(&end(s, REFUSED)->trouble, 0, "%s: its answer has no %s", s->to->shown, lacks);
}

/* ---- which request is next --------------------------------------------------------------------- */

static bool keys_hold(const struct sentinel *s, int64_t seconds)
{
	return s->keys.keys.access[0] && s->keys.end > (int64_t)time(NULL) + seconds;
}

static void ask(struct sentinel *s, enum step step, const char *what, const char *body, size_t n)
{
	char path[sizeof s->state.run.id + 40] = "/runs";
	struct why why;
	int r;

	if (step != REGISTER)
		(void)snprintf(path, sizeof path, "/runs/%s/%s", s->state.run.id, what);
	r = sentinel_ask(&s->request, s->http, s->to, path, body, n, &why);
	begin(s, step, r, &why);
}

static void put(struct sentinel *s)
{
	const struct sentinel_object object = {
		.run = &s->state.run, .number = sentinel_state_object(&s->state, s->parcel.number),
		.keys = &s->keys.keys, .region = s->region, .body = s->parcel.body, .n = s->parcel.n,
	};
	struct why why;
	int r = sentinel_put(&s->request, &s->bucket, s->http, s->to, &object, &why);

	begin(s, PUT, r, &why);
}

/* Of a parcel of rows. */
static void go_on(struct sentinel *s)
{
	struct why why;

	if (!s->region[0])
		memcpy(s->region, s->keys.region, sizeof s->region);
	if (!s->renewed && !keys_hold(s, KEYS_SPARE_SECONDS)) {
		s->renewed = true;
		ask(s, KEYS, "refresh-credentials", "", 0);
	} else if (!s->region[0]) {
		int r = sentinel_ask_region(&s->request, s->http, s->to, &s->state.run, &why);

		begin(s, REGION, r, &why);
	} else {
		put(s);
	}
}

static void finish(struct sentinel *s)
{
	buffer_clear(&s->body);
	sentinel_write_finish(&s->body, s->parcel.body, s->parcel.n, &s->state.run, s->state.sent);
	if (s->body.failed)
		begin(s, FINISH, -ENOMEM, &(struct why){ "out of memory" });
	else
		ask(s, FINISH, "finish", s->body.at, s->body.len);
}

int sentinel_start(struct sentinel *s, const struct parcel *p)
{
	s->parcel = *p;
	s->renewed = false;
	if (!*sentinel_token())
		give_up(s, "SENTINEL_API_TOKEN is not set, or is no token");
	else if (s->to->elsewhere)
		give_up(s, "SENTINEL_API_URL is not this one, so the token is not sent there");
	else if (p->kind == PARCEL_BEGIN && s->state.run.id[0])
		(void)end(s, ACCEPTED);         /* by a process that was killed before it noted that */
	else if (p->kind == PARCEL_BEGIN)
		ask(s, REGISTER, "", p->body, p->n);
	else if (!s->state.run.id[0])
		(void)why_set(&end(s, REFUSED)->trouble, 0, "%s: the run is not registered", s->to->shown);
	else if (p->kind == PARCEL_END)
		finish(s);
	else
		go_on(s);
	return 0;
}

int sentinel_start_all(struct sentinel *s, const struct parcels *all)
{
	int r;

	buffer_clear(&s->body);
	r = sentinel_write_all(&s->body, all, PUSH_INLINE_BYTES);
	if (r == 0)
		ask(s, FINISH, "finish", s->body.at, s->body.len);
	return r;
}

/* ---- answers ----------------------------------------------------------------------------------- */

static void take_registration(struct sentinel *s, const struct http_answer *a)
{
	end_by_service(s, a);
	if (s->ready.verdict != ACCEPTED)
		return;
	if (sentinel_read_run(&s->state.run, a->body, a->n_body) < 0) {
		end_by_strange_answer(s, "run");
		return;
	}
	(void)!sentinel_read_keys(&s->keys, a->body, a->n_body);        /* else they are asked for */
	sentinel_state_write(&s->state, s->spool);
}

/* Old keys are used until they end. */
static void take_keys(struct sentinel *s, const struct http_answer *a)
{
	bool taken = http_verdict(a) == ACCEPTED && sentinel_read_keys(&s->keys, a->body, a->n_body) == 0;

	if (taken || keys_hold(s, 0)) {
		go_on(s);
		return;
	}
	end_by_service(s, a);
	if (s->ready.verdict == ACCEPTED)
		end_by_strange_answer(s, "keys to the store");
}

/* A store that does not answer is asked again the next time. */
static void take_region(struct sentinel *s, const struct http_answer *a)
{
	bool named = a->region[0] && strlen(a->region) < sizeof s->region;

	(void)snprintf(s->region, sizeof s->region, "%s", named ? a->region : sentinel_usual_region());
	put(s);
	if (a->status == 0)
		s->region[0] = '\0';
}

/* Keys that end are refused with the status 400 by some stores. */
static bool names_token(const struct http_answer *a)
{
	struct store_error error;

	store_error_read(&error, a->body, a->n_body);
	return strstr(error.code, "Token") != NULL;
}

static void take_object(struct sentinel *s, const struct http_answer *a)
{
	struct store_answer answer;
	bool keys = a->status == 403 || names_token(a), elsewhere = a->status >= 300 && a->status < 400;
	struct delivery *d = end(s, ACCEPTED);

	store_answer_read(&answer, &s->bucket, a);
	d->verdict = keys || elsewhere || a->status == 404 ? LATER : answer.verdict;
	/* A store that takes nothing: the rows can be part of the end. */
	d->all_at_once = s->state.sent == 0 && d->verdict != ACCEPTED;
	if (d->all_at_once)
		d->verdict = LATER;
	d->answered = a->status != 0;
	d->asked_seconds = answer.asked_seconds;
	d->trouble = answer.trouble;
	if (keys)
		sentinel_forget_keys(&s->keys);
	if (keys || elsewhere)
		s->region[0] = '\0';
	if (d->verdict != ACCEPTED)
		return;
	s->state.sent = sentinel_state_object(&s->state, s->parcel.number) + 1;
	s->state.last = s->parcel.number;
	sentinel_state_write(&s->state, s->spool);
}

bool sentinel_over(struct sentinel *s, struct delivery *ret)
{
	static void (*const take[])(struct sentinel *, const struct http_answer *) = {
		[REGISTER] = take_registration, [KEYS] = take_keys, [REGION] = take_region, [PUT] = take_object,
		[FINISH] = end_by_service,
	};

	while (s->step != READY) {
		struct http_request *request = s->request;
		struct http_answer answer;

		if (s->step == IDLE || !http_request_over(request, &answer))
			return false;
		s->request = NULL;
		take[s->step](s, &answer);
		http_request_close(request);
	}
	s->step = IDLE;
	*ret = s->ready;
	return true;
}
