/* config_file.h - the locations of config files, and which of them are accepted. */
#ifndef RT_CONFIG_FILE_H
#define RT_CONFIG_FILE_H

#include "../core/why.h"

enum config_place {
	CONFIG_SITE,                            /* /etc/resource-tracker.toml */
	CONFIG_USER,                            /* $XDG_CONFIG_HOME, else ~/.config, /resource-tracker.toml */
	CONFIG_FOLDER,                          /* ./resource-tracker.toml */
	CONFIG_NAMED,                           /* named by the user: read without checks */
};

/*
 * The path, as shown to the user.  named: of CONFIG_NAMED; environment: of CONFIG_USER.  false: there is no such
 * location, or its path is too long; ret means nothing.
 */
bool config_file_path(char *ret, size_t size, enum config_place place, const char *named, char *const *environment);

/*
 * Reads the whole file; the caller frees *ret.  A file that the user did not name is accepted only if it is a regular
 * file that belongs to root or, except for the site's, to the user, and that others cannot write; the folder's only
 * if it is not a link, and the user's only from a folder that belongs to the user or root.  -ENOENT: there is none;
 * -errno with the reason only.
 */
int config_file_read(char **ret, size_t *ret_n, enum config_place place, const char *path, struct why *reason) must_use;

#endif
