/* job_table.h - the ranks of a job as a table: its columns, and their order.  Pure. */
#ifndef RT_JOB_TABLE_H
#define RT_JOB_TABLE_H

#include "grid.h"
#include "job_ranks.h"

/* The largest first; states: lost, failed, running, ok; nodes and numbers ascend.  Equal rows are by number. */
enum job_order {
	JOB_BY_NUMBER, JOB_BY_NODE, JOB_BY_CPU, JOB_BY_MEMORY, JOB_BY_WAITING, JOB_BY_AGE, JOB_BY_STATE, JOB_ORDERS
};

int  job_order_of_key(char key);                /* one of "rncmwas"; -1: none of them */
void job_table_sort(struct job_row *row, size_t n, enum job_order order, bool reversed);

/* marked: a row, or SIZE_MAX. */
struct job_table { struct job_row *row; size_t n, from, marked; enum job_order order; bool reversed, utf8; };
void job_table_draw(struct cells *c, struct area a, const struct job_table *t);
int  job_table_order_at(struct area a, unsigned column);       /* of the title there; -1: none */

#endif
