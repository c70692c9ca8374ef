/*
 * clickhouse_error.c - errors of ClickHouse.
 *
 *     Code: 60, e.displayText() = DB::Exception: Table d.runs doesn't exist., e.what() = DB::Exception        (18.16)
 *     Code: 60. DB::Exception: Table d.runs does not exist. (UNKNOWN_TABLE) (version 24.8.4.13 (official build))
 */
#include "clickhouse_error.h"

#include "../core/buffer.h"
#include "../core/scan.h"
#include "../text/shown.h"

/* Those that pass: a replica that is killed or starts, a lost session of ZooKeeper, merges that are behind. */
static const unsigned temporary[] = {
	32,     /* ATTEMPT_TO_READ_AFTER_EOF: a replica's connection ended within a packet */
	33,     /* CANNOT_READ_ALL_DATA */
	159,    /* TIMEOUT_EXCEEDED */
	202,    /* TOO_MANY_SIMULTANEOUS_QUERIES */
	209,    /* SOCKET_TIMEOUT */
	210,    /* NETWORK_ERROR */
	225,    /* NO_ZOOKEEPER */
	241,    /* MEMORY_LIMIT_EXCEEDED */
	242,    /* TABLE_IS_READ_ONLY */
	244,    /* UNEXPECTED_ZOOKEEPER_ERROR */
	252,    /* TOO_MANY_PARTS */
	279,    /* ALL_CONNECTION_TRIES_FAILED */
	285,    /* TOO_FEW_LIVE_REPLICAS */
	286,    /* UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE */
	319,    /* UNKNOWN_STATUS_OF_INSERT */
	394,    /* QUERY_WAS_CANCELLED */
	999,    /* KEEPER_EXCEPTION */
};

static const unsigned no_tables[] = {
	10,     /* NOT_FOUND_COLUMN_IN_BLOCK */
	16,     /* NO_SUCH_COLUMN_IN_TABLE */
	47,     /* UNKNOWN_IDENTIFIER */
	60,     /* UNKNOWN_TABLE */
	81,     /* UNKNOWN_DATABASE */
};

static bool is_one_of(unsigned code, const unsigned *codes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (codes[i] == code)
			return true;
	return false;
}

/* Up to the text, or as it is. */
static struct word before(struct word w, const char *text)
{
	const char *found = memmem(w.at, w.len, text, strlen(text));

	return (struct word){ w.at, found ? (size_t)(found - w.at) : w.len };
}

/* Behind the text, or as it is. */
static struct word behind(struct word w, const char *text)
{
	size_t n = before(w, text).len;
	size_t skipped = n < w.len ? n + strlen(text) : 0;

	return (struct word){ w.at + skipped, w.len - skipped };
}

void clickhouse_error_read(struct clickhouse_error *ret, const char *body, size_t n)
{
	struct scan s = scan_of(body, n);
	struct buffer text = { 0 };
	struct word line = { body, 0 };
	uint64_t code;

	*ret = (struct clickhouse_error){ .code = 0 };
	if (!scan_literal(&s, "Code: ") || !scan_u64(&s, &code) || code > UINT16_MAX)
		return;
	(void)scan_line(&s, &line);
	ret->code = (unsigned)code;
	ret->temporary = is_one_of(ret->code, temporary, countof(temporary));
	ret->no_tables = is_one_of(ret->code, no_tables, countof(no_tables));
	line = before(before(behind(line, "DB::Exception: "), ", e.what()"), " (version ");
	if (line.len > 0 && line.at[line.len - 1] == '.')
		line.len--;
	show_text(&text, line.at, line.len, '?');
	if (!text.failed && text.len > 0)
		(void)word_copy((struct word){ text.at, text.len }, ret->text, sizeof ret->text);
	buffer_release(&text);
}
