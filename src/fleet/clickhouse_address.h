/* clickhouse_address.h - clickhouse://HOST[:PORT][/DATABASE], a database of ClickHouse, as --store takes it. */
#ifndef RT_CLICKHOUSE_ADDRESS_H
#define RT_CLICKHOUSE_ADDRESS_H

#include "../core/why.h"

/* http://HOST:PORT or https://HOST:PORT; a database's name is of letters, digits and _: it needs no quotes. */
struct clickhouse_address { char origin[288], database[65]; };

bool clickhouse_address_named(const char *text);        /* it begins with clickhouse:// or clickhouses:// */
/*
 * clickhouses is by https.  Without PORT the interface's usual one, without DATABASE `default`.  -EINVAL with a
 * sentence: it does not begin so, a part is not valid, or it has a password, which all users of the machine could read.
 */
int  clickhouse_address_read(struct clickhouse_address *ret, const char *text, struct why *why) must_use;

#endif
