/*
 * http_head.h - the head of an HTTP request, for servers of ours: its lines, its fields, and by which name it came.
 *
 * Texts are words within what was given.  Pure.
 */
#ifndef RT_HTTP_HEAD_H
#define RT_HTTP_HEAD_H

#include "scan.h"

/* The next line, which ends with CR LF and has at least one character; false: no more.  Moves `left` behind it. */
bool http_line(struct word *left, struct word *ret);
/*
 * The field of this name in the lines behind the request line, in any case, without spaces around it.  Returns how many
 * there are; *ret is the last of them, and unchanged if there is none.
 */
size_t http_field(struct word lines, const char *name, struct word *ret);
/* The name in the one Host, without its port and brackets.  false: there is none, or several. */
bool http_host(struct word lines, struct word *ret);
/*
 * Whether a server at the numeric address `own` is asked by that address, or, if it is 127.0.0.1 or ::1, by one of
 * these or localhost.  A page of another site sends the name of that site, also if the name was made to lead to this
 * machine.
 */
bool http_host_is(struct word host, const char *own);

#endif
