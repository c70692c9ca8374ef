/* json.c - JSON as values of R: objects are lists with names, arrays of one kind vectors, other arrays lists, null NULL. */
#include "binding.h"

#include <string.h>

#include "tracker/src/core/json_read.h"

static SEXP value_of(struct json_value v);

static SEXP characters(struct json_value v)
{
	char *text = R_alloc(v.n + 1, 1);

	(void)json_as_text(v, text, v.n + 1);
	return text_of(text);
}

static SEXP object_of(struct json_value v)
{
	SEXP list = PROTECT(named_list(json_count(v)));
	struct json_walk walk = json_walk(v);
	struct json_value key, item;

	for (R_xlen_t i = 0; json_next(&walk, &key, &item); i++) {
		SEXP name = PROTECT(characters(key));

		put(list, i, CHAR(name), value_of(item));
		UNPROTECT(1);
	}
	UNPROTECT(1);
	return list;
}

/* The kind of all items; JSON_NULL: they differ, or there are none. */
static enum json_kind kind_of_items(struct json_value v)
{
	struct json_walk walk = json_walk(v);
	struct json_value first, item;

	if (!json_next(&walk, NULL, &first))
		return JSON_NULL;
	while (json_next(&walk, NULL, &item))
		if (item.kind != first.kind)
			return JSON_NULL;
	return first.kind;
}

static SEXP array_of(struct json_value v)
{
	enum json_kind kind = kind_of_items(v);
	SEXPTYPE type = kind == JSON_STRING ? STRSXP : kind == JSON_NUMBER ? REALSXP : VECSXP;
	SEXP vector = PROTECT(Rf_allocVector(type, (R_xlen_t)json_count(v)));
	struct json_walk walk = json_walk(v);
	struct json_value item;

	for (R_xlen_t i = 0; json_next(&walk, NULL, &item); i++) {
		if (type == STRSXP)
			SET_STRING_ELT(vector, i, characters(item));
		else if (type == REALSXP)
			REAL(vector)[i] = known(json_as_number(item));
		else
			SET_VECTOR_ELT(vector, i, value_of(item));
	}
	UNPROTECT(1);
	return vector;
}

static SEXP value_of(struct json_value v)
{
	switch (v.kind) {
	case JSON_OBJECT:
		return object_of(v);
	case JSON_ARRAY:
		return array_of(v);
	case JSON_STRING:
		return Rf_ScalarString(characters(v));
	case JSON_NUMBER:
		return Rf_ScalarReal(known(json_as_number(v)));
	case JSON_BOOL:
		return Rf_ScalarLogical(json_as_bool(v));
	default:
		return R_NilValue;
	}
}

SEXP parse_json(SEXP text)
{
	const char *bytes = CHAR(STRING_ELT(text, 0));
	struct json_value v;

	if (json_parse(&v, bytes, strlen(bytes)) < 0)
		Rf_error("what was to be read is not JSON");
	return value_of(v);
}
