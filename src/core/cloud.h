/*
 * cloud.h - where in which cloud a run was, as the cloud's metadata service says: asked for only with --discover.
 *
 * Texts have only letters, digits and "-._:/", and are shorter than their field; whatever else arrives is no answer.
 */
#ifndef RT_CLOUD_H
#define RT_CLOUD_H

#include "json_read.h"
#include "json_write.h"
#include "scan.h"

enum spot { SPOT_UNKNOWN, SPOT_NO, SPOT_YES };

struct cloud {                                  /* "": unknown */
	bool asked;                             /* a service was asked; false: the rest is unknown */
	char vendor[16], account[32], region[64], zone[64], instance_type[64];
	enum spot spot;                         /* whether the cloud can take the machine back at any time */
	double seconds;                         /* how long asking took */
};

/* Takes over a text without the blanks around it.  false: it is none, as above, or "unknown"; ret is unchanged then. */
bool cloud_text(char *ret, size_t size, struct word text);

/* An object, without a key: the names as above, null where unknown. */
void cloud_json(struct json *j, const struct cloud *c);
/* From such an object; what is no text as above is unknown. */
void cloud_read(struct cloud *ret, struct json_value object);
/* Members with the names that the other trackers send: cloud_vendor_id ...; all null if it was not asked. */
void cloud_shared_members(struct json *j, const struct cloud *c);
/* The same, and cloud_spot, which is ours. */
void cloud_members(struct json *j, const struct cloud *c);
/* "aws m7i.large in eu-central-1 (eu-central-1a), spot"; "" if the vendor is unknown. */
void cloud_words(struct buffer *out, const struct cloud *c);

#endif
