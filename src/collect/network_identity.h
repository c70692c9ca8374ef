/*
 * network_identity.h - identifies a network interface: /sys/class/net/NAME
 * (Documentation/ABI/testing/sysfs-class-net).  sys: a descriptor of /sys.
 */
#ifndef RT_COLLECT_NETWORK_IDENTITY_H
#define RT_COLLECT_NETWORK_IDENTITY_H

#include "netdev.h"

struct network_identity {
	char mac_address[64], driver[32];       /* "": unknown */
	char operstate[16];
	double speed_mbps, mtu;                 /* NONE: not reported, as the speed of an interface that is down */
	enum interface_rank rank;
};

/* Reads everything.  An interface without any file in sysfs counts as a link. */
void network_identify(struct network_identity *ret, int sys, const char *name);
/* Reads again what changes in service: state, speed, MTU, rank.  Of an interface that is gone all stays. */
void network_identify_again(struct network_identity *identity, int sys, const char *name);

#endif
