/* proc_parse.c - the files of one process under /proc/PID, as text. */
#include "proc_parse.h"

#include <signal.h>
#include <string.h>

enum { PF_EXITING = 4 };

/* Children's times are printed as signed numbers. */
static bool scan_ticks(struct scan *s, uint64_t *ret)
{
	int64_t value;

	if (!scan_i64(s, &value))
		return false;
	*ret = value > 0 ? (uint64_t)value : 0;
	return true;
}

/* A name can contain spaces, parentheses and newlines: it ends at the LAST parenthesis of the text. */
int proc_parse_stat(struct proc_stat *ret, const char *text, size_t n)
{
	const char *open = memchr(text, '(', n);
	const char *close = memrchr(text, ')', n);

	if (!open || !close || close < open)
		return -EBADMSG;

	struct proc_stat p = { .state = '?' };
	struct scan s = scan_of(close + 1, n - (size_t)(close + 1 - text));
	struct word state;
	int64_t parent;
	uint64_t flags = 0, ignored;

	(void)word_copy((struct word){ open + 1, (size_t)(close - open - 1) }, p.comm, sizeof p.comm);
	bool whole = scan_word(&s, &state) && scan_i64(&s, &parent) && parent >= 0 && parent <= INT32_MAX &&
		     scan_skip(&s, 4) && scan_u64(&s, &flags);

	whole = whole && scan_u64(&s, &p.minor_faults) && scan_u64(&s, &p.child_minor_faults);
	whole = whole && scan_u64(&s, &p.major_faults) && scan_u64(&s, &p.child_major_faults);
	whole = whole && scan_ticks(&s, &p.user) && scan_ticks(&s, &p.system);
	whole = whole && scan_ticks(&s, &p.child_user) && scan_ticks(&s, &p.child_system);
	whole = whole && scan_skip(&s, 2) && scan_u64(&s, &p.threads);
	whole = whole && scan_skip(&s, 1) && scan_u64(&s, &p.start);
	whole = whole && scan_u64(&s, &p.virtual_bytes) && scan_ticks(&s, &p.rss);
	if (!whole)
		return -EBADMSG;
	p.state = state.at[0];
	p.ending = flags & PF_EXITING;
	p.parent = (pid_t)parent;
	if (!scan_skip(&s, 3) || !scan_u64(&s, &p.stack))
		p.stack = 0;
	if (scan_skip(&s, 4) && scan_u64(&s, &ignored))
		p.ignores_children = ignored & UINT64_C(1) << (SIGCHLD - 1);
	*ret = p;
	return 0;
}

/* Field 42, since Linux 2.6.18; the state is field 3. */
uint64_t proc_block_delay(const char *text, size_t n)
{
	const char *close = memrchr(text, ')', n);
	struct scan s = close ? scan_of(close + 1, n - (size_t)(close + 1 - text)) : scan_of(text, 0);
	uint64_t ticks;

	return scan_skip(&s, 39) && scan_u64(&s, &ticks) ? ticks : 0;
}

int proc_parse_statm(struct proc_statm *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	struct proc_statm p;

	if (!scan_u64(&s, &p.virtual) || !scan_u64(&s, &p.resident) || !scan_u64(&s, &p.shared))
		return -EBADMSG;
	*ret = p;
	return 0;
}

int proc_parse_io(struct proc_io *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	struct proc_io p = { 0 };
	bool any = false;

	do {
		any |= (scan_literal(&s, "rchar:") && scan_u64(&s, &p.read_chars)) ||
		       (scan_literal(&s, "wchar:") && scan_u64(&s, &p.write_chars)) ||
		       (scan_literal(&s, "syscr:") && scan_u64(&s, &p.read_calls)) ||
		       (scan_literal(&s, "syscw:") && scan_u64(&s, &p.write_calls)) ||
		       (scan_literal(&s, "read_bytes:") && scan_u64(&s, &p.read_bytes)) ||
		       (scan_literal(&s, "write_bytes:") && scan_u64(&s, &p.write_bytes)) ||
		       (scan_literal(&s, "cancelled_write_bytes:") && scan_u64(&s, &p.cancelled_write_bytes));
	} while (scan_next_line(&s));
	if (!any)
		return -EBADMSG;
	*ret = p;
	return 0;
}

/* status and smaps write kB for units of 1,024 bytes. */
static bool scan_kilobytes(struct scan *s, uint64_t *ret)
{
	uint64_t kilobytes;

	if (!scan_u64(s, &kilobytes) || kilobytes > UINT64_MAX / 1024)
		return false;
	*ret = kilobytes * 1024;
	return true;
}

int proc_parse_status(struct proc_status *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	struct proc_status p = { 0 };

	do {
		if (scan_literal(&s, "VmHWM:"))
			p.has_memory = scan_kilobytes(&s, &p.peak_rss_bytes);
		else if (scan_literal(&s, "VmSwap:"))
			(void)scan_kilobytes(&s, &p.swap_bytes);
		else if (scan_literal(&s, "VmPTE:"))
			(void)scan_kilobytes(&s, &p.table_bytes);
		else if (scan_literal(&s, "voluntary_ctxt_switches:"))
			p.has_switches = scan_u64(&s, &p.voluntary);
		else if (scan_literal(&s, "nonvoluntary_ctxt_switches:"))
			(void)scan_u64(&s, &p.involuntary);
	} while (scan_next_line(&s));
	if (!p.has_memory && !p.has_switches)
		return -EBADMSG;
	*ret = p;
	return 0;
}

int proc_parse_rollup(struct proc_rollup *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	struct proc_rollup p = { 0 };
	uint64_t clean = 0, dirty = 0, file = 0, shmem = 0;
	bool any = false;

	do {
		if (scan_literal(&s, "Rss:"))
			(void)scan_kilobytes(&s, &p.rss_bytes);
		else if (scan_literal(&s, "Pss:"))
			any = scan_kilobytes(&s, &p.pss_bytes);
		else if (scan_literal(&s, "Pss_Anon:"))
			p.has_parts = scan_kilobytes(&s, &p.anonymous_pss_bytes);
		else if (scan_literal(&s, "Pss_File:"))
			(void)scan_kilobytes(&s, &file);
		else if (scan_literal(&s, "Pss_Shmem:"))
			(void)scan_kilobytes(&s, &shmem);
		else if (scan_literal(&s, "Anonymous:"))
			(void)scan_kilobytes(&s, &p.anonymous_bytes);
		else if (scan_literal(&s, "Private_Clean:"))
			(void)scan_kilobytes(&s, &clean);
		else if (scan_literal(&s, "Private_Dirty:"))
			(void)scan_kilobytes(&s, &dirty);
	} while (scan_next_line(&s));
	if (!any)
		return -EBADMSG;
	p.uss_bytes = clean + dirty;
	p.file_pss_bytes = file + shmem;
	*ret = p;
	return 0;
}

int proc_parse_huge(uint64_t *ret_kib, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);

	do {
		if (scan_literal(&s, "AnonHugePages:"))
			return scan_u64(&s, ret_kib) ? 0 : -EBADMSG;
	} while (scan_next_line(&s));
	return -EBADMSG;
}

int proc_parse_schedstat(struct proc_schedstat *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	struct proc_schedstat now;

	if (!scan_u64(&s, &now.ran_ns) || !scan_u64(&s, &now.delay_ns))
		return -EBADMSG;
	*ret = now;
	return 0;
}

bool proc_next_child(struct scan *s, pid_t *ret)
{
	uint64_t pid;

	if (!scan_u64(s, &pid) || pid == 0 || pid > INT32_MAX)
		return false;
	*ret = (pid_t)pid;
	return true;
}

bool proc_pid(const char *name, pid_t *ret)
{
	struct scan s = scan_of(name, strlen(name));

	return *name >= '1' && *name <= '9' && proc_next_child(&s, ret) && s.at == s.end;
}

void proc_command(char *ret, size_t size, const char *text, size_t n)
{
	/* Words end in NUL.  A program that rewrote its title leaves one word, with blanks in it. */
	size_t len = strnlen(text, n);
	const char *blank = len + 1 >= n ? memchr(text, ' ', len) : NULL;

	if (blank)
		len = (size_t)(blank - text);

	const char *slash = memrchr(text, '/', len);
	const char *name = slash && slash + 1 < text + len ? slash + 1 : text;

	(void)word_copy((struct word){ name, len - (size_t)(name - text) }, ret, size);
}
