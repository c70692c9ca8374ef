/* fuzz_proc.c - the files of one process as any bytes. */
#include "../../src/kernel/proc_parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct scan s = scan_of(text, size);
	struct proc_stat stat;
	struct proc_statm statm;
	struct proc_io io;
	struct proc_status status;
	struct proc_rollup rollup;
	struct proc_schedstat sched;
	char name[16];
	pid_t pid;

	(void)!proc_parse_stat(&stat, text, size);
	(void)proc_block_delay(text, size);
	(void)!proc_parse_statm(&statm, text, size);
	(void)!proc_parse_io(&io, text, size);
	(void)!proc_parse_status(&status, text, size);
	(void)!proc_parse_rollup(&rollup, text, size);
	(void)!proc_parse_schedstat(&sched, text, size);
	while (proc_next_child(&s, &pid))
		if (pid <= 0)
			__builtin_trap();
	proc_command(name, sizeof name, text, size);
	return 0;
}
