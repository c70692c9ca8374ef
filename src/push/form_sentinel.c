/* form_sentinel.c - the service Sentinel: sentinel.h has its protocol. */
#include "form.h"

static const char *const headers[] = { "Content-Type: application/json", NULL };

const struct push_form form_sentinel = { .word = "sentinel", .service = true, .headers = headers };
