/* host.c - which machine a run was on. */
#include "host.h"

#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>

#include "scan.h"

bool host_parse_cpu_model(char *ret, size_t size, const char *text, size_t n)
{
	/* x86 and RISC-V; MIPS; POWER.  Fields are padded with tabs before the colon. */
	static const char *const names[] = { "model name", "cpu model", "cpu" };

	for (size_t i = 0; i < countof(names); i++) {
		struct scan s = scan_of(text, n);

		do {
			struct scan line = s;
			struct word value;

			if (!scan_literal(&line, names[i]))
				continue;
			scan_blanks(&line);
			if (!scan_literal(&line, ":"))
				continue;
			scan_blanks(&line);
			if (scan_line(&line, &value) && value.len > 0) {
				(void)word_copy(value, ret, size);
				return true;
			}
		} while (scan_next_line(&s));
	}
	return false;
}

/* Only the first page: the whole file takes milliseconds on a machine of many cores. */
static void read_cpu_model(struct host *h, const struct source *src)
{
	auto_close int fd = openat(src->proc, "cpuinfo", O_RDONLY | O_CLOEXEC);
	char text[2048];
	ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof text, 0);

	if (n > 0)
		(void)host_parse_cpu_model(h->cpu_model, sizeof h->cpu_model, text, (size_t)n);
}

void host_read(struct host *ret, const struct source *src, const struct sample *baseline)
{
	struct host h = { .cpus = NONE, .memory_bytes = NONE };
	struct utsname machine;

	(void)!source_read_line(h.name, sizeof h.name, src->proc, "sys/kernel/hostname");
	(void)!source_read_line(h.kernel, sizeof h.kernel, src->proc, "sys/kernel/osrelease");
	if (src->live && uname(&machine) == 0)
		(void)word_copy((struct word){ machine.machine, strlen(machine.machine) },
				h.architecture, sizeof h.architecture);
	read_cpu_model(&h, src);
	if (baseline) {
		h.cpus = baseline->total.cpu_count;
		h.memory_bytes = baseline->total.memory_total_bytes;
	}
	*ret = h;
}
