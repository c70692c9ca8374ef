/* network_identity.c - identifies a network interface from sysfs. */
#include "network_identity.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "../core/source.h"

enum { ARPHRD_ETHERNET = 1, ARPHRD_IPOIB = 32 };        /* include/uapi/linux/if_arp.h */

static bool exists(int at, const char *path)
{
	return faccessat(at, path, F_OK, 0) == 0;
}

/* Lower interfaces of this network namespace are links named lower_NAME (net/core/dev.c). */
static bool has_lower(int at)
{
	DIR *directory = source_open_folder(at, ".");
	bool any = false;

	if (!directory)
		return false;
	for (struct dirent *e; !any && (e = readdir(directory)) != NULL;)
		any = strncmp(e->d_name, "lower_", strlen("lower_")) == 0;
	(void)closedir(directory);
	return any;
}

/* A device of a plain driver has no DEVTYPE; vxlan, geneve, gre and so on have one. */
static bool is_tunnel(int at)
{
	char line[64];
	uint64_t type;

	if (source_read_u64(&type, at, "type") == 0 && type != ARPHRD_ETHERNET && type != ARPHRD_IPOIB)
		return true;
	if (exists(at, "tun_flags"))
		return true;
	return source_read_line(line, sizeof line, at, "uevent") == 0 &&
	       (strcmp(line, "DEVTYPE=vxlan") == 0 || strcmp(line, "DEVTYPE=geneve") == 0 ||
		strcmp(line, "DEVTYPE=wireguard") == 0);
}

/* Neither driver is named in sysfs; the kernel gives their interfaces these names. */
static bool named(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) == 0 && name[n] >= '0' && name[n] <= '9';
}

static enum interface_rank read_rank(int at, const char *name)
{
	struct interface_facts facts = {
		.has_device = exists(at, "device"),
		.has_master = exists(at, "master"),
		.master_has_device = exists(at, "master/device"),
	};

	if (!facts.has_device) {
		facts.is_stacked = exists(at, "bridge") || exists(at, "bonding") || has_lower(at);
		facts.is_tunnel = is_tunnel(at);
		facts.leads_nowhere = named(name, "dummy") || named(name, "ifb");
	}
	return interface_rank(&facts);
}

static void read_speed(struct network_identity *n, int at)
{
	char line[32];
	int64_t speed;

	n->speed_mbps = NONE;
	if (source_read_line(line, sizeof line, at, "speed") < 0)
		return;

	struct scan s = scan_of(line, strlen(line));

	/* SPEED_UNKNOWN is -1, which some drivers report as an unsigned number. */
	if (scan_i64(&s, &speed))
		n->speed_mbps = speed < 0 || speed >= UINT32_MAX ? -1 : (double)speed;
}

static void read_state(struct network_identity *n, int at, const char *name)
{
	uint64_t mtu;

	if (source_read_line(n->operstate, sizeof n->operstate, at, "operstate") < 0)
		n->operstate[0] = '\0';
	n->mtu = source_read_u64(&mtu, at, "mtu") == 0 ? (double)mtu : NONE;
	read_speed(n, at);
	n->rank = read_rank(at, name);
}

static void read_driver(struct network_identity *n, int at)
{
	char target[256];
	ssize_t length = readlinkat(at, "device/driver", target, sizeof target - 1);

	if (length <= 0)
		return;
	target[length] = '\0';

	const char *slash = strrchr(target, '/');

	(void)word_copy((struct word){ slash ? slash + 1 : target, strlen(slash ? slash + 1 : target) },
			n->driver, sizeof n->driver);
}

static int open_interface(int sys, const char *name)
{
	char path[sizeof "class/net/" + INTERFACE_NAME_SIZE];

	(void)snprintf(path, sizeof path, "class/net/%s", name);
	return openat(sys, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void network_identify(struct network_identity *ret, int sys, const char *name)
{
	auto_close int at = open_interface(sys, name);

	*ret = (struct network_identity){ .speed_mbps = NONE, .mtu = NONE, .rank = RANK_LINK };
	if (at < 0)
		return;
	(void)!source_read_line(ret->mac_address, sizeof ret->mac_address, at, "address");
	read_driver(ret, at);
	read_state(ret, at, name);
}

void network_identify_again(struct network_identity *identity, int sys, const char *name)
{
	auto_close int at = open_interface(sys, name);

	if (at >= 0)
		read_state(identity, at, name);
}
