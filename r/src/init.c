/* init.c - which functions R finds here, and by which names. */
#include "binding.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

#define FUNCTION(name, arguments) { #name, (DL_FUNC)&name, arguments }

static const R_CallMethodDef functions[] = {
	FUNCTION(read_record, 2), FUNCTION(take_snapshot, 2), FUNCTION(parse_json, 1), FUNCTION(open_process, 1),
	FUNCTION(process_runs, 1), FUNCTION(stop_process, 2), FUNCTION(write_region, 2), { NULL, NULL, 0 },
};

void R_init_resourcetracker(DllInfo *library);

void attribute_visible R_init_resourcetracker(DllInfo *library)
{
	R_registerRoutines(library, NULL, functions, NULL, NULL);
	R_useDynamicSymbols(library, FALSE);
	R_forceSymbols(library, TRUE);
}
