/* destination.h - where points are sent, and with what. */
#ifndef RT_DESTINATION_H
#define RT_DESTINATION_H

#include "../core/json_read.h"
#include "../core/json_write.h"
#include "../http/http.h"
#include "form.h"

/* Paths of files; NULL: none.  Only the paths are kept, never what the files hold. */
struct push_files { const char *headers, *authorities, *certificate, *key; };

struct destination {
	const struct push_form *form;
	char *url;
	bool elsewhere;                         /* a service that is not where its variable says: it gets no token */
	char shown[128];                        /* for messages: "prometheus=http://host:9090", "sentinel" */
	char *headers, *authorities, *certificate, *key;        /* as struct push_files, absolute */
};

/*
 * text: FORM=URL, or a service alone, which is where its variable says.  -EINVAL, or -errno of a file that cannot be
 * read, with a sentence; -ENOMEM.
 */
int  destination_open(struct destination *ret, const char *text, const char *origin, const struct push_files *files,
		      struct why *why) must_use;
/* The files alone, into a destination that is zeroed; destination_close releases them, after an error too. */
int  destination_keep_files(struct destination *d, const struct push_files *files, struct why *why) must_use;
void destination_close(struct destination *d);
/* For requests to it; with no form and URL yet these are NULL. */
struct http_peer destination_peer(const struct destination *d);
/* As http_request_open. */
int  destination_request_open(struct http_request **ret, struct http *h, const struct destination *d,
			      struct why *why) must_use;

/* As JSON, to send from the spool later. */
void destination_write(struct json *j, const struct destination *d);
int  destination_read(struct destination *ret, struct json_value v, struct why *why) must_use;
/* The files alone, as members of an open object; into a destination that is zeroed. */
void destination_write_files(struct json *j, const struct destination *d);
int  destination_read_files(struct destination *d, struct json_value v, struct why *why) must_use;

#endif
