/* virtualization.c - hypervisors by CPUID, containers by their marks. */
#include "virtualization.h"

#include <fcntl.h>
#include <string.h>
#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

#include "scan.h"

bool virtualization_parse(bool *ret_virtual, const char *cpuinfo, size_t n)
{
	struct scan s = scan_of(cpuinfo, n);

	do {
		struct scan line = s;
		struct word word;

		if (!scan_literal(&line, "flags"))
			continue;
		scan_blanks(&line);
		if (!scan_literal(&line, ":") || !memchr(line.at, '\n', (size_t)(line.end - line.at)))
			continue;
		*ret_virtual = false;
		while (scan_word(&line, &word))
			*ret_virtual = *ret_virtual || word_is(word, "hypervisor");
		return true;
	} while (scan_next_line(&s));
	return false;
}

const char *virtualization_of(const char signature[12])
{
	static const struct { char signature[13]; const char *name; } all[] = {
		{ "KVMKVMKVM\0\0\0", "kvm" }, { "Linux KVM Hv", "kvm" }, { "Microsoft Hv", "hyper-v" },
		{ "VMwareVMware", "vmware" }, { "XenVMMXenVMM", "xen" }, { "TCGTCGTCGTCG", "qemu" },
		{ "VBoxVBoxVBox", "virtualbox" }, { " lrpepyh  vr", "parallels" }, { "prl hyperv  ", "parallels" },
		{ "bhyve bhyve ", "bhyve" }, { "ACRNACRNACRN", "acrn" }, { "QNXQVMBSQG\0\0", "qnx" },
	};

	for (size_t i = 0; i < countof(all); i++)
		if (memcmp(signature, all[i].signature, 12) == 0)
			return all[i].name;
	return "other";
}

/* The name of the hypervisor under this processor. */
static const char *ask_processor(void)
{
#if defined __x86_64__ || defined __i386__
	unsigned most, part[3];
	char signature[12];

	__cpuid(0x40000000, most, part[0], part[1], part[2]);
	memcpy(signature, part, sizeof signature);
	return virtualization_of(signature);
#else
	return "other";
#endif
}

static void copy(char *ret, size_t size, const char *text)
{
	(void)word_copy(word_of(text), ret, size);
}

void virtualization_name(char ret[VIRTUALIZATION_SIZE], const struct source *src, const char *cpuinfo, size_t n)
{
	bool is_virtual;

	ret[0] = '\0';
	if (virtualization_parse(&is_virtual, cpuinfo, n))
		copy(ret, VIRTUALIZATION_SIZE, !is_virtual ? "none" : src->live ? ask_processor() : "other");
}

void container_name(char ret[CONTAINER_SIZE], const struct source *src)
{
	/* The first that is there counts: Kubernetes' containers have marks of the engine below it as well. */
	static const struct { const char *variable, *file, *name; } marks[] = {
		{ "KUBERNETES_SERVICE_HOST", NULL, "kubernetes" },
		{ NULL, "run/secrets/kubernetes.io", "kubernetes" },
		{ "APPTAINER_NAME", NULL, "apptainer" },
		{ "SINGULARITY_NAME", ".singularity.d", "singularity" },
		{ NULL, "run/.containerenv", "podman" },
		{ NULL, ".dockerenv", "docker" },
	};

	ret[0] = '\0';
	for (size_t i = 0; i < countof(marks) && !ret[0]; i++)
		if ((src->live && marks[i].variable && getenv(marks[i].variable)) ||
		    (marks[i].file && faccessat(src->root, marks[i].file, F_OK, 0) == 0))
			copy(ret, CONTAINER_SIZE, marks[i].name);
	/* systemd writes there what made the container that it is the first process of: lxc, systemd-nspawn ... */
	if (!ret[0] && source_read_line(ret, CONTAINER_SIZE, src->root, "run/systemd/container") < 0)
		ret[0] = '\0';
}
