/*
 * server_table.h - servers of clouds and their prices, from a CSV file: docs/reference/recommend.md is the contract.
 */
#ifndef RT_SERVER_TABLE_H
#define RT_SERVER_TABLE_H

#include "../core/why.h"

enum { SERVER_NAME_SIZE = 64 };

struct server {
	char   vendor[SERVER_NAME_SIZE], region[SERVER_NAME_SIZE], type[SERVER_NAME_SIZE];     /* region "": any */
	double cpus, memory_bytes, gpus, gpu_memory_bytes;      /* 0: none; GPU memory of all its GPUs together */
	double usd_per_hour;
};

struct server_table {
	struct server *at;
	size_t n;
	char   date[32], source[128];           /* of the prices, as the file states them; "": it does not */
};

/*
 * Reads a file with at most 1,000,000 servers.  -errno with a sentence that names the file, and the line if one of them
 * is not valid; then ret has nothing to release.
 */
int  server_table_read(struct server_table *ret, const char *path, struct why *why) must_use;
void server_table_release(struct server_table *t);

#endif
