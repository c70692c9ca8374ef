/* clickhouse_answer.h - the rows that ClickHouse answers: https://clickhouse.com/docs/en/interfaces/formats */
#ifndef RT_CLICKHOUSE_ANSWER_H
#define RT_CLICKHOUSE_ANSWER_H

#include "fleet_result.h"

#define CLICKHOUSE_ANSWER_FORMAT " FORMAT TabSeparatedWithNamesAndTypes"

/*
 * Reads an answer of this format: String is text, all other types are numbers; NULL, nan and inf are unknown.
 * -EBADMSG: it is not of this format; -ENOMEM.
 */
int clickhouse_answer_read(struct fleet_result *ret, const char *text, size_t n) must_use;

#endif
