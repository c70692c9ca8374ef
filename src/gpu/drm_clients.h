/*
 * drm_clients.h - which processes of the job use which card, by the DRM files that they have open (drm_fdinfo.h).  A
 * struct drm_uses is zeroed at first.
 */
#ifndef RT_DRM_CLIENTS_H
#define RT_DRM_CLIENTS_H

#include "drm_card.h"

struct drm_use {                                /* a client: an open GPU, counted once even if several processes hold
						   it */
	struct drm_client client;               /* at the last scan */
	pid_t    pid;                           /* the first process found to hold it */
	uint32_t scan;                          /* the last scan that found it */
	double   work_pct, encoder_pct, decoder_pct;    /* since the previous scan; NONE: not reported */
};

struct drm_uses {
	struct drm_use *at;
	size_t   n, room;
	uint32_t scan;                          /* number of the last scan; 0: none yet */
	int64_t  at_ns;
	size_t   cursor;                        /* where the search for new users continues */
	bool     denied;                        /* no process's descriptors could be read */
};

/* Scans the job's descriptors.  -ENOMEM: it has what it found so far; -EACCES: no process's descriptors can be read. */
int  drm_uses_scan(struct drm_uses *u, const struct source *src, struct text *text, const struct gpu_job *job) must_use;
/* The processes that use one card, as of the last scan, each once; returns how many. */
int  drm_uses_of(const struct drm_uses *u, const struct drm_card *card, struct gpu_process *ret, size_t room);
void drm_uses_release(struct drm_uses *u);

#endif
