/* network_identity.h - what a network interface is: /sys/class/net/NAME. */
#ifndef RT_COLLECT_NETWORK_IDENTITY_H
#define RT_COLLECT_NETWORK_IDENTITY_H

#include "netdev.h"

struct network_identity {
	char mac_address[64], driver[32];       /* "": unknown */
	char operstate[16];
	double speed_mbps, mtu;                 /* NONE: not told, as the speed of an interface that is down */
	enum interface_rank rank;
};

/* All of it.  Nothing found is no error: then it counts as a link. */
void network_identify(struct network_identity *ret, int sys, const char *name);
/* Again what changes in service: state, speed, MTU, rank. */
void network_identify_again(struct network_identity *identity, int sys, const char *name);

#endif
