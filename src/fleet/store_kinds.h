/* store_kinds.h - which kind of store an address is of. */
#ifndef RT_STORE_KINDS_H
#define RT_STORE_KINDS_H

#include "fleet_store.h"

/* -EINVAL with a sentence: this build has none of that kind, or the place has what its kind does not need. */
int store_kind_find(const struct store_kind **ret, const struct store_place *place, struct why *why) must_use;

#endif
