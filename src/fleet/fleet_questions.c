/* fleet_questions.c - questions.def as data, in the dialects of the stores. */
#include "fleet_questions.h"

const char *const fleet_question_names[FLEET_QUESTIONS] = {
#define QUESTION(name, help, sql) #name,
#include "questions.def"
};

const char *const fleet_question_help[FLEET_QUESTIONS] = {
#define QUESTION(name, help, sql) help,
#include "questions.def"
};

const char *const fleet_question_sql[DIALECTS][FLEET_QUESTIONS] = {
[DIALECT_SQLITE] = {
#define RUNS "runs"
#define PROGRAMS "programs"
#define REGIONS "regions"
#define QUANTILE(share, x) "quantile(" x ", " share ")"
#define JOIN "JOIN"
#define QUESTION(name, help, sql) sql,
#include "questions.def"
#undef RUNS
#undef PROGRAMS
#undef REGIONS
#undef QUANTILE
#undef JOIN
},
[DIALECT_CLICKHOUSE] = {
#define RUNS "runs FINAL"
#define PROGRAMS "programs FINAL"
#define REGIONS "regions FINAL"
#define QUANTILE(share, x) "quantileExact(" share ")(" x ")"
#define JOIN "ALL INNER JOIN"
#define QUESTION(name, help, sql) sql,
#include "questions.def"
},
};
