/* form.h - a form in which points are sent: one encoder for each, in form_<id>.c; from core/push_forms.def. */
#ifndef RT_FORM_H
#define RT_FORM_H

#include "points.h"

struct push_form {
	const char *word;                       /* of push_forms.def */
	bool service;                           /* it keeps runs (sentinel.h): rows of CSV (sheet.h), not points */
	const char *const *headers;             /* of each request; NULL-terminated */
	/* Appends the batch as the body of a request.  Failures are those of `out`.  NULL: it is for a service, or goes
	   by datagrams (udp_senders.h). */
	void (*encode)(struct buffer *out, const struct points *p);
};

#define PUSH_FORM(id, word, by, path, help) extern const struct push_form form_##id;
#include "../core/push_forms.def"

#endif
