/* forms.h - the list of forms. */
#ifndef RT_FORMS_H
#define RT_FORMS_H

#include "form.h"

/* The form of this name, and the path of a URL that has none (can be NULL).  NULL: there is no such form. */
const struct push_form *form_find(const char *word, size_t n, const char **ret_path);

#endif
