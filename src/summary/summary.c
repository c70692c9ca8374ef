/* summary.c - the end summary: what people read after a run. */
#include "summary.h"

#include "summary_parts.h"

void summary_write(struct buffer *out, const struct summary *s, const struct summary_style *style)
{
	struct page p = { .out = out, .style = *style };
	struct phrase w = { { 0 } };

	page_title(&p, "resource-tracker");
	summary_what_ran(&p, &w, s);
	summary_how_it_ended(&p, &w, s);
	summary_cpu(&p, &w, s);
	summary_time(&p, &w, s);
	summary_memory(&p, &w, s);
	summary_gpu(&p, &w, s);
	summary_disk_and_network(&p, &w, s);
	summary_last_minute(&p, &w, s);
	summary_programs(&p, &w, s);
	summary_regions(&p, &w, s);
	summary_tracker(&p, &w, s);
	summary_warnings(&p, s);
	if (s->record_path) {
		page_label(&p, "Record", INK_PLAIN);
		page_unbroken(&p, s->record_path);
		page_end(&p);
	}
	buffer_release(&w.text);
}
