/* region_command.h - `resource-tracker region begin|end|mark|value WORDS`. */
#ifndef RT_REGION_COMMAND_H
#define RT_REGION_COMMAND_H

/*
 * One line to the tracker that runs us, if there is one: without it, this is nothing and succeeds, as a script's parts
 * do not depend on being watched.  -EINVAL: the words are none that we know.
 */
int region_command(int argc, char **argv);

#endif
