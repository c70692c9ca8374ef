/* store_kinds.c - which kind of store an address is of. */
#include "store_kinds.h"

#include "clickhouse_address.h"

int store_kind_find(const struct store_kind **ret, const struct store_place *place, struct why *why)
{
	bool file = !clickhouse_address_named(place->address);

	if (file && (place->cluster || place->header_file || place->authorities || place->certificate || place->key))
		return why_set(why, -EINVAL, "a store in a file has no cluster, headers or certificates");
#ifndef RT_FLEET_CLICKHOUSE
	if (!file)
		return why_set(why, -EINVAL, "this build keeps runs in files alone: ClickHouse needs libcurl");
	*ret = &store_sqlite;
#else
	*ret = file ? &store_sqlite : &store_clickhouse;
#endif
	return 0;
}
