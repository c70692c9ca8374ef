/* clickhouse_error.h - what ClickHouse answers to a statement that failed. */
#ifndef RT_CLICKHOUSE_ERROR_H
#define RT_CLICKHOUSE_ERROR_H

#include "../core/base.h"

struct clickhouse_error {
	unsigned code;                          /* of src/Common/ErrorCodes.cpp there; 0: it is none of its errors */
	bool temporary;                         /* the same statement can succeed later */
	bool no_tables;                         /* a table, or a column of it, is not there */
	char text[120];                         /* its sentence, fit to be shown; "": unknown */
};

void clickhouse_error_read(struct clickhouse_error *ret, const char *body, size_t n);

#endif
