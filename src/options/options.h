/*
 * options.h - the values that the user set.  One table (options.def) defines parsing, --help, the man page, the shell
 * completions, the environment variables and the keys of the config file.
 */
#ifndef RT_OPTIONS_H
#define RT_OPTIONS_H

#include "../core/arena.h"
#include "../core/limits.h"
#include "../core/run.h"
#include "../core/sample_write.h"
#include "../core/why.h"
#include "../tree/tree.h"

enum output_format { FORMAT_JSON, FORMAT_CSV };
enum record_command { COMMAND_MASKED, COMMAND_FULL, COMMAND_NAME };

enum { OPTIONS_CONFIGS = 2 };

struct texts { const char *const *at; size_t n; };

/* A child that is there already (recorder/adopted_child.h): it waits at the pipe `go`; -1: it no longer does. */
struct adopted_child { pid_t pid; int go; };

struct options {
	struct run run;                         /* metadata, tags, command, interval; pids as given.  Never both: a
						   command overrides pids of a variable or file */

	double   duration_seconds;              /* 0: no end */
	uint64_t samples;                       /* 0: no end */

	enum output_format format;
	bool format_given;                      /* -f or --csv was given: samples of a command go to stderr */
	enum csv_layout csv;
	bool csv_given;                         /* else the layout depends on what is tracked */
	const char *output;                     /* -o; "-" is stdout; NULL: see destinations.c */
	bool quiet;
	bool status;                            /* only around a command */
	const char *summary;                    /* its form, checked (text/template.h); NULL: text */
	const char *summary_file;               /* "-" is stdout; NULL: stderr */
	bool ci;
	bool no_children;
	bool wait_descendants;
	bool detach;                            /* never around a command; then quiet, too */
	bool view;                              /* set by live_view.h: `top` shows the run, so no samples are written */
	int  view_left;                         /* then: readable when the view has given the terminal back */

	const char *only, *without;             /* collectors */
	const char *gpus;                       /* NULL: all; "none" */
	const char *nvml;                       /* NVIDIA's library; NULL: the system's */
	const char *root;
	enum pss_policy pss;
	double max_overhead_pct;                /* of a core, for the tracker itself; 0: no limit */
	enum cpu_choice cpu_source;
	uint64_t perf_cpus;                     /* 1..PERF_CPUS_MAX */

	const char *record;                     /* a pattern (text/path_pattern.h) of a file or a directory (ends in /
						   or exists), "none"; NULL: the default folder */
	enum record_command record_command;
	struct texts feeds;                     /* files, or descriptors: feed_descriptor */
	struct texts feed_programs;             /* program and arguments, separated by blanks */
	struct texts on_ends;                   /* program and arguments, separated by blanks */
	struct texts on_limits;                 /* the same after a limit (threshold.h) */
	bool discover;                          /* ask for the cloud that the machine is in */
	struct texts push;                      /* FORM=URL, FORM=HOST:PORT, a service; checked (text/push_target.h) */
	struct texts push_header_files;         /* FILE or FORM=FILE */
	const char *push_ca_file, *push_cert_file, *push_key_file;      /* NULL: not given */
	const char *upload;                     /* s3://BUCKET[/PREFIX] (text/bucket_target.h); NULL: not given */
	const char *listen, *listen_token_file; /* for scrapers; NULL: not given */
	double push_drain_seconds;              /* longest wait for receivers at the end */
	double record_keep_days;                /* pruning of the default folder; INFINITY: unlimited */
	uint64_t record_keep_bytes;             /* UINT64_MAX: unlimited */

	struct adopted_child *adopted;          /* run.command is this child; NULL: it is to be started */

	const char *config;                     /* -c; NULL: the folder's file and the user's (config_file.h) */
	bool no_config;                         /* neither of these is read */
	const char *found_configs[OPTIONS_CONFIGS];     /* the ones that were read; NULL: fewer */
	struct arena memory;                    /* of pids, tags and the config file's texts */
};

/* Whether the companion that sends metrics is needed. */
static inline bool options_push(const struct options *o) { return o->push.n > 0 || o->listen; }

void options_release(struct options *o);         /* after options_read, whatever it returned */

/* N of "fd:N" or "/dev/fd/N"; -1: it is a file. */
int  feed_descriptor(const char *feed);

/* All append; columns: the width of the terminal. */
void options_help(struct buffer *out, unsigned columns);        /* --help */
/* `help TOPIC`; false: there is no such topic (prose_topics). */
bool options_help_topic(struct buffer *out, const char *topic, unsigned columns) must_use;
void options_man(struct buffer *out);                           /* scdoc text of resource-tracker(1) */
/* That of resource-tracker-WORD(1), a subcommand, from what its --help prints.  false: there is no such subcommand. */
bool options_man_command(struct buffer *out, const char *word, const char *usage) must_use;
/* shell: "bash", "zsh" or "fish"; -EINVAL otherwise. */
int  options_completion(struct buffer *out, const char *shell) must_use;

/*
 * The variables that name our outputs or the config file: they are removed from the command's environment, so that a
 * tracker inside a tracker writes its own.  NULL-terminated.
 */
extern const char *const options_private_variables[];

#endif
