/* drm_clients.h - who of the job uses which card. */
#ifndef RT_DRM_CLIENTS_H
#define RT_DRM_CLIENTS_H

#include "drm_card.h"

struct drm_use {                                /* a client: an open GPU, counted once whoever holds it */
	struct drm_client client;               /* at the last scan */
	pid_t    pid;                           /* that was found to hold it first */
	uint32_t scan;                          /* in which it was seen last */
	double   work_pct, encoder_pct, decoder_pct;    /* since the scan before; NONE: not told */
};

struct drm_uses {
	struct drm_use *at;
	size_t   n, room;
	uint32_t scan;                          /* number of the last; 0: none was */
	int64_t  at_ns;
	size_t   cursor;                        /* where the search for new users goes on */
	bool     denied;                        /* nobody's descriptors could be read */
};

/* One look at the job's descriptors.  -ENOMEM; -EACCES: none could be read. */
int  drm_uses_scan(struct drm_uses *u, const struct source *src, struct text *text, const struct gpu_job *job) must_use;
/* The users of one card in the last scan, each process once: how many. */
int  drm_uses_of(const struct drm_uses *u, const struct drm_card *card, struct gpu_process *ret, size_t room);
void drm_uses_release(struct drm_uses *u);

#endif
