/* feed_sender.c - from a feed to receivers. */
#include "feed_sender.h"

#include "../analysis/answer.h"
#include "../readers/record_reader.h"
#include "../readers/record_source.h"
#include "scrape.h"

static const double BATCH_SECONDS = 5;

/* Takes all rows that are there.  Returns whether the feed is over. */
static bool take_rows(struct record_reader *r, struct points *p, struct shipment *s, double *begun)
{
	enum record_item item;

	while ((item = record_reader_next(r)) != RECORD_OVER && item != RECORD_LATER) {
		if (item != RECORD_ROW)
			continue;
		if (p->n_moments == 0)
			*begun = push_now();
		points_add(p, record_reader_sample(r), record_reader_sums(r));
		if (p->n >= POINTS_OF_BATCH)
			shipment_cut(s, p);
	}
	return item == RECORD_OVER;
}

static void follow(struct sender *l, struct record_reader *r, struct points *p, struct scrape *scrape)
{
	struct shipment *own = &l->at[0];
	struct pollfd fds[1 + SCRAPE_DESCRIPTORS];
	double begun = 0;

	while (!l->stopped && !take_rows(r, p, own, &begun)) {
		bool due = p->n_moments > 0 && push_now() >= begun + BATCH_SECONDS;

		if (due)
			shipment_cut(own, p);
		sender_go(l);
		scrape_go(scrape, p);
		fds[0] = (struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN };
		sender_wait(l, fds, 1 + scrape_wanted(scrape, fds + 1),
			    p->n_moments > 0 ? begun + BATCH_SECONDS : (double)INFINITY);
	}
	own->whole = !l->stopped;
	if (own->whole)
		points_add_totals(p, record_reader_totals(r), record_reader_facts(r)->status.end_wall_ns);
	shipment_cut(own, p);
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
	struct points points;
	struct scrape scrape;
	struct sender l;
	int result = record_reader_take(&r, "the feed", &source, why);

	if (result < 0)
		return result;

	const struct record_facts *facts = record_reader_facts(r);

	result = sender_open(&l, o->n > 0 ? spool_root(true, NULL) : -1, why);
	if (result == 0)
		result = shipment_open(&l.at[0], l.http, l.root, facts->id, o->to, o->n, &o->send, why);
	if (result == 0) {
		l.n = 1;
		points_open(&points, facts);
		open_scrape(&scrape, o);
		sender_adopt(&l, &o->send, false);
		follow(&l, r, &points, &scrape);
		scrape_close(&scrape);
		sender_drain(&l, o->drain_seconds);
		if (!o->quiet)
			sender_report(&l, &points, true);
		points_close(&points);
	}
	sender_close(&l);
	record_reader_close(r);
	return result;
}
