/* destination.h - where points are sent, and with what. */
#ifndef RT_DESTINATION_H
#define RT_DESTINATION_H

#include "../core/json_read.h"
#include "../core/json_write.h"
#include "form.h"

/* Paths of files; NULL: none.  Only the paths are kept, never what the files hold. */
struct push_files { const char *headers, *authorities, *certificate, *key; };

struct destination {
	const struct push_form *form;
	char *url;
	char shown[128];                        /* for messages: "prometheus=http://host:9090", no path and no query */
	char *headers, *authorities, *certificate, *key;        /* as struct push_files, absolute */
};

/* text: FORM=URL.  -EINVAL, or -errno of a file that cannot be read, with a sentence; -ENOMEM. */
int  destination_open(struct destination *ret, const char *text, const char *origin, const struct push_files *files,
		      struct why *why) must_use;
/* The files alone, into a destination that is zeroed; destination_close releases them, after an error too. */
int  destination_keep_files(struct destination *d, const struct push_files *files, struct why *why) must_use;
void destination_close(struct destination *d);

/* As JSON, to send from the spool later. */
void destination_write(struct json *j, const struct destination *d);
int  destination_read(struct destination *ret, struct json_value v, struct why *why) must_use;

#endif
