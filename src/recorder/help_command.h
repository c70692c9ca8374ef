/* help_command.h - `resource-tracker help`: on topics and subcommands, man pages, completions. */
#ifndef RT_HELP_COMMAND_H
#define RT_HELP_COMMAND_H

/* Runs the subcommand argv[0], perhaps in place of this process; returns its exit status. */
typedef int help_runner(int argc, char **argv);

/* argv[0] is "help".  Returns the exit status. */
int help_command(int argc, char **argv, help_runner *run);

#endif
