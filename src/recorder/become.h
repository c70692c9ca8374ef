/*
 * become.h - exec of a command, found as shells find it.
 *
 * Not execvp(): C libraries differ in whether a script without #! runs in sh, and all say EACCES of a folder of PATH
 * that may not be searched, even where no folder has the command; shells say "not found" then.
 */
#ifndef RT_BECOME_H
#define RT_BECOME_H

/*
 * Only returns if it fails: -errno of exec; -ENOENT if it is nowhere on PATH.  Does only what a signal handler may,
 * so a child of a program with threads can call it.
 */
int become(char *const *argv, char *const *environment);

#endif
