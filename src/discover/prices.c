/* prices.c - prices of cloud servers from a public service. */
#include "prices.h"

#include <string.h>
#include <time.h>

#include "../core/curl_http.h"
#include "../core/json_read.h"
#include "../core/sample.h"

enum { PAGE_OFFERS = 250, PAGES = 4, ANSWER_BYTES_MAX = 16 << 20, URL_SIZE = 1024 };

static const double SECONDS = 60, CONNECT_SECONDS = 10;
static const double MIB = 1048576, GIB = 1073741824;

const char PRICES_SERVICE[] = "https://keeper.sparecores.net";

static const char HEADER[] = "vendor,region,type,cpus,memory_gib,gpus,gpu_memory_gib,usd_per_hour\n";

/* ---- an answer --------------------------------------------------------------------------------- */

static double number_at(struct json_value object, const char *name)
{
	struct json_value v;

	return json_find(object, name, &v) ? json_as_number(v) : NONE;
}

/* A name as it can stand in a field of the table; false: it is not one. */
static bool put_name(struct buffer *out, struct json_value object, const char *name)
{
	struct json_value v;
	char text[64];

	if (!json_find(object, name, &v) || !json_as_text(v, text, sizeof text) || !*text)
		return false;
	for (const char *c = text; *c; c++)
		if (*c <= ' ' || *c == ',' || *c == '"' || *c == '#' || *c > '~')
			return false;
	buffer_format(out, "%s,", text);
	return true;
}

/* An amount; unknown: 0, which holds no job. */
static void put_amount(struct buffer *out, double amount)
{
	buffer_fixed(out, is_none(amount) || amount < 0 ? 0 : amount, 3);
	buffer_char(out, ',');
}

static bool put_offer(struct buffer *out, struct json_value offer)
{
	double usd = number_at(offer, "price");
	struct json_value server;

	if (is_none(usd) || usd < 0 || !json_find(offer, "server", &server))
		return false;
	if (!put_name(out, offer, "vendor_id") || !put_name(out, offer, "region_id") ||
	    !put_name(out, server, "api_reference"))
		return false;
	put_amount(out, number_at(server, "vcpus"));
	put_amount(out, number_at(server, "memory_amount") * MIB / GIB);
	put_amount(out, number_at(server, "gpu_count"));
	put_amount(out, number_at(server, "gpu_memory_total") * MIB / GIB);
	buffer_fixed(out, usd, 6);
	buffer_char(out, '\n');
	return true;
}

int prices_rows(struct buffer *out, const char *text, size_t n)
{
	struct json_value all, offer;
	struct json_walk w;
	int offers = 0;

	if (json_parse(&all, text, n) < 0 || all.kind != JSON_ARRAY)
		return -EBADMSG;
	for (w = json_walk(all); json_next(&w, NULL, &offer); offers++) {
		size_t before = out->len;

		if (!put_offer(out, offer))
			out->len = before;
	}
	return offers;
}

/* ---- requests ---------------------------------------------------------------------------------- */

/* Less than all means to libcurl: give up. */
static size_t keep(char *bytes, size_t size, size_t n, void *context)
{
	struct buffer *answer = context;

	if (answer->len + size * n > ANSWER_BYTES_MAX)
		return 0;
	buffer_bytes(answer, bytes, size * n);
	return answer->failed ? 0 : size * n;
}

static void put_parameter(struct buffer *url, CURL *easy, const char *name, const char *value)
{
	char *escaped = value ? curl_easy_escape(easy, value, 0) : NULL;

	if (escaped)
		buffer_format(url, "&%s=%s", name, escaped);
	curl_free(escaped);
}

static void put_least(struct buffer *url, const char *name, double least)
{
	if (!(least > 0))
		return;
	buffer_format(url, "&%s=", name);
	buffer_fixed(url, least, 3);
}

static void write_url(struct buffer *url, CURL *easy, const struct prices_question *q, int page)
{
	url->len = 0;
	buffer_format(url, "%s/server_prices?allocation=ondemand&currency=USD&order_by=price&order_dir=asc&limit=%d&page=%d",
		      q->service, PAGE_OFFERS, page);
	put_parameter(url, easy, "vendor", q->vendor);
	put_parameter(url, easy, "regions", q->region);
	if (q->cpus >= 1)
		buffer_format(url, "&vcpus_min=%.0f", q->cpus);
	put_least(url, "memory_min", q->memory_bytes / GIB);
	put_least(url, "gpu_min", q->gpus);
	put_least(url, "gpu_memory_total", q->gpu_memory_bytes / GIB);
	buffer_char(url, '\0');
}

static void set_options(CURL *easy, struct curl_slist *headers, struct buffer *answer)
{
	curl_http_only(easy);
	(void)curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	(void)curl_easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
	(void)curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	(void)curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	(void)curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
	(void)curl_easy_setopt(easy, CURLOPT_USERAGENT, "resource-tracker/" RT_VERSION);
	(void)curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
	(void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, keep);
	(void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, answer);
}

static double now(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Appends the rows of one page; returns the number of offers. */
static int fetch_page(struct buffer *out, CURL *easy, const char *url, struct buffer *answer, double end,
		      struct why *why)
{
	char detail[CURL_ERROR_SIZE] = "";
	long status = 0;

	answer->len = 0;
	(void)curl_easy_setopt(easy, CURLOPT_URL, url);
	(void)curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, detail);
	(void)curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)(double_max(end - now(), 0) * 1000) + 1);

	CURLcode code = curl_easy_perform(easy);

	(void)curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, NULL);
	(void)curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
	if (code != CURLE_OK)
		return why_set(why, -EIO, "no prices: %s", *detail ? detail : curl_easy_strerror(code));
	if (status != 200)
		return why_set(why, -EIO, "no prices: the service answers with status %ld%s", status,
			       status == 429 ? ", too many requests: try again in a minute" :
			       status == 422 ? ", which can mean an unknown vendor or region" : "");

	int offers = prices_rows(out, answer->at ? answer->at : "", answer->len);

	return offers < 0 ? why_set(why, offers, "no prices: the answer is not a list of offers") : offers;
}

static void put_head(struct buffer *out, const struct prices_question *q)
{
	time_t seconds = time(NULL);
	struct tm utc;
	char date[16] = "unknown";
	const char *host = strstr(q->service, "://");

	if (gmtime_r(&seconds, &utc))
		(void)strftime(date, sizeof date, "%Y-%m-%d", &utc);
	buffer_format(out, "# date: %s\n# source: %s\n%s", date, host ? host + 3 : q->service, HEADER);
}

int prices_fetch(struct buffer *out, const struct prices_question *q, struct why *why)
{
	double end = now() + SECONDS;
	struct buffer url = { 0 }, answer = { 0 };
	struct curl_slist *headers = curl_slist_append(NULL, "X-Application-ID: resource-tracker");
	CURL *easy = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK ? curl_easy_init() : NULL;
	int r = easy && headers ? PAGE_OFFERS : why_set(why, -ENOMEM, "out of memory");

	if (r > 0) {
		set_options(easy, headers, &answer);
		put_head(out, q);
	}
	for (int page = 1; r == PAGE_OFFERS && page <= PAGES; page++) {
		write_url(&url, easy, q, page);
		r = url.failed || url.len > URL_SIZE ? why_set(why, -EINVAL, "the vendor or region is too long")
						     : fetch_page(out, easy, url.at, &answer, end, why);
	}
	curl_easy_cleanup(easy);
	curl_slist_free_all(headers);
	buffer_release(&url);
	buffer_release(&answer);
	return r < 0 ? r : 0;
}
