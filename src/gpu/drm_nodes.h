/* drm_nodes.h - which folders of sys/class/drm are cards that can compute. */
#ifndef RT_GPU_DRM_NODES_H
#define RT_GPU_DRM_NODES_H

#include "../core/source.h"

enum { GPU_NODES = 3, GPU_NODE_SIZE = 24 };

/* True for "card0", false for "card0-HDMI-A-1", and then *ret_number means nothing. */
bool drm_is_card(const char *name, uint64_t *ret_number);
/*
 * The device files of the card in a folder of sys: "dri/card0", "dri/renderD128"; the rest of ret stays.  false: it has
 * no render node, and ret means nothing; such a card only drives displays.
 */
bool drm_find_nodes(char ret[GPU_NODES][GPU_NODE_SIZE], const struct source *src, const char *card_folder);
/* Whether there is a card that can compute. */
bool drm_present(const struct source *src);

#endif
