/*
 * template.h - a line of text with the names of facts in braces, in the manner of -f of GNU time:
 *
 *     "{status} after {duration}: {peak_memory} of memory"
 *     "{id}\t{peak_memory:number}"
 *
 * A name is one of run_facts.def or quantities.def.  {name} is a text for people, with its unit; {name:number} is the
 * number alone, in base units.  "{{" and "}}" are braces; "\n", "\t" and "\\" as in printf(1).
 *
 * And the forms of a summary, which the recorder and the analysis companion accept alike: "text", "json", "markdown",
 * "template:TEXT".
 */
#ifndef RT_TEMPLATE_H
#define RT_TEMPLATE_H

#include "../core/buffer.h"
#include "../core/scan.h"
#include "../core/why.h"

struct template_name { const char *name, *help; };
extern const struct template_name template_names[];     /* terminated by { NULL, NULL } */

/* The value of a name, an index of template_names: a text without its end, or "" if it is not known. */
typedef void template_value(void *context, struct buffer *out, size_t name, bool number);

/* -EINVAL with a sentence, in which `origin` names the option. */
int  template_check(const char *text, const char *origin, struct why *why) must_use;
/*
 * Writes a text that was checked, and a newline; for an unknown value "unknown".  Values are of anyone's making: what
 * is not printable in them is written as "?".
 */
void template_write(struct buffer *out, const char *text, template_value *value, void *context);

enum summary_form { SUMMARY_TEXT, SUMMARY_JSON, SUMMARY_MARKDOWN, SUMMARY_PROGRAMS, SUMMARY_TEMPLATE, SUMMARY_FORMS };
extern const char *const summary_forms[SUMMARY_FORMS + 1];      /* "text" ... "template:"; terminated by NULL */

/*
 * The template follows the prefix: *ret_template is a part of `value`, NULL for the other forms.  -EINVAL with a
 * sentence; then neither result means anything.
 */
int  summary_form_read(const char *value, const char *origin, enum summary_form *ret, const char **ret_template,
		       struct why *why) must_use;

#endif
