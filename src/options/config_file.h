/* config_file.h - where config files lie, and which of them are taken. */
#ifndef RT_CONFIG_FILE_H
#define RT_CONFIG_FILE_H

#include "../core/why.h"

enum config_place {
	CONFIG_SITE,                            /* /etc/resource-tracker.toml */
	CONFIG_USER,                            /* $XDG_CONFIG_HOME, else ~/.config, /resource-tracker.toml */
	CONFIG_FOLDER,                          /* ./resource-tracker.toml */
	CONFIG_NAMED,                           /* by the user: read as it is */
};

/* Its path, as it is shown.  named: of CONFIG_NAMED; environment: of CONFIG_USER.  false: there is no such place. */
bool config_file_path(char *ret, size_t size, enum config_place place, const char *named, char *const *environment);

/*
 * The whole file; *ret is to be freed.  One that was not named is taken only if it is a regular file that root or, but
 * for the site's, the user owns and others cannot write; the folder's only if it is no link, and the user's only
 * out of a folder that is his or root's.  -ENOENT: there is none; -errno with the reason alone.
 */
int config_file_read(char **ret, size_t *ret_n, enum config_place place, const char *path, struct why *reason) must_use;

#endif
