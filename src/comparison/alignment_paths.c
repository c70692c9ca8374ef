/* alignment_paths.c - two recordings as rows with their times. */
#include "alignment.h"

#include "../readers/recording.h"

static bool next(void *from, struct timed_row *ret)
{
	struct recording *r = from;
	const struct sample *s;

	if (!recording_next(r))
		return false;
	s = recording_sample(r);
	ret->wall_ns = s->wall_ns;
	ret->interval_seconds = s->interval_seconds;
	ret->total = s->total;
	return true;
}

int alignment_of_paths(struct buffer *out, const char *const paths[2],
		       void (*write)(struct buffer *, const struct alignment *, const char *const names[2]),
		       struct why *why)
{
	struct recording *r[2] = { NULL, NULL };
	struct alignment a = { .of = NULL };
	int result = recording_open(&r[0], paths[0], why);

	if (result == 0)
		result = recording_open(&r[1], paths[1], why);
	if (result == 0 && alignment_read(&a, (struct row_source){ next, r[0] }, (struct row_source){ next, r[1] }) < 0)
		result = why_set(why, -ENOMEM, "out of memory");
	for (size_t i = 0; result == 0 && i < 2; i++)
		if (recording_failed(r[i], why))
			result = -EBADMSG;
	if (result == 0 && a.joined == 0)
		result = why_set(why, -ENODATA, "no row of one is within half an interval of one of the other: "
				 "are they of the same time?");
	if (result == 0)
		write(out, &a, paths);
	alignment_release(&a);
	recording_close(r[0]);
	recording_close(r[1]);
	return result;
}
