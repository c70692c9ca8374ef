/* host.c - the machine of a run. */
#include "host.h"

#include <string.h>
#include <sys/utsname.h>

#include "scan.h"
#include "topology.h"

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
static void read_cpuinfo(struct host *h, const struct source *src)
{
	auto_close int fd = source_open_file(src->proc, "cpuinfo");
	char text[4096];
	ssize_t n = fd < 0 ? -1 : pread(fd, text, sizeof text, 0);

	if (n <= 0)
		return;
	(void)host_parse_cpu_model(h->cpu_model, sizeof h->cpu_model, text, (size_t)n);
	virtualization_name(h->virtualization, src, text, (size_t)n);
}

/* What firmware says where its makers wrote nothing. */
static bool is_filler(const char *text)
{
	static const char *const fillers[] = {
		"To Be Filled By O.E.M.", "To be filled by O.E.M.", "System manufacturer", "System Product Name",
		"Default string", "Not Specified", "None", "Unknown", "empty",
	};

	for (size_t i = 0; i < countof(fillers); i++)
		if (strcmp(text, fillers[i]) == 0)
			return true;
	return false;
}

static void read_firmware(char *ret, size_t size, const struct source *src, const char *path)
{
	if (src->sys < 0 || source_read_line(ret, size, src->sys, path) < 0 || is_filler(ret))
		ret[0] = '\0';
}

static void copy_name(char *ret, size_t size, const char *name)
{
	(void)word_copy((struct word){ name, strlen(name) }, ret, size);
}

void host_read(struct host *ret, const struct source *src)
{
	struct topology topology = topology_read(src);
	struct host h = {
		.cpus = topology.cpus, .sockets = topology.sockets, .cores = topology.cores, .memory_bytes = NONE,
	};
	struct utsname machine;

	if (src->live && uname(&machine) == 0) {
		copy_name(h.name, sizeof h.name, machine.nodename);
		copy_name(h.kernel, sizeof h.kernel, machine.release);
		copy_name(h.architecture, sizeof h.architecture, machine.machine);
	} else {
		(void)!source_read_line(h.name, sizeof h.name, src->proc, "sys/kernel/hostname");
		(void)!source_read_line(h.kernel, sizeof h.kernel, src->proc, "sys/kernel/osrelease");
	}
	read_cpuinfo(&h, src);
	read_firmware(h.vendor, sizeof h.vendor, src, "class/dmi/id/sys_vendor");
	read_firmware(h.product, sizeof h.product, src, "class/dmi/id/product_name");
	container_name(h.container, src);
	*ret = h;
}
