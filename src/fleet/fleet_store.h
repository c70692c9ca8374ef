/*
 * fleet_store.h - a database of many machines' runs: one shape, a kind of store for each engine.
 *
 * A run is there once, whatever was pushed twice: its key is its id and start.  All return 0 or -errno with a sentence;
 * each waits for its file or server.
 */
#ifndef RT_FLEET_STORE_H
#define RT_FLEET_STORE_H

#include "../core/why.h"
#include "fleet_result.h"
#include "fleet_rows.h"

enum store_purpose { STORE_INIT, STORE_PUSH, STORE_ASK };
enum store_dialect { DIALECT_SQLITE, DIALECT_CLICKHOUSE, DIALECTS };

/* Named in the SQL as :name; a text, or with text NULL a number. */
struct parameter { const char *name, *text; double number; };

/* Where a store is: a path or a URL; for a server the cluster on which `init` makes tables, and files.  NULL: none. */
struct store_place { const char *address, *cluster, *header_file, *authorities, *certificate, *key; };

struct fleet_store;

struct store_kind {
	enum store_dialect dialect;
	/* `place` and its texts must outlive the store. */
	int  (*open)(struct fleet_store **ret, const struct store_place *place, enum store_purpose purpose,
		     struct why *why);
	/* Makes what is missing: tables, and columns that an older version did not have. */
	int  (*init)(struct fleet_store *s, struct why *why);
	/* ret[i]: whether run i is there. */
	int  (*known)(struct fleet_store *s, const struct fleet_run *runs, size_t n, bool *ret, struct why *why);
	/* Writes them all; a run that is there is replaced.  After an error some can be there. */
	int  (*put)(struct fleet_store *s, const struct fleet_run *runs, size_t n, struct why *why);
	int  (*ask)(struct fleet_store *s, const char *sql, const struct parameter *parameters, size_t n,
		    struct fleet_result *ret, struct why *why);
	void (*close)(struct fleet_store *s);   /* NULL is fine */
};

extern const struct store_kind store_sqlite, store_clickhouse;

#endif
