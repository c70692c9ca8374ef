/* own_cost.h - the total CPU time of the recorder, including its start and end. */
#ifndef RT_OWN_COST_H
#define RT_OWN_COST_H

/* Call it first in main(). */
void   own_cost_begin(void);
/* Since the start of the process, including exec, of all threads, including those that ended; without its children. */
double own_cost_seconds(void);

#endif
