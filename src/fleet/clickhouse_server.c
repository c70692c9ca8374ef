/* clickhouse_server.c - statements to a server of ClickHouse. */
#include "clickhouse_server.h"

#include <time.h>

#include "../analysis/answer.h"
#include "../http/http.h"
#include "clickhouse_error.h"

enum { ANSWER_MOST = 256 << 20, STALL_SECONDS = 300 };

struct clickhouse_server {
	struct http *http;
	struct http_request *request;
	char shown[sizeof ((struct clickhouse_address *)NULL)->origin];
	struct buffer answer;
	bool warned;                            /* of a failure that is waited for */
};

/* ---- opening ----------------------------------------------------------------------------------- */

/* "Name: value" of a variable; empty without it. */
static int header_of(struct buffer *out, const char *name, const char *variable, struct why *why)
{
	const char *value = getenv(variable);

	if (!value)
		return 0;
	if (strpbrk(value, "\r\n"))
		return why_set(why, -EINVAL, "%s has more than one line", variable);
	buffer_format(out, "%s: %s", name, value);
	buffer_char(out, '\0');
	return out->failed ? why_set(why, -ENOMEM, "out of memory") : 0;
}

static int open_request(struct clickhouse_server *s, const struct clickhouse_address *a,
			const struct store_place *place, const char *parameters, struct why *why)
{
	struct buffer user = { 0 }, password = { 0 }, url = { 0 };
	const char *headers[3] = { NULL };
	size_t n = 0;
	int r = header_of(&user, "X-ClickHouse-User", "CLICKHOUSE_USER", why);

	if (r == 0)
		r = header_of(&password, "X-ClickHouse-Key", "CLICKHOUSE_PASSWORD", why);
	if (user.len > 0)
		headers[n++] = user.at;
	if (password.len > 0)
		headers[n++] = password.at;
	buffer_format(&url, "%s/?%s", a->origin, parameters);
	buffer_char(&url, '\0');
	if (r == 0 && url.failed)
		r = why_set(why, -ENOMEM, "out of memory");
	if (r == 0)
		r = http_request_open(&s->request, s->http, &(struct http_peer){
			.url = url.at, .headers = headers, .header_file = place->header_file,
			.authorities = place->authorities, .certificate = place->certificate, .key = place->key,
		}, why);
	buffer_release(&user);
	buffer_release(&password);
	buffer_release(&url);
	return r;
}

int clickhouse_open(struct clickhouse_server **ret, const struct clickhouse_address *a, const struct store_place *place,
		    const char *parameters, struct why *why)
{
	struct clickhouse_server *s = calloc(1, sizeof *s);
	int r;

	if (!s || http_open(&s->http) < 0) {
		free(s);
		return why_set(why, -ENOMEM, "out of memory");
	}
	memcpy(s->shown, a->origin, sizeof s->shown);
	r = open_request(s, a, place, parameters, why);
	if (r < 0) {
		clickhouse_close(s);
		return r;
	}
	http_request_keep(s->request, &s->answer, ANSWER_MOST);
	*ret = s;
	return 0;
}

void clickhouse_close(struct clickhouse_server *s)
{
	if (!s)
		return;
	http_request_close(s->request);
	http_close(s->http);
	buffer_release(&s->answer);
	free(s);
}

/* ---- a statement ------------------------------------------------------------------------------- */

static double now(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void pause_for(double seconds)
{
	struct timespec t = { .tv_sec = (time_t)seconds };

	t.tv_nsec = (long)((seconds - (double)t.tv_sec) * 1e9);
	(void)nanosleep(&t, NULL);
}

/* Sets the sentence of a failure, and *ret_passes: it can succeed later.  0: it has succeeded. */
static int judge(const struct clickhouse_server *s, const struct http_answer *a, bool *ret_passes, struct why *why)
{
	struct clickhouse_error error;

	clickhouse_error_read(&error, s->answer.at, s->answer.len);
	*ret_passes = error.code ? error.temporary : a->status == 0 || a->status == 429 || a->status >= 500;
	if (a->status >= 200 && a->status < 300 && !a->web_page && !error.code)
		return 0;
	if (a->status == 0)
		return why_set(why, -EIO, "%s: %s", s->shown, a->text);
	if (error.code)
		return why_set(why, -EIO, "%s: %s%s", s->shown, error.text,
			       error.no_tables ? "; 'resource-tracker fleet init' makes the tables" : "");
	return why_set(why, -EIO, "%s: status %ld%s: this is not ClickHouse", s->shown, a->status,
		       a->web_page ? ", a web page" : "");
}

static int send_once(struct clickhouse_server *s, const struct buffer *statement, bool *ret_passes, double *ret_asked,
		     struct why *why)
{
	struct http_answer answer;

	buffer_clear(&s->answer);
	if (http_request_send(s->request, "POST", statement->at, statement->len, STALL_SECONDS) < 0)
		return why_set(why, -ENOMEM, "out of memory");
	while (!http_request_over(s->request, &answer))
		http_wait(s->http, NULL, 0, 1);
	*ret_asked = answer.retry_after_seconds;
	return judge(s, &answer, ret_passes, why);
}

int clickhouse_execute(struct clickhouse_server *s, const struct buffer *statement, double patience_seconds,
		       struct word *ret, struct why *why)
{
	double until = now() + patience_seconds, asked = 0;
	bool passes = false;
	int r = statement->failed ? why_set(why, -ENOMEM, "out of memory") : send_once(s, statement, &passes, &asked, why);

	for (unsigned failures = 1; r < 0 && passes; failures++) {
		double seconds = http_pause_seconds(failures, asked);

		if (now() + seconds > until)
			break;
		if (!s->warned)
			remark(why->text);
		s->warned = true;
		pause_for(seconds);
		r = send_once(s, statement, &passes, &asked, why);
	}
	if (r == 0 && ret)
		*ret = (struct word){ s->answer.at, s->answer.len };
	return r;
}
