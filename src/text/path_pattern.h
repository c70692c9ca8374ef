/*
 * path_pattern.h - a path in which parts of the run stand for themselves, as in sbatch --output:
 *
 *     %j  id of the job            %n  number of the node
 *     %a  number in the array      %h  name of this host
 *     %s  step                     %p  process id of the recorder
 *     %t  rank                     %%  a percent sign
 *
 * So each rank of a job gets a name of its own without asking anybody, on any filesystem.
 */
#ifndef RT_PATH_PATTERN_H
#define RT_PATH_PATTERN_H

#include "../core/job.h"
#include "../core/why.h"

/* -EINVAL with a sentence, in which `origin` names the option. */
int  path_pattern_check(const char *pattern, const char *origin, struct why *why) must_use;

/*
 * Writes the path.  What the job does not have is "none".  Of a value from outside, letters, digits, '_', '-' and '.'
 * stay, and the rest becomes '-', as does '.' at its beginning: it is never a folder.  job can be NULL: none.
 * -ENAMETOOLONG; -EINVAL for a pattern that is wrong.
 */
int  path_pattern_write(char *ret, size_t size, const char *pattern, const struct job *job) must_use;

/* The length of the folder that all paths of the pattern are in; 0: it is the working directory, or not known. */
size_t path_pattern_folder(const char *pattern);

#endif
