/* region_command.h - `resource-tracker region begin|end|mark|value WORDS`. */
#ifndef RT_REGION_COMMAND_H
#define RT_REGION_COMMAND_H

/*
 * Writes one line to the recorder around this process.  Without a recorder it does nothing and returns 0, since a
 * script must also run unrecorded.  argv[0] is "region".  -EINVAL: invalid words, and nothing was printed.
 */
int region_command(int argc, char **argv);

#endif
