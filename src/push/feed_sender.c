/* feed_sender.c - from a feed to receivers. */
#include "feed_sender.h"

#include "../analysis/answer.h"
#include "../readers/record_reader.h"
#include "../readers/record_source.h"
#include "udp_senders.h"
#include "scrape.h"
#include "stop_signals.h"

static const double BATCH_SECONDS = 5;

/* Takes all rows that are there.  Returns whether the feed is over. */
static bool take_rows(struct record_reader *r, struct points *p, struct shipment *s, struct udp_senders *d,
		      double *begun)
{
	enum record_item item;

	while ((item = record_reader_next(r)) != RECORD_OVER && item != RECORD_LATER) {
		if (item == RECORD_REGION)
			points_add_region(p, record_reader_region(r));
		if (item != RECORD_ROW)
			continue;
		if (p->n_moments == 0)
			*begun = push_now();
		if (s->wants_points)
			points_add(p, record_reader_sample(r), record_reader_sums(r));
		sheet_add(&s->sheet, record_reader_facts(r), record_reader_sample(r));
		udp_senders_row(d, record_reader_sample(r), record_reader_sums(r));
		if (p->n >= POINTS_OF_BATCH)
			shipment_cut(s, p);
	}
	return item == RECORD_OVER;
}

/* As by a service manager, which ends all processes of a job: the feed says when the run is over. */
static void go_on_after_signal(struct sender *l)
{
	if (l->stopped)
		stop_signals_forget(l->signals);
	l->stopped = false;
}

static void follow(struct sender *l, struct record_reader *r, struct points *p, struct udp_senders *d,
		   struct scrape *scrape)
{
	struct shipment *own = &l->at[0];
	struct pollfd fds[1 + SCRAPE_DESCRIPTORS];
	double begun = 0;

	while (!take_rows(r, p, own, d, &begun)) {
		bool due = p->n_moments > 0 && push_now() >= begun + BATCH_SECONDS;

		if (due)
			shipment_cut(own, p);
		sender_go(l);
		scrape_go(scrape, p);
		fds[0] = (struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN };
		sender_wait(l, fds, 1 + scrape_wanted(scrape, fds + 1),
			    p->n_moments > 0 ? begun + BATCH_SECONDS : (double)INFINITY);
		go_on_after_signal(l);
	}
	own->whole = true;
	points_add_totals(p, record_reader_totals(r), record_reader_facts(r)->status.end_monotonic_ns);
	shipment_cut(own, p);
	sheet_end(&own->sheet, record_reader_facts(r), true);
}

/* What is left of the counters, once the names are known. */
static void end_datagrams(struct sender *l, struct record_reader *r, struct udp_senders *d, double until)
{
	static const double LITTLE = 0.01;

	while (udp_senders_wait(d) && !l->stopped && push_now() < until) {
		sender_go(l);
		sender_wait(l, NULL, 0, push_now() + LITTLE);
	}
	if (d->n > 0)
		udp_senders_end(d, l->at[0].whole ? record_reader_totals(r) : NULL,
				record_reader_facts(r)->status.end_monotonic_ns);
}

/* A port that is taken is a message: what is pushed goes on. */
static void open_scrape(struct scrape *s, const struct sender_options *o)
{
	struct why why;

	*s = (struct scrape){ .fd = -1 };
	for (size_t i = 0; i < SCRAPERS_MAX; i++)
		s->at[i].fd = -1;
	if (o->listen && scrape_open(s, o->listen, o->listen_token_file, &why) < 0)
		remark(why.text);
}

int feed_send(struct sender_options *o, struct why *why)
{
	struct record_source source = { .fd = STDIN_FILENO, .follow = true };
	struct record_reader *r;
	struct udp_senders by_udp;
	struct points points;
	struct scrape scrape;
	struct sender l;
	double until;
	int result = record_reader_take(&r, "the feed", &source, why);

	if (result < 0)
		return result;

	const struct record_facts *facts = record_reader_facts(r);

	result = sender_open(&l, o->n > 0 ? spool_root(SPOOL_PUSH, true, NULL) : -1, why);
	if (result == 0)
		result = shipment_open(&l.at[0], l.http, l.root, facts->id, o->to, o->n, &o->send, why);
	if (result == 0) {
		l.n = 1;
		l.at[0].wants_points = l.at[0].wants_points || o->listen;
		points_open(&points, facts);
		udp_senders_open(&by_udp, o->by_udp, o->n_by_udp, facts);
		open_scrape(&scrape, o);
		sender_adopt(&l, &o->send, false);
		follow(&l, r, &points, &by_udp, &scrape);
		scrape_close(&scrape);
		until = push_now() + o->drain_seconds;
		end_datagrams(&l, r, &by_udp, until);
		sender_drain(&l, double_max(until - push_now(), 0));
		if (!o->quiet)
			sender_report(&l, &points, true);
		if (!o->quiet)
			udp_senders_report(&by_udp);
		udp_senders_close(&by_udp);
		points_close(&points);
	}
	sender_close(&l);
	record_reader_close(r);
	return result;
}
