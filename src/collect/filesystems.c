/* filesystems.c - which filesystems there are, and asking each for its space without ever waiting. */
#include "filesystems.h"

#include <poll.h>
#include <string.h>
#include <sys/stat.h>

/* A little less than a second: ticks come a little early and late. */
static const int64_t LOCAL_NS = NS_PER_SECOND * 9 / 10;
static const int64_t REMOTE_NS = 10 * NS_PER_SECOND - NS_PER_SECOND / 10;
static const int64_t HANGING_NS = 5 * NS_PER_SECOND;
static const int64_t OLD_NS = 30 * NS_PER_SECOND;

enum { LANE_JOBS = 4 };

static bool is_file(void *context, const char *point)
{
	const struct filesystems *f = context;
	struct stat status;

	return fstatat(f->root, point[1] ? point + 1 : ".", &status, 0) == 0 && !S_ISDIR(status.st_mode);
}

/* What is known of a filesystem lives on in the new list. */
static void carry_over(const struct filesystems *old, struct filesystem *now)
{
	for (size_t i = 0; i < old->n; i++) {
		const struct filesystem *was = &old->at[i];

		if (was->mount.major == now->mount.major && was->mount.minor == now->mount.minor &&
		    strcmp(was->mount.point, now->mount.point) == 0) {
			now->answered_ns = was->answered_ns;
			now->known = was->known;
			now->space = was->space;
			return;
		}
	}
}

static int make_list(struct filesystems *f, struct text *text)
{
	struct mounts mounts;
	int r = text_read(text, f->info);

	if (r == 0)
		r = mounts_parse(&mounts, text->at, text->len);
	if (r < 0)
		return r;
	mounts_select(&mounts, is_file, f);

	struct filesystem *at = calloc(mounts.n + 1, sizeof *at);
	struct space_share *shares = calloc(mounts.n + 1, sizeof *shares);

	if (!at || !shares) {
		free(at);
		free(shares);
		mounts_release(&mounts);
		return -ENOMEM;
	}
	f->n_blocking = 0;
	for (size_t i = 0; i < mounts.n; i++) {
		at[i].mount = mounts.at[i];
		mount_device(at[i].device, f->sys, &at[i].mount);
		carry_over(f, &at[i]);
		f->n_blocking += at[i].mount.may_block;
		if (at[i].mount.may_block && at[i].answered_ns == 0)
			f->remote_ns = 0;       /* a new one is asked at once */
	}
	mounts_release(&f->mounts);
	free(f->at);
	free(f->shares);
	f->mounts = mounts;
	f->at = at;
	f->shares = shares;
	f->n = mounts.n;
	f->list_is_new = true;
	return 0;
}

/* The kernel tells a change once for each descriptor (0.3 us); a captured list is simply read again. */
static bool has_changed(const struct filesystems *f)
{
	struct pollfd p = { .fd = f->info, .events = POLLPRI };

	return !f->live || (poll(&p, 1, 0) > 0 && (p.revents & (POLLPRI | POLLERR)));
}

static void list_again(struct filesystems *f, struct tick *tick)
{
	int64_t now_ns = tick->out->monotonic_ns;

	f->stale = f->stale || has_changed(f);
	if (!f->stale || (f->listed_ns && now_ns - f->listed_ns < LOCAL_NS))
		return;
	f->listed_ns = now_ns;
	f->asked_ns = 0;                        /* new ones have no space yet */
	f->stale = make_list(f, tick->text) < 0;
}

static void ask_local(struct filesystems *f, int64_t now_ns)
{
	for (size_t i = 0; i < f->n; i++) {
		struct filesystem *a = &f->at[i];

		if (a->mount.may_block)
			continue;
		a->known = f->ask(&a->space, f->live, f->root, a->mount.point,
				  a->mount.major, a->mount.minor) == 0;
		a->answered_ns = now_ns;
	}
	f->asked_ns = now_ns;
}

static struct filesystem *find(struct filesystems *f, const struct asking *a)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->at[i].mount.major == a->major && f->at[i].mount.minor == a->minor &&
		    strcmp(f->at[i].mount.point, a->point) == 0)
			return &f->at[i];
	return NULL;
}

static void take_answers(struct filesystems *f, int64_t now_ns)
{
	for (size_t i = 0; i < f->askings->n; i++) {
		const struct asking *a = &f->askings->at[i];
		struct filesystem *to = find(f, a);

		if (!to || a->result > 0)
			continue;
		to->known = a->result == 0;
		to->space = a->space;
		to->answered_ns = now_ns;
	}
	f->harvest = false;
	f->told_hanging = false;
}

/* The lane is at work: has it been at the same one for too long? */
static void watch(struct filesystems *f, struct tick *tick)
{
	int64_t now_ns = tick->out->monotonic_ns;
	size_t current = askings_current(f->askings);

	if (current != f->current || f->current_ns == 0) {
		f->current = current;
		f->current_ns = now_ns;
		return;
	}
	if (now_ns - f->current_ns < HANGING_NS || current >= f->askings->n)
		return;

	/* Its texts do not change while the lane is busy. */
	struct filesystem *hanging = find(f, &f->askings->at[current]);

	if (hanging)
		hanging->known = false;
	if (!f->told_hanging)
		(void)why_set(tick->why, 0, "%s does not answer: its space is missing until it does",
			      f->askings->at[current].point);
	f->told_hanging = true;
}

static struct askings *make_askings(const struct filesystems *f)
{
	struct askings *a = askings_open(f->ask, f->live, f->root, f->n_blocking);

	for (size_t i = 0; a && i < f->n; i++)
		if (f->at[i].mount.may_block && askings_add(a, &f->at[i].mount) < 0) {
			askings_free(a);
			return NULL;
		}
	return a;
}

static bool is_asking(const struct filesystems *f, struct lane *lane)
{
	return lane && f->askings && lane_busy(lane, f->askings);
}

static void ask_remote(struct filesystems *f, struct tick *tick, struct lane **lane)
{
	int64_t now_ns = tick->out->monotonic_ns;

	if (f->remote_ns && now_ns - f->remote_ns < REMOTE_NS)
		return;
	f->remote_ns = now_ns;
	if (!*lane && lane_open(lane, LANE_JOBS) < 0) {
		if (!f->told_no_lane)
			(void)why_set(tick->why, 0, "no thread can be had: network filesystems are not asked "
				      "for their space");
		f->told_no_lane = true;
		return;
	}
	if (!f->askings || f->list_is_new) {
		askings_free(f->askings);
		f->askings = make_askings(f);
		f->list_is_new = false;
	}
	if (f->askings)
		atomic_store(&f->askings->current, 0);
	f->current_ns = 0;
	f->harvest = f->askings &&
		     lane_submit(*lane, (struct lane_job){ askings_run, f->askings }) == 0;
}

static void fill(struct filesystems *f, struct sample *out)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct filesystem *a = &f->at[i];
		bool is_pool = f->pools_known && strcmp(a->mount.type, "zfs") == 0;

		f->shares[i] = (struct space_share){
			.space = a->space, .class = a->mount.class, .is_file = a->mount.is_file,
			.is_fuse = mount_is_fuse(a->mount.type), .source = a->mount.source,
			.known = a->known && !is_pool && out->monotonic_ns - a->answered_ns < OLD_NS &&
				 a->space.blocks > 0,
		};
	}
	space_total(&out->total, f->shares, f->n);
	for (size_t i = 0; i < f->n; i++) {
		const struct filesystem *a = &f->at[i];
		const struct space_share *share = &f->shares[i];

		/* Something that has no blocks, or whose space is another's, is no place to put data. */
		if (a->known && (a->space.blocks == 0 || (a->mount.is_file && !share->counted)))
			continue;
		if (f->pools_known && strcmp(a->mount.type, "zfs") == 0)
			continue;

		struct mount_row *row = sample_add_mount(out, a->mount.point);

		if (!row)
			continue;
		(void)word_copy(word_of(a->device), row->device, sizeof row->device);
		(void)word_copy(word_of(a->mount.type), row->filesystem, sizeof row->filesystem);
		if (share->known)
			space_fill(row, &a->space);
	}
}

void filesystems_start(struct filesystems *f, const struct source *src)
{
	f->sys = src->sys;
	f->root = src->root;
	f->live = src->live;
	f->ask = space_ask;
	f->stale = true;
	f->info = source_open_file(src->proc, "self/mountinfo");
}

void filesystems_read(struct filesystems *f, struct tick *tick, struct lane **lane)
{
	int64_t now_ns = tick->out->monotonic_ns;

	if (f->info < 0)
		return;

	bool asking = is_asking(f, *lane);

	if (f->harvest && !asking)
		take_answers(f, now_ns);
	list_again(f, tick);
	if (!f->asked_ns || now_ns - f->asked_ns >= LOCAL_NS)
		ask_local(f, now_ns);
	if (asking)
		watch(f, tick);
	else if (f->n_blocking > 0)
		ask_remote(f, tick, lane);
	fill(f, tick->out);
}

void filesystems_stop(struct filesystems *f, bool lost)
{
	close_p(&f->info);
	mounts_release(&f->mounts);
	free(f->at);
	free(f->shares);
	if (!lost)
		askings_free(f->askings);
	f->at = NULL;
	f->shares = NULL;
	f->askings = NULL;
	f->n = 0;
}
