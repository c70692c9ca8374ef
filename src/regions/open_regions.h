/*
 * open_regions.h - the regions that are open now, for a view: reads the shared memory of a recorder that is another
 * process, without a trace there.
 */
#ifndef RT_OPEN_REGIONS_H
#define RT_OPEN_REGIONS_H

#include <sys/types.h>

#include "../core/source.h"
#include "channel_read.h"

struct open_region { char path[REGION_PATH_SIZE]; double seconds; unsigned entries; };

/*
 * Maps the channel of a recorder of this machine, for reading.  -ENOENT: it has none; -EACCES and others: it cannot be
 * opened, as by another user.  Unmap it with open_regions_detach.
 */
int  open_regions_attach(const struct rt_region_channel **ret, const struct source *machine, pid_t recorder) must_use;
void open_regions_detach(const struct rt_region_channel *c);    /* NULL is fine */

/*
 * The open regions by path, outer ones before inner ones; seconds of the entry that is open for the longest time.
 * Returns the number of all, of which at most `room` are in ret; 0 of a channel that has not been started.
 */
size_t open_regions_now(struct open_region *ret, size_t room, const struct rt_region_channel *c);

#endif
