/*
 * become.h - exec of a command, found along PATH as shells find it.
 *
 * It does not use execvp(): C libraries differ in whether a script without #! runs in sh, and all return EACCES if PATH
 * has a folder without search permission and no folder has the command; shells report "not found" then.
 */
#ifndef RT_BECOME_H
#define RT_BECOME_H

/*
 * argv: at least one word, NULL-terminated.  Returns only on failure: -errno of exec; -ENOENT if no folder of PATH has
 * the command.  Calls only async-signal-safe functions, so a child of a program with threads can call it.
 */
int become(char *const *argv, char *const *environment);

#endif
