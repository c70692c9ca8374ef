/* filesystems.c - lists filesystems, and reads the space of each without ever blocking. */
#include "filesystems.h"

#include <poll.h>
#include <string.h>
#include <sys/stat.h>

/* A little less than a second, because ticks come a little early or late. */
static const int64_t LOCAL_NS = NS_PER_SECOND * 9 / 10;
static const int64_t REMOTE_NS = 10 * NS_PER_SECOND - NS_PER_SECOND / 10;
static const int64_t HANGING_NS = 5 * NS_PER_SECOND;
static const int64_t OLD_NS = 30 * NS_PER_SECOND;

enum { WORKER_JOBS = 4 };

static bool is_file(void *context, const char *point)
{
	const struct filesystems *f = context;
	struct stat status;

	return fstatat(f->root, point[1] ? point + 1 : ".", &status, 0) == 0 && !S_ISDIR(status.st_mode);
}

/* Copies what is known of a filesystem to the new list. */
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
			f->remote_ns = 0;       /* a new one is read at once */
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

/* The kernel reports a change once per descriptor (0.3 us); a captured list is simply read again. */
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

static struct filesystem *find(struct filesystems *f, const struct space_query *a)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->at[i].mount.major == a->major && f->at[i].mount.minor == a->minor &&
		    strcmp(f->at[i].mount.point, a->point) == 0)
			return &f->at[i];
	return NULL;
}

static void take_answers(struct filesystems *f, int64_t now_ns)
{
	for (size_t i = 0; i < f->space_schedule->n; i++) {
		const struct space_query *a = &f->space_schedule->at[i];
		struct filesystem *to = find(f, a);

		if (!to || a->result > 0)
			continue;
		to->known = a->result == 0;
		to->space = a->space;
		to->answered_ns = now_ns;
	}
	f->harvest = false;
	f->hanging_noted = false;
}

/* The worker is busy: checks whether one filesystem has blocked it for too long. */
static void watch(struct filesystems *f, struct tick *tick)
{
	int64_t now_ns = tick->out->monotonic_ns;
	size_t current = space_schedule_current(f->space_schedule);

	if (current != f->current || f->current_ns == 0) {
		f->current = current;
		f->current_ns = now_ns;
		return;
	}
	if (now_ns - f->current_ns < HANGING_NS || current >= f->space_schedule->n)
		return;

	/* The texts of the schedule do not change while the worker is busy. */
	struct filesystem *hanging = find(f, &f->space_schedule->at[current]);

	if (hanging)
		hanging->known = false;
	if (!f->hanging_noted)
		(void)why_set(tick->why, 0, "%s does not answer: its space is missing until it does",
			      f->space_schedule->at[current].point);
	f->hanging_noted = true;
}

static struct space_schedule *make_space_schedule(const struct filesystems *f)
{
	struct space_schedule *a = space_schedule_open(f->ask, f->live, f->root, f->n_blocking);

	for (size_t i = 0; a && i < f->n; i++)
		if (f->at[i].mount.may_block && space_schedule_add(a, &f->at[i].mount) < 0) {
			space_schedule_free(a);
			return NULL;
		}
	return a;
}

static bool is_space_query(const struct filesystems *f, struct worker *worker)
{
	return worker && f->space_schedule && worker_busy(worker, f->space_schedule);
}

static void ask_remote(struct filesystems *f, struct tick *tick, struct worker **worker)
{
	int64_t now_ns = tick->out->monotonic_ns;

	if (f->remote_ns && now_ns - f->remote_ns < REMOTE_NS)
		return;
	f->remote_ns = now_ns;
	if (!*worker && worker_open(worker, WORKER_JOBS) < 0) {
		if (!f->no_worker_noted)
			(void)why_set(tick->why, 0, "cannot create a thread: the space of network filesystems "
				      "is not read");
		f->no_worker_noted = true;
		return;
	}
	if (!f->space_schedule || f->list_is_new) {
		space_schedule_free(f->space_schedule);
		f->space_schedule = make_space_schedule(f);
		f->list_is_new = false;
	}
	if (f->space_schedule)
		atomic_store(&f->space_schedule->current, 0);
	f->current_ns = 0;
	f->harvest = f->space_schedule &&
		     worker_submit(*worker, (struct worker_job){ space_schedule_run, f->space_schedule }) == 0;
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

		/* A filesystem without blocks, or with the space of another one, is not a place for data. */
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

void filesystems_read(struct filesystems *f, struct tick *tick, struct worker **worker)
{
	int64_t now_ns = tick->out->monotonic_ns;

	if (f->info < 0)
		return;

	bool space_query = is_space_query(f, *worker);

	if (f->harvest && !space_query)
		take_answers(f, now_ns);
	list_again(f, tick);
	if (!f->asked_ns || now_ns - f->asked_ns >= LOCAL_NS)
		ask_local(f, now_ns);
	if (space_query)
		watch(f, tick);
	else if (f->n_blocking > 0)
		ask_remote(f, tick, worker);
	fill(f, tick->out);
}

void filesystems_stop(struct filesystems *f, bool lost)
{
	close_p(&f->info);
	mounts_release(&f->mounts);
	free(f->at);
	free(f->shares);
	if (!lost)
		space_schedule_free(f->space_schedule);
	f->at = NULL;
	f->shares = NULL;
	f->space_schedule = NULL;
	f->n = 0;
}
