/* shipment.h - the points of one run on their way to all its destinations. */
#ifndef RT_SHIPMENT_H
#define RT_SHIPMENT_H

#include "destination.h"
#include "outbox.h"
#include "push_clock.h"
#include "sheet.h"

struct record_reader;

enum { DESTINATIONS_MAX = PUSH_MAX };

struct shipment {
	struct spool spool;                     /* folder -1: none, batches are in memory */
	char record[PATH_MAX];                  /* of the run, for what a killed sender did not read; "": none */
	struct destination to[DESTINATIONS_MAX];
	struct carrier *carriers[DESTINATIONS_MAX];
	struct outbox boxes[DESTINATIONS_MAX];
	size_t n;
	struct sheet sheet;                     /* for the service among the destinations, if there is one */
	bool wants_points;                      /* a destination, or who scrapes, takes them */
	bool whole;                             /* all points of the run are in the boxes, or were */
};

struct send_options {
	uint64_t spool_bytes;
	const char *record;
	double sheet_seconds;                   /* as in struct sheet */
	bool wants_cloud;
};

/*
 * For a run that is sent by this process.  root: the spool's; -1: batches are in memory alone.  Takes the destinations
 * over, also if it fails.  -errno with a sentence; -EBUSY: another process sends this run.
 */
int  shipment_open(struct shipment *ret, struct http *h, int root, const char *run, const struct destination *to,
		   size_t n, const struct send_options *o, struct why *why) must_use;
/* One that another process left in the spool.  -EBUSY: it is being sent. */
int  shipment_adopt(struct shipment *ret, struct http *h, int root, const char *name, const struct send_options *o,
		    struct why *why) must_use;
/* Closes it; if all is delivered, its folder is removed. */
void shipment_close(struct shipment *s);

/* Puts the batch into the box of each destination of points, and begins the next one. */
void shipment_cut(struct shipment *s, struct points *p);

void   shipment_go(struct shipment *s, double now);
double shipment_due(const struct shipment *s);
bool   shipment_delivered(const struct shipment *s);
void   shipment_hurry(struct shipment *s, double now);
/* Whether it is worth waiting until `until`. */
bool   shipment_hopeful(const struct shipment *s, double until);
/* Prints what was not delivered, and why. */
void   shipment_report(const struct shipment *s, bool left_in_spool);

#endif
