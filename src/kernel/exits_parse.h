/*
 * exits_parse.h - what the kernel says of each task that ends, to who may listen: messages of generic netlink
 * (Documentation/accounting/taskstats.rst, linux/taskstats.h).  Pure functions over bytes.
 */
#ifndef RT_EXITS_PARSE_H
#define RT_EXITS_PARSE_H

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <sys/types.h>

#include "datagrams.h"

enum { EXIT_NAME_SIZE = 16, EXIT_CPUS_SIZE = 256 };

enum exit_kind { EXIT_TASK, EXIT_FAMILY, EXIT_ERROR, EXIT_OTHER };

struct exit_message {
	enum exit_kind kind;
	int      error;                         /* ERROR: -errno, or 0 */
	uint16_t family;                        /* FAMILY: the type of messages of task statistics */
	/* TASK, with pids of the first PID namespace: */
	pid_t    task, process, parent;         /* before Linux 5.19 process is the task, whichever thread it is */
	uint64_t peak_bytes;                    /* of the process's memory, up to here and since its last exec */
	char     name[EXIT_NAME_SIZE];          /* the task's, 0-terminated */
};

/*
 * Takes the next message off what one recv returned; family: the number of task statistics, 0: not known so far.
 * 1; 0 at the end; -EBADMSG: no message, all is taken.  One that was cut is understood as far as it goes.
 */
int exit_next(struct datagram_bytes *bytes, uint16_t family, struct exit_message *ret) must_use;

struct exit_request {
	struct nlmsghdr header;
	struct genlmsghdr command;
	struct nlattr attribute;
	char value[EXIT_CPUS_SIZE];
};

/* What the number of task statistics is. */
struct exit_request exit_request_family(void);
/* To be told of ends on these CPUs, such as "0-3", or no more.  Of each, header.nlmsg_len bytes are to be sent. */
struct exit_request exit_request_listen(uint16_t family, bool listen, const char *cpus);

#endif
