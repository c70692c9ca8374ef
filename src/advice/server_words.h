/* server_words.h - servers that hold a job, for people and programs. */
#ifndef RT_SERVER_WORDS_H
#define RT_SERVER_WORDS_H

#include "../core/json_write.h"
#include "../text/page.h"
#include "server_choice.h"

/* Both append; errors are those of the buffer. */
void servers_text(struct page *p, const struct server_choice *c);
/* The member "servers" of an open object. */
void servers_json(struct json *j, const struct server_choice *c);

#endif
