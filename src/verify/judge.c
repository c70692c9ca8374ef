/* judge.c - whether a reported value is within its bound. */
#include "verify.h"

#include <math.h>
#include <string.h>

/* A load cannot measure its own exec and the end of its exit: the tolerance for the recorder's bounds. */
static const double UNSEEN_SECONDS = 0.002, UNSEEN_PART = 0.005;
/* If the ends of children are hidden, an interval is accepted; a wider one is too vague. */
static const double WIDEST_PART = 0.25;

const char *verdict_name(enum verdict v)
{
	static const char *const names[VERDICT_COUNT] = {
		[VERDICT_GOOD] = "ok", [VERDICT_BROKEN] = "BROKEN", [VERDICT_NOT_MEASURED] = "not measured",
		[VERDICT_NOT_TESTED] = "not tested",
	};

	return names[v];
}

double figure_error(const struct figure *f)
{
	if (is_none(f->truth) || is_none(f->reported))
		return NONE;
	if (f->reported < f->true_span.low)
		return f->reported - f->true_span.low;
	if (f->reported > f->true_span.high)
		return f->reported - f->true_span.high;
	return 0;
}

static bool has_bounds(const struct figure *f)
{
	return !is_none(f->printed.low) && !is_none(f->printed.high);
}

static bool holds_the_truth(const struct figure *f)
{
	const struct quantity_info *q = &verify_quantities[f->quantity];
	double slack = q->unit == UNIT_SECONDS ? fmax(UNSEEN_SECONDS, UNSEEN_PART * f->truth) : UNSEEN_PART * f->truth;

	/* CPU time without a program is a bound; CPU time with a program needs the accuracy of the quantity. */
	if (f->quantity == QUANTITY_PROGRAM)
		slack = q->relative * f->whole;
	return f->printed.low <= f->true_span.high + slack && f->printed.high >= f->true_span.low - slack;
}

bool figure_is_near(const struct figure *f)
{
	const struct quantity_info *q = &verify_quantities[f->quantity];

	return fabs(figure_error(f)) <= fmax(q->relative * f->whole, q->absolute);
}

bool figure_is_interval(const struct figure *f)
{
	return f->verdict == VERDICT_GOOD && !figure_is_near(f);
}

bool figure_is_doubtful(const struct figure *f)
{
	return f->verdict == VERDICT_BROKEN && verify_quantities[f->quantity].unit == UNIT_SECONDS && figure_is_near(f);
}

static bool may_be_an_interval(const struct figure *f)
{
	double width = f->printed.high - f->printed.low, farthest = verify_quantities[f->quantity].farthest;

	if (farthest > 0 && fabs(figure_error(f)) > farthest * f->truth)
		return false;
	/* Only a control group of the job's own includes everything: "cgroup", or "cgroup1" of version 1. */
	if (f->quantity == QUANTITY_CPU && f->has_hidden_ends && strncmp(f->source, "cgroup", strlen("cgroup")) != 0)
		return width <= WIDEST_PART * f->truth;
	return width <= verify_quantities[f->quantity].widest * f->truth;
}

/*
 * By what the kernel reports, traffic of other connections could be the job's, too.  On a machine with much of it the
 * interval is true, but too wide to be useful.
 */
static bool is_ambiguous(const struct figure *f)
{
	const struct quantity_info *q = &verify_quantities[f->quantity];

	return q->missed && q->unit == UNIT_BYTES && has_bounds(f);
}

/* What a source cannot see by its nature, as the end of a sentence; "": no such limit. */
static const char *blind_for(const struct figure *f)
{
	if (f->quantity == QUANTITY_CPU && strcmp(f->source, "ledger") == 0)
		return "this source does not see children that no process waits for";
	if (f->quantity == QUANTITY_CPU && strcmp(f->source, "visible") == 0)
		return "this source does not see processes that end between two samples";
	return "";
}

/* If the machine allows no better source, the recorder reports "at least". */
static bool is_at_least(const struct figure *f)
{
	return has_bounds(f) && !f->source_is_forced && *blind_for(f) && figure_error(f) < 0;
}

static void leave_at_least(struct figure *f)
{
	f->verdict = VERDICT_NOT_MEASURED;
	f->reported = NONE;
	(void)why_set(&f->why, 0, "it is at least %.3f and at most %.3f s, as the recorder says: %s", f->printed.low,
		      f->printed.high, blind_for(f));
}

static void leave_ambiguous(struct figure *f)
{
	enum { MIB = 1024 * 1024 };

	f->verdict = VERDICT_NOT_MEASURED;
	f->reported = NONE;
	(void)why_set(&f->why, 0, "TCP connections of other programs ended meanwhile, and the kernel does not report "
		      "their owners: it can be anything from %.2f to %.2f MiB", f->printed.low / MIB, f->printed.high / MIB);
}

/* The bounds are the answer, and they hold the truth; their width shows how much is unknown. */
static void leave_unnamed(struct figure *f)
{
	double unnamed = f->printed.high - f->printed.low;

	f->verdict = VERDICT_NOT_MEASURED;
	f->reported = NONE;
	(void)why_set(&f->why, 0, "%.3f s of the job belong to no program: here perf does not report the names of processes "
		      "that ended before a poll", unnamed);
}

/*
 * perf's upper bound grows with the number of processes.  Without records that is the number of forks on the machine,
 * which other programs raise.
 */
static bool is_vague(const struct figure *f)
{
	return f->quantity == QUANTITY_CPU && strcmp(f->source, "perf") == 0 && f->has_hidden_ends && f->has_no_count &&
	       has_bounds(f);
}

static void leave_vague(struct figure *f)
{
	f->verdict = VERDICT_NOT_MEASURED;
	f->reported = NONE;
	(void)why_set(&f->why, 0, "it is between %.3f and %.3f s, as the recorder says: the forks of the whole machine are the "
		      "only count of the job's processes here", f->printed.low, f->printed.high);
}

bool figure_is_worse(const struct figure *f, const struct figure *than)
{
	static const int rank[VERDICT_COUNT] = { [VERDICT_BROKEN] = 2, [VERDICT_GOOD] = 1 };

	if (rank[f->verdict] != rank[than->verdict])
		return rank[f->verdict] > rank[than->verdict];
	return fabs(figure_error(f)) > fabs(figure_error(than));
}

void figure_judge(struct figure *f)
{
	if (f->verdict != VERDICT_GOOD)
		return;
	f->verdict = VERDICT_BROKEN;
	if (has_bounds(f) && !holds_the_truth(f))
		(void)why_set(&f->why, 0, "the interval that is printed does not contain the truth");
	else if (is_none(f->reported))
		f->verdict = VERDICT_NOT_MEASURED;
	else if (figure_is_near(f) || (has_bounds(f) && may_be_an_interval(f)))
		f->verdict = VERDICT_GOOD;
	else if (is_ambiguous(f))
		leave_ambiguous(f);
	else if (f->quantity == QUANTITY_PROGRAM && has_bounds(f))
		leave_unnamed(f);
	else if (is_vague(f))
		leave_vague(f);
	else if (is_at_least(f))
		leave_at_least(f);
	else
		(void)why_set(&f->why, 0, "the error is more than %s%s%s", verify_quantities[f->quantity].bound,
			      *blind_for(f) ? "; " : "", blind_for(f));
}
