/* option_info.h - what is known of an option, as a line of options.def tells it. */
#ifndef RT_OPTION_INFO_H
#define RT_OPTION_INFO_H

#include "../core/base.h"

enum option_section { SECTION_WHAT, SECTION_WHEN, SECTION_OUTPUT, SECTION_RECORD, SECTION_JOB, SECTION_GENERAL,
		      SECTIONS };

struct option_info {
	char letter;                            /* '\0': none */
	const char *name, *argument;
	const struct setting_type *type;
	size_t field;                           /* offset in struct options */
	const char *variable;                   /* without prefix; NULL: none */
	bool peer_variable;                     /* TRACKER_<variable> is read too */
	const char *key;
	bool in_folder;                         /* the folder's config file may set it */
	enum option_section section;
	const char *help;
};

#endif
