/* prose.c - texts of --help and of the man page that are not about a single option. */
#include "prose.h"

#include <stddef.h>

const char prose_summary[] = "runs a command and reports the CPU, memory and I/O it used";

const struct example prose_usage[] = {
	{ "[OPTIONS] [--] COMMAND [ARGUMENT...]", "run a command, and report at its end what it used" },
	{ "[OPTIONS] --pid PID[,PID...]", "watch running processes: live on a terminal, else as samples" },
	{ "[OPTIONS]", "watch the machine, in the same way" },
	{ "SUBCOMMAND ...", "one of those listed below" },
	{ NULL, NULL },
};

const struct term prose_collectors[] = {
#define COLLECTOR(name, what) { #name, "", what },
#include "../core/collectors.def"
	{ NULL, NULL, NULL },
};

const struct term prose_subcommands[] = {
#define COMMAND(word, program, takes, what) { #word, takes, what },
#include "../core/commands.def"
	{ NULL, NULL, NULL },
};

const struct prose prose_topics[] = {
	{ "options", "all options of the recorder" }, { "measured", "what is measured" },
	{ "output", "where output goes" }, { "variables", "variables of the environment" },
	{ "config", "config files" }, { "exit", "exit status" }, { "files", "files that are read and written" },
	{ "examples", "commands to copy" }, { NULL, NULL },
};

const struct term prose_files[] = {
	{ "~/.local/state/resource-tracker/runs/*.jsonl", "", "Records of runs; $XDG_STATE_HOME replaces ~/.local/state, --record selects another place." },
	{ "./resource-tracker.toml", "", "Config file of the folder: what is measured, and the job's name." },
	{ "~/.config/resource-tracker.toml", "", "Config file of yours; $XDG_CONFIG_HOME replaces ~/.config." },
	{ "/etc/resource-tracker.toml", "", "Config file of the site, which can lock values." },
	{ NULL, NULL, NULL },
};

const char prose_first_words[] =
	"Reserved for a later subcommand:"
#define RESERVED(word) " " #word
#include "../core/commands.def"
	". To run a command that has the name of a subcommand, put -- before it, or give its path: resource-tracker -- top.";

const char prose_output[] =
	"Around a command: its input and output stay its own. When it ends, a summary goes to stderr, and a "
	"record of the run to ~/.local/state/resource-tracker/runs. Samples are written only if you ask: to a "
	"file with --output, to stderr with --format or --csv. Without a command, a terminal shows the live view of "
	"'resource-tracker top', and q ends the run; where stdout is no terminal, or with --format, --csv or --output, samples "
	"go to stdout or the --output file instead, until Ctrl-C or the end of the processes watched. --quiet keeps all of it "
	"off the terminal.";

const char prose_exit[] =
	"The command's own; 128+N if signal N killed it; 127 if it was not found, 126 if it cannot be executed, "
	"125 if resource-tracker itself could not begin. Without a command, 0; 125 too if no requested output "
	"could be written.";

const char prose_command_exit[] =
	"0, or 125 with one sentence on stderr. compare also exits with 1 if a condition is met, verify if a bound is broken.";

const char prose_variables[] =
	"Every option can also be set with the variable RESOURCE_TRACKER_ and its name in capitals, such as "
	"RESOURCE_TRACKER_INTERVAL=5, or in a config file. An option given on the command line wins over a "
	"variable, a variable over a file. RESOURCE_TRACKER=off switches recording off: the command runs as if "
	"resource-tracker were not there, and without a command nothing is done. A command finds the path of its record in "
	"RESOURCE_TRACKER_RUN.";

const char prose_config[] =
	"A config file is TOML: tables, strings, numbers, true and false, arrays and comments. Without --config, "
	"./resource-tracker.toml is read, then ~/.config/resource-tracker.toml (or that of $XDG_CONFIG_HOME), then "
	"the site's /etc/resource-tracker.toml; an earlier one has precedence. The first two are accepted only if they "
	"belong to you or root and others cannot write them. The one of the folder cannot set what is "
	"written, deleted or masked: output, summary, record.path, record.command, record.keep_days, record.keep_bytes, pid and root. A "
	"mistake in the file that --config names is an error; in another file, a warning. The site's table "
	"[locked] holds values that nothing else changes.";

const char prose_config_example[] =
	"[job]\n"
	"name = \"train\"\n"
	"team = \"vision\"\n"
	"tags = [\"model=resnet\", \"stage=dev\"]\n"
	"\n"
	"[tracker]\n"
	"interval = \"500ms\"\n"
	"csv = \"combined\"\n"
	"max_overhead = 0.5\n";

const struct example prose_examples[] = {
	{ "resource-tracker python3 train.py", "run it; the summary follows" },
	{ "resource-tracker -i 250ms -o samples.jsonl make -j8", "four samples a second into a file" },
	{ "resource-tracker --pid 1234 --csv process", "a running process and its descendants, as CSV" },
	{ "resource-tracker --csv system --duration 10m -o machine.csv", "the machine for ten minutes" },
	{ "resource-tracker -n nightly --tag ref=main -- ./test.sh --fast", "name the job for the record" },
	{ NULL, NULL },
};
