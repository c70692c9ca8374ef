/* fleet_questions.h - questions.def as data. */
#ifndef RT_FLEET_QUESTIONS_H
#define RT_FLEET_QUESTIONS_H

#include "fleet_store.h"

enum fleet_question {
#define QUESTION(name, help, sql) FLEET_QUESTION_##name,
#include "questions.def"
	FLEET_QUESTIONS
};

extern const char *const fleet_question_names[FLEET_QUESTIONS], *const fleet_question_help[FLEET_QUESTIONS];
extern const char *const fleet_question_sql[DIALECTS][FLEET_QUESTIONS];

#endif
