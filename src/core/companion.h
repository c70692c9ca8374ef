/*
 * companion.h - finds the programs that belong together: in one folder (as they are built, or unpacked), or the
 * recorder in bin and the others in libexec.
 */
#ifndef RT_COMPANION_H
#define RT_COMPANION_H

#include "base.h"

/* The path of the running program, links followed.  -ENAMETOOLONG: longer than `size`. */
int program_path(char *ret, size_t size) must_use;
/*
 * The path of the program `name`: in our own folder, else in the folder to which `way` ("../libexec") leads from there.
 * false: it is in neither; errno and the path in ret show which of them cannot be run.
 */
bool companion_path(char *ret, size_t size, const char *way, const char *name);

#endif
