/*
 * http_request.h - what a browser asks of a page that grows: the page or its events.  Pure.
 *
 * A request is answered if it is a GET with our token in the address, and if its Host is one by which we are reached: a
 * page of another site sends the name of that site, also if the name was made to lead to this machine.
 */
#ifndef RT_HTTP_REQUEST_H
#define RT_HTTP_REQUEST_H

#include "../core/base.h"

enum http_asked {
	HTTP_MORE,                              /* the request is not complete yet */
	HTTP_PAGE, HTTP_EVENTS,                 /* what we have */
	HTTP_BAD, HTTP_REFUSED, HTTP_UNKNOWN, HTTP_METHOD,
};

enum { HTTP_REQUEST_SIZE = 8192 };              /* the most that a request can have */

/* token: of the address.  own: the numeric address at which we are reached; if it is a loopback, so is localhost. */
enum http_asked http_asked(const char *text, size_t n, const char *token, const char *own);

#endif
