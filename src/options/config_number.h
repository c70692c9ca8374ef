/* config_number.h - converts integers and floats of TOML to plain decimals. */
#ifndef RT_CONFIG_NUMBER_H
#define RT_CONFIG_NUMBER_H

#include "../core/arena.h"
#include "../core/scan.h"
#include "config_value.h"

/* Converts a word; the text is in the arena.  -EBADMSG: not a number; -ENOMEM.  *ret means nothing after an error. */
int config_number(struct config_value *ret, struct arena *arena, struct word w) must_use;

#endif
