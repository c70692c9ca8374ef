/* values.c - values of the library as values of R. */
#include "binding.h"

#include <math.h>

double known(double value)
{
	return isnan(value) ? NA_REAL : value;
}

SEXP text_of(const char *text)
{
	return Rf_mkCharCE(text ? text : "", CE_UTF8);
}

SEXP texts_of(const char *const *texts, size_t n)
{
	SEXP vector = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)n));

	for (size_t i = 0; i < n; i++)
		SET_STRING_ELT(vector, (R_xlen_t)i, text_of(texts[i]));
	UNPROTECT(1);
	return vector;
}

SEXP handle_of(void *content, R_CFinalizer_t close)
{
	SEXP handle = PROTECT(R_MakeExternalPtr(content, R_NilValue, R_NilValue));

	R_RegisterCFinalizerEx(handle, close, TRUE);
	UNPROTECT(1);
	return handle;
}

SEXP named_list(size_t n)
{
	SEXP list = PROTECT(Rf_allocVector(VECSXP, (R_xlen_t)n));

	Rf_setAttrib(list, R_NamesSymbol, Rf_allocVector(STRSXP, (R_xlen_t)n));
	UNPROTECT(1);
	return list;
}

void put(SEXP list, R_xlen_t i, const char *name, SEXP value)
{
	PROTECT(value);
	SET_VECTOR_ELT(list, i, value);
	SET_STRING_ELT(Rf_getAttrib(list, R_NamesSymbol), i, text_of(name));
	UNPROTECT(1);
}
