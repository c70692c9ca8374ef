/* config.c - parses a config file in a subset of TOML. */
#include "config.h"

#include <string.h>

#include "config_lexer.h"

enum { KEY_MAX = 256, PARTS_MAX = 16, NAMES_MAX = 2000 };

struct path {                                   /* a dotted key, and where its parts end */
	char text[KEY_MAX];
	size_t ends[PARTS_MAX], n;
};

/*
 * A name can be defined once, and a table opened by a header cannot be extended by dotted keys elsewhere.  IMPLIED:
 * the "a" of [a.b], which can still get its own header.
 */
enum name_kind { NAME_VALUE, NAME_TABLE, NAME_IMPLIED, NAME_DOTTED };
struct name {
	const char *text;
	enum name_kind kind;
	unsigned section;                       /* the header under which a DOTTED table began */
};

struct parser {
	struct lexer lexer;
	struct config *ret;
	struct path table;
	unsigned section;
	struct name names[NAMES_MAX];
	size_t n_names;
};

static struct name *find_name(struct parser *p, const char *text, size_t n)
{
	for (size_t i = 0; i < p->n_names; i++)
		if (strlen(p->names[i].text) == n && memcmp(p->names[i].text, text, n) == 0)
			return &p->names[i];
	return NULL;
}

static int add_name(struct parser *p, const char *text, size_t n, enum name_kind kind)
{
	const char *copy = arena_copy(p->lexer.arena, text, n);

	if (!copy)
		return why_set(p->lexer.why, -ENOMEM, "out of memory");
	if (p->n_names == NAMES_MAX)
		return lexer_wrong(&p->lexer, "the file has more keys than are read");
	p->names[p->n_names++] = (struct name){ copy, kind, p->section };
	return 0;
}

static int given_before(const struct parser *p, const struct path *path, size_t parts)
{
	return why_set(p->lexer.why, -EBADMSG, "'%.*s' is given a second time", (int)path->ends[parts - 1], path->text);
}

static int append(struct path *path, const char *part, bool bare)
{
	size_t at = path->n ? path->ends[path->n - 1] : 0;

	if (path->n == PARTS_MAX || at + 2 * strlen(part) + 4 > KEY_MAX)
		return -ENAMETOOLONG;
	if (path->n > 0)
		path->text[at++] = '.';
	if (!bare)
		path->text[at++] = '"';
	for (; *part; part++) {
		if (*part == '"' || *part == '\\')
			path->text[at++] = '\\';
		path->text[at++] = *part;
	}
	if (!bare)
		path->text[at++] = '"';
	path->text[at] = '\0';
	path->ends[path->n++] = at;
	return 0;
}

/* a.b."c d", with blanks around the dots. */
static int parse_key(struct parser *p, struct path *path)
{
	do {
		const char *part;
		bool bare;

		scan_blanks(&p->lexer.s);

		int r = lexer_key_part(&p->lexer, &part, &bare);

		if (r < 0)
			return r;
		if (append(path, part, bare) < 0)
			return lexer_wrong(&p->lexer, "a key is too long");
		scan_blanks(&p->lexer.s);
	} while (scan_literal(&p->lexer.s, "."));
	return 0;
}

static int parse_header(struct parser *p)
{
	struct path path = { .n = 0 };

	if (scan_literal(&p->lexer.s, "["))
		return lexer_wrong(&p->lexer, "[[arrays of tables]] are not understood here");

	int r = parse_key(p, &path);

	if (r < 0)
		return r;
	if (!scan_literal(&p->lexer.s, "]"))
		return lexer_wrong(&p->lexer, "a [table] has no closing bracket");
	p->section++;
	for (size_t i = 1; i <= path.n; i++) {
		struct name *name = find_name(p, path.text, path.ends[i - 1]);
		bool last = i == path.n;

		if (name && (name->kind == NAME_VALUE || (last && name->kind != NAME_IMPLIED)))
			return given_before(p, &path, i);
		if (name && last)
			name->kind = NAME_TABLE;
		r = name ? 0 : add_name(p, path.text, path.ends[i - 1], last ? NAME_TABLE : NAME_IMPLIED);
		if (r < 0)
			return r;
	}
	p->table = path;
	return lexer_line_end(&p->lexer);
}

static int claim_key(struct parser *p, const struct path *path)
{
	for (size_t i = p->table.n + 1; i <= path->n; i++) {
		struct name *name = find_name(p, path->text, path->ends[i - 1]);
		bool open = name && (name->kind == NAME_IMPLIED ||
				     (name->kind == NAME_DOTTED && name->section == p->section));
		int r = 0;

		if (name && (i == path->n || !open))
			return given_before(p, path, i);
		if (!name)
			r = add_name(p, path->text, path->ends[i - 1], i == path->n ? NAME_VALUE : NAME_DOTTED);
		else
			*name = (struct name){ name->text, NAME_DOTTED, p->section };
		if (r < 0)
			return r;
	}
	return 0;
}

/* Grows in powers of two; outgrown memory stays in the arena. */
static void *grown(struct arena *arena, void *items, size_t n, size_t size)
{
	if (n & (n - 1))
		return items;

	void *more = arena_take(arena, (n ? 2 * n : 1) * size);

	if (more && n > 0)
		memcpy(more, items, n * size);
	return more;
}

static int parse_array(struct parser *p, struct config_entry *entry)
{
	struct config_value *values = NULL;
	struct lexer *l = &p->lexer;

	entry->array = true;
	for (;;) {
		lexer_lines(l);
		if (scan_literal(&l->s, "]"))
			break;
		if (l->s.at == l->s.end)
			return lexer_wrong(l, "an array has no closing bracket");
		values = grown(l->arena, values, entry->n_values, sizeof *values);
		if (!values)
			return why_set(l->why, -ENOMEM, "out of memory");

		int r = lexer_value(l, &values[entry->n_values]);

		if (r < 0)
			return r;
		entry->n_values++;
		lexer_lines(l);
		if (!scan_literal(&l->s, ",") && (l->s.at == l->s.end || *l->s.at != ']'))
			return lexer_wrong(l, "in an array a comma or the closing bracket was expected");
	}
	entry->values = values;
	return 0;
}

static int parse_value(struct parser *p, struct config_entry *entry)
{
	if (scan_literal(&p->lexer.s, "["))
		return parse_array(p, entry);

	struct config_value *value = arena_take(p->lexer.arena, sizeof *value);

	if (!value)
		return why_set(p->lexer.why, -ENOMEM, "out of memory");
	entry->values = value;
	entry->n_values = 1;
	return lexer_value(&p->lexer, value);
}

static int parse_entry(struct parser *p)
{
	struct path path = p->table;
	struct config_entry entry = { .line = p->lexer.line };
	int r = parse_key(p, &path);

	if (r < 0)
		return r;
	if (!scan_literal(&p->lexer.s, "="))
		return lexer_wrong(&p->lexer, "a key is not followed by = and a value");
	scan_blanks(&p->lexer.s);
	r = claim_key(p, &path);
	if (r < 0)
		return r;
	entry.key = arena_copy(p->lexer.arena, path.text, path.ends[path.n - 1]);
	r = parse_value(p, &entry);
	if (r < 0)
		return r;
	p->ret->entries = grown(p->lexer.arena, p->ret->entries, p->ret->n_entries, sizeof entry);
	if (!p->ret->entries || !entry.key)
		return why_set(p->lexer.why, -ENOMEM, "out of memory");
	p->ret->entries[p->ret->n_entries++] = entry;
	return lexer_line_end(&p->lexer);
}

/* Control characters other than tab and line ends are not allowed. */
static int check_bytes(struct lexer *l)
{
	const struct scan all = l->s;

	for (const char *c = all.at; c < all.end; c++) {
		bool line_end = *c == '\n' || (*c == '\r' && c + 1 < all.end && c[1] == '\n');

		if (((unsigned char)*c < ' ' && *c != '\t' && !line_end) || *c == 0x7f)
			return lexer_wrong(l, "the text contains a control character");
		l->line += *c == '\n';
	}
	l->line = 1;
	return 0;
}

int config_parse(struct config *ret, struct arena *arena, const char *text, size_t n, unsigned *ret_line,
		 struct why *why)
{
	struct config config = { 0 };
	struct parser *p = calloc(1, sizeof *p);

	*ret_line = 1;
	if (!p)
		return why_set(why, -ENOMEM, "out of memory");
	p->lexer = (struct lexer){ scan_of(text, n), 1, arena, why };
	p->ret = &config;

	int r = n > CONFIG_BYTES_MAX ? lexer_wrong(&p->lexer, "the file is larger than 1 MiB")
				     : check_bytes(&p->lexer);

	(void)scan_literal(&p->lexer.s, "\xef\xbb\xbf");        /* a byte order mark, which some editors write */
	for (; r == 0; r = scan_literal(&p->lexer.s, "[") ? parse_header(p) : parse_entry(p)) {
		lexer_lines(&p->lexer);
		if (p->lexer.s.at == p->lexer.s.end)
			break;
	}
	*ret_line = p->lexer.line;
	free(p);
	if (r == 0)
		*ret = config;
	return r;
}
