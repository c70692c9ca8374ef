/* fleet_columns.h - the columns of a table or of an answer, and the values of a row. */
#ifndef RT_FLEET_COLUMNS_H
#define RT_FLEET_COLUMNS_H

#include "../core/base.h"

enum value_type { VALUE_TEXT, VALUE_INTEGER, VALUE_NUMBER };

/* Unknown texts are "", unknown numbers NONE; an integer is always known. */
union value { const char *text; int64_t integer; double number; };

enum { FLEET_COLUMNS_MOST = 192, FLEET_NAME_SIZE = 64 };

struct fleet_column { char name[FLEET_NAME_SIZE]; enum value_type type; };
struct fleet_columns { struct fleet_column at[FLEET_COLUMNS_MOST]; size_t n; };

#endif
