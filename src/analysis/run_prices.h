/* run_prices.h - --servers FILE of commands that show what a run cost. */
#ifndef RT_RUN_PRICES_H
#define RT_RUN_PRICES_H

#include "../advice/server_table.h"
#include "../history/digest.h"

struct run_prices {                             /* zeroed: there is no table, and no cost is known */
	struct server_table table;
	struct run_cost cost;                   /* of the digest that was looked up last */
};

/* file: NULL is fine.  To be called before confine(). */
int  run_prices_read(struct run_prices *ret, const char *file, struct why *why) must_use;
/* Gives the digest its cost, if its cloud and the price of its machine are known; it is valid until the next call. */
void run_prices_apply(struct run_prices *p, struct digest *d);
void run_prices_release(struct run_prices *p);

#endif
