/* test_http_request.c - what browsers, and others, ask of a page that grows. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "live/http_request.h"

static enum http_asked asked(const char *text)
{
	return http_asked(text, strlen(text), "s3cret", "127.0.0.1");
}

static void the_page_and_its_events(void **state)
{
	(void)state;
	assert_int_equal(asked("GET /?token=s3cret HTTP/1.1\r\nHost: 127.0.0.1:4000\r\n\r\n"), HTTP_PAGE);
	assert_int_equal(asked("GET /events?token=s3cret HTTP/1.1\r\nAccept: */*\r\nhost:\tlocalhost:9 \r\n\r\n"), HTTP_EVENTS);
	assert_int_equal(asked("GET /?a=b&token=s3cret&c HTTP/1.0\r\nHost: [::1]:4000\r\n\r\n"), HTTP_PAGE);
	assert_int_equal(asked("GET /favicon.ico?token=s3cret HTTP/1.1\r\nHost: localhost\r\n\r\n"), HTTP_UNKNOWN);
	assert_int_equal(asked("HEAD /?token=s3cret HTTP/1.1\r\nHost: localhost\r\n\r\n"), HTTP_METHOD);
}

static void a_wrong_token_is_refused(void **state)
{
	static const char *const queries[] = { "", "?", "?token=", "?token=s3cre", "?token=s3cretX", "?token=S3cret",
					       "?xtoken=s3cret", "?token=x&token=s3cret", "#token=s3cret" };
	char text[128];

	(void)state;
	for (size_t i = 0; i < countof(queries); i++) {
		(void)snprintf(text, sizeof text, "GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n", queries[i]);
		assert_int_equal(asked(text), HTTP_REFUSED);
	}
}

static void a_name_that_leads_here_from_elsewhere_is_refused(void **state)
{
	static const char *const hosts[] = { "evil.example", "evil.example:4000", "127.0.0.1.evil.example", "localhost.evil.example:1",
					     "127.0.0.2:4000", "", ":80", "[::2]:4000", "[::1", "localhost@evil" };
	char text[128];

	(void)state;
	for (size_t i = 0; i < countof(hosts); i++) {
		(void)snprintf(text, sizeof text, "GET /?token=s3cret HTTP/1.1\r\nHost: %s\r\n\r\n", hosts[i]);
		assert_int_equal(asked(text), HTTP_REFUSED);
	}
}

static void an_address_that_was_asked_for_is_its_own_host(void **state)
{
	static const char outside[] = "GET /?token=s3cret HTTP/1.1\r\nHost: 192.0.2.7:80\r\n\r\n";
	static const char local[] = "GET /?token=s3cret HTTP/1.1\r\nHost: localhost:80\r\n\r\n";

	(void)state;
	assert_int_equal(http_asked(outside, sizeof outside - 1, "s3cret", "192.0.2.7"), HTTP_PAGE);
	assert_int_equal(http_asked(local, sizeof local - 1, "s3cret", "192.0.2.7"), HTTP_REFUSED);
}

static void what_is_no_request_is_bad_and_what_is_cut_off_is_waited_for(void **state)
{
	static const char *const bad[] = { "\r\n\r\n", "GET\r\n\r\n", "GET /\r\n\r\n", "GET  HTTP/1.1\r\n\r\n",
					   "GET /?token=s3cret HTTP/1.1\r\n\r\n", "GET / FTP/1\r\nHost: localhost\r\n\r\n",
					   "GET /?token=s3cret HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n" };
	static const char whole[] = "GET /?token=s3cret HTTP/1.1\r\nHost: localhost\r\n\r\n";
	char large[HTTP_REQUEST_SIZE];

	(void)state;
	for (size_t i = 0; i < countof(bad); i++)
		assert_int_equal(asked(bad[i]), HTTP_BAD);
	for (size_t n = 0; n < sizeof whole - 1; n++)
		assert_int_equal(http_asked(whole, n, "s3cret", "127.0.0.1"), HTTP_MORE);
	memset(large, 'x', sizeof large);
	assert_int_equal(http_asked(large, sizeof large, "s3cret", "127.0.0.1"), HTTP_BAD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_page_and_its_events),
		cmocka_unit_test(a_wrong_token_is_refused),
		cmocka_unit_test(a_name_that_leads_here_from_elsewhere_is_refused),
		cmocka_unit_test(an_address_that_was_asked_for_is_its_own_host),
		cmocka_unit_test(what_is_no_request_is_bad_and_what_is_cut_off_is_waited_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
