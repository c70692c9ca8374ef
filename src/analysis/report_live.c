/* report_live.c - the page of a run that goes on. */
#include "report_live.h"

#include <string.h>

#include "../report/report_page.h"
#include "../text/shown.h"
#include "report_data.h"

/* A record that grows is read anew: its page is the same as that of a report, by the same code. */
struct live_run { const char *path; struct buffer last; bool running; };

/* The run alone, without the time of making, so that it can be compared. */
static int read_run(struct live_run *live, struct buffer *data, struct why *why)
{
	struct buffer run = { 0 };
	struct json j = json_to(&run);
	int r = report_data_live(&j, &live->running, live->path, why);

	if (r == 0 && run.failed)
		r = why_set(why, -ENOMEM, "out of memory");
	/* A run does not end by that; but what it does now is written to a file without a name. */
	if (r == 0 && !live->running && access(live->path, F_OK) < 0)
		r = why_set(why, -errno, "the record %s was removed", show_path(live->path).text);
	if (r < 0 || (run.len == live->last.len && memcmp(run.at, live->last.at, run.len) == 0)) {
		buffer_release(&run);
		return r;
	}
	buffer_release(&live->last);
	live->last = run;
	buffer_clear(data);
	j = json_to(data);
	report_data_head(&j, live->running);
	buffer_bytes(data, run.at, run.len);
	buffer_text(data, "]}");
	return data->failed ? why_set(why, -ENOMEM, "out of memory") : 1;
}

static int read_data(void *context, struct buffer *data, struct why *why)
{
	return read_run(context, data, why);
}

/* What is served may ask for the events, which what is opened as a file may not. */
static void write_page(void *context, struct buffer *out, const struct buffer *data)
{
	static const char policy[] = "default-src 'none'; ";
	struct word before = { "", 0 }, after = { "", 0 };

	(void)context;
	(void)report_page(&before, &after);

	const char *at = memmem(before.at, before.len, policy, sizeof policy - 1);
	size_t head = at ? (size_t)(at - before.at) + sizeof policy - 1 : 0;

	buffer_bytes(out, before.at, head);
	if (at)
		buffer_text(out, "connect-src 'self'; ");
	buffer_bytes(out, before.at + head, before.len - head);
	report_data_element(out, data);
	buffer_bytes(out, after.at, after.len);
}

static bool is_over(void *context)
{
	return !((const struct live_run *)context)->running;
}

int report_live_check(const char *path, struct why *why)
{
	struct buffer run = { 0 };
	struct json j = json_to(&run);
	bool running = false;
	int r = report_data_live(&j, &running, path, why);

	buffer_release(&run);
	return r == 0 && !running ? why_set(why, -EINVAL, "this run is over; its page: resource-tracker report %s",
					    show_path(path).text) : r;
}

int report_live(struct page_server *server, const char *path, struct why *why)
{
	struct live_run live = { .path = path };
	int r = page_server_run(server, &(struct page_source){ read_data, write_page, is_over, &live }, why);

	buffer_release(&live.last);
	return r;
}
