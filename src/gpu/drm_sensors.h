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
/* The card's hwmon of that name, as a folder of sys; "" if there is none, or it does not fit. */
void card_find_monitor(char *ret, size_t size, const struct source *src, const struct drm_card *card, const char *name);
/*
 * The increase of an energy counter, and the mean power if *ret_watts is NONE, since the previous call.  Both stay at
 * the first call of a card, with NONE, and if the counter fell.
 */
void card_take_energy(const struct source *src, struct drm_card *card, double joules, double *ret_joules,
		      double *ret_watts);

#endif
