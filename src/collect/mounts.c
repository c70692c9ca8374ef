/* mounts.c - parses /proc/self/mountinfo, and selects the filesystems to list. */
#include "mounts.h"

#include <string.h>

static bool is_octal(char c) { return c >= '0' && c <= '7'; }

/* Blank, tab, newline and backslash are escaped as \040, \011, \012, \134 (fs/proc_namespace.c: mangle). */
static char *decode(char **at, struct word w)
{
	char *first = *at, *p = first;

	for (size_t i = 0; i < w.len; i++) {
		const char *c = w.at + i;

		if (*c == '\\' && w.len - i > 3 && is_octal(c[1]) && is_octal(c[2]) && is_octal(c[3]) &&
		    c[1] < '4') {
			*p++ = (char)((c[1] - '0') << 6 | (c[2] - '0') << 3 | (c[3] - '0'));
			i += 3;
		} else {
			*p++ = *c;
		}
	}
	*p++ = '\0';
	*at = p;
	return first;
}

static bool small(struct scan *s, unsigned *ret)
{
	uint64_t value;

	if (!scan_u64(s, &value) || value > UINT32_MAX)
		return false;
	*ret = (unsigned)value;
	return true;
}

/* 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue */
static bool parse_line(struct scan *s, struct mount *ret, char **strings)
{
	struct mount m = { 0 };
	struct word root, point, w, type, source;

	if (!small(s, &m.id) || !small(s, &m.parent) || !small(s, &m.major) || !scan_literal(s, ":") ||
	    !small(s, &m.minor) || !scan_word(s, &root) || !scan_word(s, &point) || !scan_word(s, &w))
		return false;
	do {
		if (!scan_word(s, &w))
			return false;
	} while (!word_is(w, "-"));
	if (!scan_word(s, &type))
		return false;
	/* An empty source leaves two adjacent blanks: the next word would be the options. */
	if (!scan_literal(s, " ") || (s->at < s->end && *s->at == ' ') || !scan_word(s, &source))
		source = (struct word){ "", 0 };
	m.root = decode(strings, root);
	m.point = decode(strings, point);
	m.type = decode(strings, type);
	m.source = decode(strings, source);
	*ret = m;
	return true;
}

int mounts_parse(struct mounts *ret, const char *text, size_t n)
{
	struct scan s = scan_of(text, n);
	size_t lines = 1;

	for (const char *p = text; (p = memchr(p, '\n', (size_t)(s.end - p))) != NULL; p++)
		lines++;
	*ret = (struct mounts){ 0 };
	/* Decoded fields are never longer than the line; the fields left out make room for the terminators. */
	ret->text = malloc(n + 1);
	ret->at = calloc(lines, sizeof *ret->at);
	if (!ret->text || !ret->at) {
		mounts_release(ret);
		return -ENOMEM;
	}

	char *strings = ret->text;

	while (s.at < s.end) {
		if (parse_line(&s, &ret->at[ret->n], &strings))
			ret->n++;
		(void)scan_next_line(&s);
	}
	return 0;
}

void mounts_release(struct mounts *m)
{
	free(m->text);
	free(m->at);
	*m = (struct mounts){ 0 };
}

bool path_is_below(const char *path, const char *directory)
{
	size_t n = strlen(directory);

	if (n == 1 && directory[0] == '/')
		return true;
	return strncmp(path, directory, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

static bool is_system(const char *point)
{
	return path_is_below(point, "/proc") || path_is_below(point, "/sys") ||
	       path_is_below(point, "/dev") || path_is_below(point, "/run");
}

static const struct mount *find_id(const struct mounts *m, unsigned id)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->at[i].id == id)
			return &m->at[i];
	return NULL;
}

static bool is_covered_itself(const struct mounts *m, const struct mount *a)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct mount *b = &m->at[i];

		if (b == a)
			continue;
		/* Mounted on top of it ... */
		if (b->parent == a->id && strcmp(b->point, a->point) == 0)
			return true;
		/* ... or over a directory on the way to it, in the same filesystem. */
		if (b->parent == a->parent && strcmp(b->point, a->point) != 0 &&
		    path_is_below(a->point, b->point))
			return true;
	}
	return false;
}

/* The path of its mount point leads to another mount. */
static bool is_covered(const struct mounts *m, const struct mount *a)
{
	/* Nested mounts are few; a malformed text could have a cycle. */
	for (unsigned depth = 0; a && depth < 64; depth++) {
		if (is_covered_itself(m, a))
			return true;

		const struct mount *parent = a->parent == a->id ? NULL : find_id(m, a->parent);

		/* The parent of a pivoted root has the same mount point. */
		if (parent && strcmp(parent->point, a->point) == 0)
			return false;
		a = parent;
	}
	return false;
}

static bool is_behind_remote(const struct mounts *m, const struct mount *a)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct mount *b = &m->at[i];

		if (b != a && (b->class == MOUNT_REMOTE || strcmp(b->type, "autofs") == 0) &&
		    path_is_below(a->point, b->point) && strcmp(b->point, "/") != 0)
			return true;
	}
	return false;
}

/* a represents their filesystem better than b, which comes later in the list. */
static bool is_better(const struct mount *a, const struct mount *b)
{
	if (a->is_file != b->is_file)
		return b->is_file;
	return strlen(a->point) <= strlen(b->point);
}

static void drop_repeated(struct mounts *m)
{
	size_t kept = 0;

	for (size_t i = 0; i < m->n; i++) {
		struct mount *a = &m->at[i];

		for (size_t j = 0; j < m->n && a->class != MOUNT_NONE; j++) {
			const struct mount *b = &m->at[j];

			if (j != i && b->class != MOUNT_NONE && b->major == a->major && b->minor == a->minor &&
			    (j < i ? is_better(b, a) : !is_better(a, b)))
				a->class = MOUNT_NONE;
		}
	}
	for (size_t i = 0; i < m->n; i++)
		if (m->at[i].class != MOUNT_NONE)
			m->at[kept++] = m->at[i];
	m->n = kept;
}

void mounts_select(struct mounts *m, bool (*is_file)(void *context, const char *point), void *context)
{
	for (size_t i = 0; i < m->n; i++) {
		struct mount *a = &m->at[i];

		a->class = is_system(a->point) ? MOUNT_NONE :
			   mount_classify(a->type, a->source, a->major, strcmp(a->point, "/") == 0);
	}
	/* Only all lines together show which mounts are covered, so none can be dropped before this. */
	for (size_t i = 0; i < m->n; i++) {
		struct mount *a = &m->at[i];

		if (a->class != MOUNT_NONE && is_covered(m, a))
			a->class = MOUNT_NONE;
	}
	for (size_t i = 0; i < m->n; i++) {
		struct mount *a = &m->at[i];

		if (a->class == MOUNT_NONE)
			continue;
		a->may_block = a->class == MOUNT_REMOTE || is_behind_remote(m, a);
		if (!a->may_block && strcmp(a->root, "/") != 0)
			a->is_file = is_file(context, a->point);
	}
	drop_repeated(m);
}
