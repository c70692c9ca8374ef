/*
 * limits.h - the limits that users can reach, from limits.def.
 *
 * docs/reference/limits.md is generated from the same list.
 */
#ifndef RT_LIMITS_H
#define RT_LIMITS_H

enum {
#define LIMIT(name, value, what, beyond) name = (value),
#include "limits.def"
#undef LIMIT
};

#endif
