/* curl_http.h - restricts libcurl to HTTP; for the programs that are linked with it. */
#ifndef RT_CURL_HTTP_H
#define RT_CURL_HTTP_H

#define CURL_DISABLE_DEPRECATION                /* CURLOPT_PROTOCOLS: what libcurl before 7.85 has */
#include <curl/curl.h>

static inline void curl_http_only(CURL *easy)
{
	if (curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") != CURLE_OK)
		(void)curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
}

#endif
