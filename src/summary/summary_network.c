/* summary_network.c - disk and network traffic, and the part that TCP connections of the job carried. */
#include "../text/human.h"
#include "summary_parts.h"

/* The least unattributed part that is worth a note. */
static const double UNSEEN_SHARE = 0.01;
/* If the value is unknown for a part of the run, it is incomplete. */
static const double KNOWN_SHARE = 0.999;

static void of_the_job(struct page *p, struct phrase *w, const struct summary *s)
{
	double in = summary_total(s->whole, METRIC_process_net_recv_bytes).sum;
	double out = summary_total(s->whole, METRIC_process_net_sent_bytes).sum;
	struct statistic unseen = summary_total(s->whole, METRIC_process_net_unattributed_bytes);
	double all = add_known(in, out);
	struct buffer *text;

	if (!(all > 0))
		return;
	summary_in_and_out(p, w, "TCP of job", "in", in, "out", out);
	page_tab(p, TAB_GRAPH - 2);
	text = phrase_new(w);
	buffer_text(text, "(TCP only");
	if (!(unseen.seconds >= KNOWN_SHARE * aggregate_seconds(s->whole))) {
		buffer_text(text, ", some may be missing");
	} else if (unseen.sum > UNSEEN_SHARE * all) {
		buffer_text(text, ", at most ");
		human_bytes(text, unseen.sum);
		buffer_text(text, " more");
	}
	buffer_char(text, ')');
	page_phrase(p, 2, phrase_text(w), INK_FAINT);
	page_end(p);
}

void summary_disk_and_network(struct page *p, struct phrase *w, const struct summary *s)
{
	bool tree = summary_tracks(s);
	enum total_metric read = tree ? METRIC_process_disk_read_bytes : METRIC_disk_total_read_bytes;
	enum total_metric written = tree ? METRIC_process_disk_write_bytes : METRIC_disk_total_write_bytes;

	summary_in_and_out(p, w, "Disk", "read", summary_total(s->whole, read).sum,
			   "written", summary_total(s->whole, written).sum);
	page_end(p);
	summary_in_and_out(p, w, "Network", "in", summary_total(s->whole, METRIC_network_total_recv_bytes).sum,
			   "out", summary_total(s->whole, METRIC_network_total_sent_bytes).sum);
	if (tree) {
		page_tab(p, TAB_GRAPH - 2);
		page_phrase(p, 2, "(whole machine)", INK_FAINT);
	}
	page_end(p);
	of_the_job(p, w, s);
}
