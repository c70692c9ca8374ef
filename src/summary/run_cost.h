/* run_cost.h - what a run cost, by a table of prices that the user gave. */
#ifndef RT_RUN_COST_H
#define RT_RUN_COST_H

/* usd: the price of an hour of the whole machine, times the run's time in hours.  Texts: "": unknown. */
struct run_cost {
	double usd, usd_per_hour;
	char vendor[64], region[64], type[64];  /* of the machine; region: of the price, "" is any */
	char date[32], source[128];             /* of the table */
};

#endif
