/* own_cost.h - the CPU time that the recorder used in all, its start and end included. */
#ifndef RT_OWN_COST_H
#define RT_OWN_COST_H

/* First of all in main(). */
void   own_cost_begin(void);
/* Since the process began, exec included, of all threads, those that ended too; not of its children. */
double own_cost_seconds(void);

#endif
