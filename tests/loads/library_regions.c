/* library_regions.c - a library with its own copy of the header of regions, for load_regions library. */
#include "resource_tracker_regions.h"

void library_work(void);

void library_work(void)
{
	RT_FUNCTION();
}
