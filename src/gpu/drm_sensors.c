/* drm_sensors.c - files of sysfs that hold one number, and the differences of counters. */
#include "drm_sensors.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

double sensor(const struct source *src, const char *folder, const char *file, double unit)
{
	char path[128];
	uint64_t value;

	if (folder[0] == '\0')
		return NONE;
	(void)snprintf(path, sizeof path, "%s/%s", folder, file);
	return source_read_u64(&value, src->sys, path) < 0 ? NONE : (double)value * unit;
}

double card_sensor(const struct source *src, const struct drm_card *card, const char *file, double unit)
{
	return sensor(src, card->folder, file, unit);
}

void card_find_monitor(char *ret, size_t size, const struct source *src, const struct drm_card *card, const char *name)
{
	char folder[64], path[384], found[32];

	ret[0] = '\0';
	(void)snprintf(folder, sizeof folder, "%s/device/hwmon", card->folder);

	DIR *directory = source_open_folder(src->sys, folder);

	if (!directory)
		return;
	for (struct dirent *e; ret[0] == '\0' && (e = readdir(directory)) != NULL;) {
		if (e->d_name[0] == '.')
			continue;
		(void)snprintf(path, sizeof path, "%s/%s/name", folder, e->d_name);
		if (source_read_line(found, sizeof found, src->sys, path) == 0 && strcmp(found, name) == 0 &&
		    strlen(folder) + 1 + strlen(e->d_name) < size)
			(void)snprintf(ret, size, "%.*s", (int)(strlen(path) - strlen("/name")), path);
	}
	(void)closedir(directory);
}

void card_take_energy(const struct source *src, struct drm_card *card, double joules, double *ret_joules,
		      double *ret_watts)
{
	int64_t now_ns = src->monotonic_ns(src->clock);
	double was = card->energy.joules, seconds = (double)(now_ns - card->energy.at_ns) / 1e9;

	if (is_none(joules))
		return;
	card->energy.joules = joules;
	card->energy.at_ns = now_ns;
	/* The driver was reloaded, or the counter wrapped: the difference is unknown. */
	if (is_none(was) || joules < was || seconds <= 0)
		return;
	*ret_joules = joules - was;
	if (is_none(*ret_watts))
		*ret_watts = (joules - was) / seconds;
}
