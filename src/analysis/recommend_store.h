/* recommend_store.h - `recommend --from STORE`: the program `fleet` answers it, as this one opens no database. */
#ifndef RT_RECOMMEND_STORE_H
#define RT_RECOMMEND_STORE_H

#include "../core/base.h"

/* Whether --from is among the flags.  argv as of a subcommand. */
bool recommend_asks_store(int argc, char *const *argv);
/* Becomes `fleet recommend` with these flags, --from as --store.  Returns only on failure: the exit status. */
int  recommend_from_store(int argc, char *const *argv);

#endif
