/* config_number.h - integers and floats of TOML, made plain decimals. */
#ifndef RT_CONFIG_NUMBER_H
#define RT_CONFIG_NUMBER_H

#include "../core/arena.h"
#include "../core/scan.h"
#include "config_value.h"

/* A word that should be a number.  -EBADMSG: it is none; -ENOMEM. */
int config_number(struct config_value *ret, struct arena *arena, struct word w) must_use;

#endif
