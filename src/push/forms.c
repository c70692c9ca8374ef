/* forms.c - the list of forms. */
#include "forms.h"

#include <string.h>

static const struct { const struct push_form *form; const char *path; } forms[] = {
#define PUSH_FORM(id, word, by, path, help) { &form_##id, path },
#include "../core/push_forms.def"
};

const struct push_form *form_find(const char *word, size_t n, const char **ret_path)
{
	for (size_t i = 0; i < countof(forms); i++) {
		if (strlen(forms[i].form->word) != n || memcmp(forms[i].form->word, word, n) != 0)
			continue;
		if (ret_path)
			*ret_path = forms[i].path;
		return forms[i].form;
	}
	return NULL;
}
