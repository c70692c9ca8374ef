/*
 * drm_sensors.h - files of sysfs that hold one number.  Results are NONE if there is no such file, or no number in
 * it.
 */
#ifndef RT_DRM_SENSORS_H
#define RT_DRM_SENSORS_H

#include "drm_card.h"

/* The number in sys/<folder>/<file>, times `unit`. */
double sensor(const struct source *src, const char *folder, const char *file, double unit);
/* The same for a file in the card's folder: "device/gpu_busy_percent". */
double card_sensor(const struct source *src, const struct drm_card *card, const char *file, double unit);
/* The card's hwmon of that name, as a folder of sys; "" if there is none. */
void card_find_monitor(char *ret, size_t size, const struct source *src, const struct drm_card *card, const char *name);
/*
 * The increase of an energy counter, and the mean power, since the previous call; the first call of a card leaves
 * both.
 */
void card_take_energy(const struct source *src, struct drm_card *card, double joules, double *ret_joules,
		      double *ret_watts);

#endif
