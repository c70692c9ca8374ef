/* inquiry.h - asks the metadata services of clouds, by libcurl: in parallel, and within a second in all. */
#ifndef RT_INQUIRY_H
#define RT_INQUIRY_H

#include "vendor.h"

/*
 * Asks this vendor alone, or all of them (NULL), and waits for the answers, at most `seconds`.  What is known by then
 * is the result; its vendor is "" if none has proved to be it.  -ENOMEM.
 *
 * Proxies are not used, redirects are not followed, cookies are not kept, no name is looked up; an answer is one with
 * status 200 and at most 64 KiB.
 */
int inquiry_run(struct cloud *ret, const struct vendor *only, double seconds) must_use;

#endif
