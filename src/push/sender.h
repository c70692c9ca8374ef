/* sender.h - runs on their way to receivers: that of this process, and those that others left in the spool. */
#ifndef RT_SENDER_H
#define RT_SENDER_H

#include "shipment.h"

struct sender_options {
	struct destination to[DESTINATIONS_MAX];
	size_t n;
	struct destination by_udp[DESTINATIONS_MAX];            /* only of a run that goes on */
	size_t n_by_udp;
	struct send_options send;
	double drain_seconds;                   /* longest time after the end of the run */
	bool quiet;
	const char *listen, *listen_token_file; /* for scrapers; NULL: none */
};

enum { SHIPMENTS_MAX = 64, WAITED_MAX = 16 };

struct sender {
	struct http *http;
	int root;                               /* of the spool; -1: there is none */
	int signals;                            /* SIGTERM and SIGINT end it */
	bool stopped;
	struct shipment *at;                    /* the own run's first, if there is one */
	size_t n;
};

/* root: of the spool (spool_root), which it takes over; -1: there is none.  -ENOMEM with a sentence. */
int  sender_open(struct sender *l, int root, struct why *why) must_use;
void sender_close(struct sender *l);
/* Takes over what other processes left in the spool; complain: prints why something cannot be. */
void sender_adopt(struct sender *l, const struct send_options *o, bool complain);
/* Handles answers and sends what is due.  Does not wait. */
void sender_go(struct sender *l);
/* Waits for answers, for time to send, for the signal, and for n <= WAITED_MAX descriptors; at most until `until`. */
void sender_wait(struct sender *l, struct pollfd *fds, size_t n, double until);
/* Sends what is there, for at most `seconds`, as long as there is hope. */
void sender_drain(struct sender *l, double seconds);
bool sender_left(const struct sender *l);       /* whether something is not delivered */
/* Prints what was not delivered, and what of `p` (NULL: none) could not be sent at all. */
void sender_report(const struct sender *l, const struct points *p, bool spooled);

/* Sends what is in the spool, for at most drain_seconds.  -errno with a sentence. */
int  sender_send_spooled(const struct sender_options *o, bool *ret_left, struct why *why) must_use;

#endif
