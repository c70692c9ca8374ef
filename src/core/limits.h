/* limits.h - limits that users can meet, as limits.def has them; docs/limits.md is made of it. */
#ifndef RT_LIMITS_H
#define RT_LIMITS_H

enum {
#define LIMIT(name, value, what, beyond) name = (value),
#include "limits.def"
#undef LIMIT
};

#endif
