/* drm_nodes.c - searches sys/class/drm. */
#include "drm_nodes.h"

#include <stdio.h>
#include <string.h>

#include "../core/scan.h"

bool drm_is_card(const char *name, uint64_t *ret_number)
{
	struct scan s = scan_of(name, strlen(name));

	return scan_literal(&s, "card") && scan_u64(&s, ret_number) && s.at == s.end;
}

bool drm_find_nodes(char ret[GPU_NODES][GPU_NODE_SIZE], const struct source *src, const char *card_folder)
{
	char folder[64];
	bool computes = false;
	size_t n = 0;

	(void)snprintf(folder, sizeof folder, "%.48s/device/drm", card_folder);

	DIR *directory = source_open_folder(src->sys, folder);

	if (!directory)
		return false;
	for (struct dirent *e; n < GPU_NODES && (e = readdir(directory)) != NULL;) {
		bool render = strncmp(e->d_name, "renderD", 7) == 0;

		computes |= render;
		if ((render || strncmp(e->d_name, "card", 4) == 0) && strlen(e->d_name) < 16)
			(void)snprintf(ret[n++], GPU_NODE_SIZE, "dri/%.16s", e->d_name);
	}
	(void)closedir(directory);
	return computes;
}

bool drm_present(const struct source *src)
{
	DIR *directory = src->sys < 0 ? NULL : source_open_folder(src->sys, "class/drm");
	char folder[32], nodes[GPU_NODES][GPU_NODE_SIZE];
	uint64_t number;
	bool any = false;

	if (!directory)
		return false;
	/* Most virtual cards only drive displays. */
	for (struct dirent *e; !any && (e = readdir(directory)) != NULL;) {
		(void)snprintf(folder, sizeof folder, "class/drm/%.16s", e->d_name);
		any = drm_is_card(e->d_name, &number) && drm_find_nodes(nodes, src, folder);
	}
	(void)closedir(directory);
	return any;
}
