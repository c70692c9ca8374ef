/*
 * netdev.h - the pure functions for /proc/net/dev, and the rule for the interfaces that the sums count.
 *
 * The sums count each byte once.  An interface has a rank, and those of the highest rank present
 * are counted:
 *
 *     hardware  has a `device` link in sysfs (real, virtio, a VF), and is not the lower half of another interface
 *               with one (Hyper-V and failover pairs: the upper half counts both)
 *     link      Ethernet without hardware that is neither stacked nor enslaved: in a container the
 *               end of a veth pair or a macvlan, its uplink
 *     tunnel    tun, tap, WireGuard, GRE ...: carried by one of the above, except if it is the only one (rootless
 *               containers)
 *     never     interfaces that pass traffic to others: bridges, bonds, teams, VLANs (they have lower_* links), ports
 *               of a bridge without hardware (veth), and dummy and ifb, which lead nowhere
 *
 * So on a host with hardware, veth, docker0, bonds and VLANs do not count; in a container its eth0 does.  In a
 * container with both a card of its own and a veth end only the card counts.
 */
#ifndef RT_COLLECT_NETDEV_H
#define RT_COLLECT_NETDEV_H

#include "../core/sample.h"
#include "../core/scan.h"

enum { INTERFACE_NAME_SIZE = 16 };              /* IFNAMSIZ of the kernel */

struct interface_counters {
	uint64_t recv_bytes, recv_packets, recv_errors, recv_drops;
	uint64_t sent_bytes, sent_packets, sent_errors, sent_drops;
};

struct interface_line {
	char name[INTERFACE_NAME_SIZE];
	struct interface_counters counters;
};

/* The next interface in the text of /proc/net/dev, without `lo`; false: there is none, and *ret means nothing. */
bool netdev_next(struct scan *s, struct interface_line *ret);
/* The gains of the counters; one that fell gives 0. */
void netdev_derive(struct network_row *row, const struct interface_counters *was,
		   const struct interface_counters *now);

enum interface_rank { RANK_NEVER, RANK_TUNNEL, RANK_LINK, RANK_HARDWARE };

struct interface_facts {                        /* from sysfs */
	bool has_device, master_has_device;
	bool has_master;                        /* enslaved to a bridge, bond, team */
	bool is_stacked;                        /* bridge, bond, or with a lower interface in this network namespace */
	bool is_tunnel;
	bool leads_nowhere;                     /* dummy, ifb */
};

enum interface_rank interface_rank(const struct interface_facts *facts);

#endif
