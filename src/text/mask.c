/* mask.c - masks secrets in command lines. */
#include "mask.h"

#include <string.h>
#include <strings.h>

#include "mask_names.h"

enum form { ATTACHED, EITHER, SEPARATE, CLUSTER, NO_SECRET };

static const struct mask_option { const char *programs, *option; char separator; enum form form; } options[] = {
#define OPTION(programs, option, separator, form) { programs, option, separator, form },
#include "mask.def"
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }
static bool is_quote(char c) { return c == '"' || c == '\''; }

/* The argument, and the current word of it. */
struct place { const char *argument, *argument_end, *word, *end; bool script; };

static bool blank_at(const char *at, const char *end) { return at == end || is_blank(*at); }

static void hide(struct buffer *out, const char *from, const char *secret)
{
	buffer_bytes(out, from, (size_t)(secret - from));
	buffer_text(out, "***");
}

/* The end of the quoted text at `at`, after its quote; NULL: not quoted. */
static const char *past_quoted(const char *at, const char *end)
{
	bool escaped = end - at > 1 && *at == '\\' && is_quote(at[1]);
	const char *open = at + escaped, *close;

	if (open + 1 >= end || !is_quote(*open))
		return NULL;
	close = memchr(open + 1, *open, (size_t)(end - open - 1));
	return close ? close + 1 : NULL;
}

/* ---- start and end of a secret in a word ----------------------------------------------------- */

/* The end of a named value: its closing quote, the end of the word, or of an argument that is only this option. */
static const char *value_end(const struct place *p, const char *name, const char *value)
{
	const char *quoted = past_quoted(value, p->argument_end), *start = p->argument;

	if (quoted)
		return quoted > p->end ? quoted : p->end;
	while (start < p->argument_end && *start == '-')
		start++;
	return name == start && !p->script ? p->argument_end : p->end;
}

/* The value of a header: up to the quote around the header, or the end of the argument; its first word can stay. */
static struct word header_secret(const struct place *p, const char *name, const char *value)
{
	bool quoted = name > p->argument && is_quote(name[-1]);
	const char *end = quoted ? memchr(value, name[-1], (size_t)(p->argument_end - value)) : NULL, *stop;

	end = end ? end : p->argument_end;
	while (value < end && is_blank(*value))
		value++;
	for (stop = value; stop < end && !is_blank(*stop); stop++)
		;
	if (word_is_scheme((struct word){ value, (size_t)(stop - value) }) && stop < end)
		value = stop + 1;
	return (struct word){ value, (size_t)(end - value) };
}

/* name:V is a secret if the name looks like an option, a quoted key or the name of a header; not in an address. */
static bool colon_names(const struct place *p, struct word name, const char *colon)
{
	if (colon + 2 < p->end && colon[1] == '/' && colon[2] == '/')
		return false;
	return is_quote(colon[-1]) || *p->word == '-' || *p->word == '/' || name_has_parts(name);
}

/* Whether `at` is an = or : after the name of a secret.  ret: its value, which can be empty. */
static bool named_secret(const struct place *p, struct word name, const char *at, struct word *ret)
{
	bool query = name.at > p->word && (name.at[-1] == '?' || name.at[-1] == '&');
	bool first = name.at == p->word && at == name.at + name.len;
	enum name_place place = query ? NAME_IN_QUERY : first ? NAME_OF_DATA : NAME_ELSEWHERE;
	const char *value = at + 1;

	if (name.len == 0)
		return false;
	if (name.at[0] == '-' && *at == '=')
		place = NAME_ELSEWHERE;
	while (name.len > 0 && *name.at == '-') {
		name.at++;
		name.len--;
	}
	if (name_is_header(name)) {
		*ret = header_secret(p, name.at, value);
		return true;
	}
	if (!name_is_secret(name, place) || (*at == ':' && !colon_names(p, name, at)))
		return false;
	if (*at == ':' && *value == '=')                /* password:=V */
		value++;
	*ret = (struct word){ value, value < p->end ? (size_t)(value_end(p, name.at, value) - value) : 0 };
	return true;
}

/* The password of an address with its :// at `mark`, or the user alone in a web address: it can be a token. */
static bool url_secret(const struct place *p, const char *mark, struct word *ret)
{
	const char *host = mark + 3, *stop = host, *colon = NULL, *at = NULL;
	bool web = mark - p->word >= 4 && (memcmp(mark - 4, "http", 4) == 0 || memcmp(mark - 4, "ttps", 4) == 0);

	for (; stop < p->end && *stop != '/' && *stop != '?' && *stop != '#'; stop++) {
		if (*stop == ':' && !colon)
			colon = stop;
		if (*stop == '@')
			at = stop;
	}
	if (!at || ((!colon || colon > at) && !web))
		return false;

	const char *first = colon && colon < at ? colon + 1 : host;

	*ret = (struct word){ first, (size_t)(at - first) };
	return ret->len > 0;
}

/* -----BEGIN RSA PRIVATE KEY-----...-----END RSA PRIVATE KEY----- */
static bool pem_secret(const struct place *p, const char *at, struct word *ret)
{
	static const char begin[] = "-----BEGIN ", kind[] = "PRIVATE KEY", end[] = "-----END ", dashes[] = "-----";
	size_t n = (size_t)(p->argument_end - at);

	if (n < sizeof begin - 1 || memcmp(at, begin, sizeof begin - 1) != 0 ||
	    !memmem(at, size_min(n, 64), kind, sizeof kind - 1))
		return false;

	const char *from = memmem(at, size_min(n, 64), kind, sizeof kind - 1), *past = p->argument_end;

	from += sizeof kind - 1;

	const char *last = memmem(from, (size_t)(past - from), end, sizeof end - 1);

	if (last) {
		const char *close = memmem(last + 9, (size_t)(past - last - 9), dashes, sizeof dashes - 1);

		past = close ? close + sizeof dashes - 1 : past;
	}
	*ret = (struct word){ from, (size_t)(past - from) };
	return true;
}

/* The first secret at or after `from` in the word; an empty one is at its end. */
static bool find_secret(const struct place *p, const char *from, struct word *ret)
{
	const char *name = from;                        /* the start of the name that reaches up to `at` */
	size_t prefix;

	for (const char *at = from; at < p->end; at++) {
		bool starts = at == p->word || !is_name_char(at[-1]);
		size_t n = starts ? token_length(at, p->end, &prefix) : 0;

		if (n > 0) {
			*ret = (struct word){ at + prefix, n - prefix };
			return true;
		}
		if (*at == '-' && starts && pem_secret(p, at, ret))
			return true;
		if (*at == ':' && p->end - at > 2 && at[1] == '/' && at[2] == '/' && url_secret(p, at, ret))
			return true;
		if (*at == '=' || *at == ':') {
			const char *stop = at;

			while (stop > name && (is_quote(stop[-1]) || stop[-1] == ']' || stop[-1] == '\\'))
				stop--;
			if (named_secret(p, (struct word){ name, (size_t)(stop - name) }, at, ret))
				return true;
		}
		/* A closing character is part of the name: "name":, [name]=. */
		if (!is_name_char(*at) && !(at > name && (is_quote(*at) || *at == ']' || *at == '\\')))
			name = at + 1;
	}
	return false;
}

/* ---- options of programs --------------------------------------------------------------------- */

/* The word in a list separated by blanks; empty: not in it. */
static struct word listed(const char *list, struct word word)
{
	while (*list) {
		size_t n = strcspn(list, " ");

		if (n == word.len && memcmp(list, word.at, n) == 0)
			return (struct word){ list, n };
		list += n + (list[n] == ' ');
	}
	return (struct word){ "", 0 };
}

static void see_program(struct mask *m, const struct place *p)
{
	const char *base = p->word, *end = p->end;

	while (base < end && is_quote(*base))
		base++;
	for (const char *at = base; at < end; at++)
		if (*at == '/')
			base = at + 1;

	for (size_t i = 0; i < countof(options); i++) {
		struct word known = listed(options[i].programs, (struct word){ base, (size_t)(end - base) });

		if (known.len > 0 && *known.at != '*')
			m->program = known;
	}
}

/* -sSu: the last of several letters takes the value. */
static bool ends_cluster(const struct mask_option *o, const char *word, const char *end)
{
	if (o->form != CLUSTER || o->option[2] || end - word < 3 || word[0] != '-' || word[1] == o->option[1] ||
	    end[-1] != o->option[1])
		return false;
	for (const char *at = word + 1; at < end; at++)
		if ((*at | ' ') < 'a' || (*at | ' ') > 'z')
			return false;
	return true;
}

/* The start of this option's value in the word; `end`: it is the next word; NULL: not this option. */
static const char *option_value(const struct mask_option *o, const char *word, const char *end)
{
	size_t n = strlen(o->option), length = (size_t)(end - word);

	if (ends_cluster(o, word, end))
		return end;
	if (length < n || memcmp(word, o->option, n) != 0)
		return NULL;
	if (length == n)
		return o->form == ATTACHED ? NULL : end;
	if (o->form == SEPARATE)
		return NULL;
	if (o->option[0] == '-' && o->option[1] == '-')
		return word[n] == '=' ? word + n + 1 : NULL;
	return o->option[0] == '-' && n > 2 && o->form != ATTACHED ? NULL : word + n;
}

/* The secret part of a value: all, or the part after the separator.  user:V, but not 1000:1000 or host:/path. */
static const char *secret_part(const char *value, const char *end, char separator)
{
	bool numbers = true;
	const char *at = value;

	if (!separator)
		return value;
	if (separator == '@' && !memchr(value, '@', (size_t)(end - value)))
		return NULL;
	if (separator == '@')
		separator = ':';
	while (at < end && is_quote(*at))
		at++;
	if (separator == '=')
		at = memchr(at, '=', (size_t)(end - at));
	else
		for (; at < end && *at != separator && (is_name_char(*at) || *at == '@' || *at == '\\'); at++)
			numbers = numbers && *at >= '0' && *at <= '9';
	if (!at || at == end || (*at != separator))
		return NULL;
	at++;
	for (const char *c = at; c < end; c++)
		numbers = numbers && *c >= '0' && *c <= '9';
	return at == end || (separator != '=' && numbers) || (separator == ':' && *at == '/') ? NULL : at;
}

/* true: the word was an option of the table, and is written. */
static bool mask_option(struct mask *m, struct buffer *out, const struct place *p)
{
	for (size_t i = 0; i < countof(options); i++) {
		const struct mask_option *o = &options[i];
		const char *value, *secret, *end = p->end;

		value = option_value(o, p->word, end);
		if (!value || (*o->programs != '*' && listed(o->programs, m->program).len == 0))
			continue;
		if (o->form == NO_SECRET || value == end) {
			m->next = o->form == NO_SECRET ? MASK_NOTHING : o->separator ? MASK_AFTER : MASK_VALUE;
			m->separator = o->separator;
			buffer_bytes(out, p->word, (size_t)(end - p->word));
			return true;
		}
		secret = secret_part(value, end, o->separator);
		if (!secret)
			return false;
		hide(out, p->word, secret);
		return true;
	}
	return false;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_word(const char *word, const char *end, const char *text)
{
	return (size_t)(end - word) == strlen(text) && strncasecmp(word, text, strlen(text)) == 0;
}

/* What a word announces about the next: -x, --api-key, X-Api-Key:, Bearer, set NAME. */
static enum mask_next announces(const struct mask *m, const char *word, const char *end)
{
	const char *at = word;
	bool option, colon;

	while (at < end && (is_quote(*at) || *at == '{' || *at == '('))
		at++;
	while (end > at && is_quote(end[-1]))
		end--;
	option = at < end && *at == '-';
	colon = at < end && end[-1] == ':';
	end -= colon;
	while (end > at && (is_quote(end[-1]) || end[-1] == '\\'))
		end--;

	const char *name = end;

	while (name > at && is_name_char(name[-1]))
		name--;
	while (name < end && *name == '-')
		name++;

	struct word what = { name, (size_t)(end - name) };

	if (what.len == 6 && word_is_scheme(what) && (what.at[0] | ' ') == 'b')
		return MASK_VALUE;                      /* Bearer, anywhere */
	if (m->identified && is_word(word, end, "by"))
		return MASK_VALUE;                      /* SQL: IDENTIFIED BY 'V' */
	if (!name_is_secret(what, NAME_ELSEWHERE))
		return colon && name_is_header(what) ? MASK_VALUE : MASK_NOTHING;
	return option || colon || m->setting ? MASK_VALUE : MASK_NAMED;
}

static bool is_assignment(const char *word, const char *end)
{
	static const char *const signs[] = { "=", ":=", "=>", ":", "==" };
	struct word w = { word, (size_t)(end - word) };

	for (size_t i = 0; i < countof(signs); i++)
		if (word_is(w, signs[i]))
			return true;
	return false;
}

/* Shell operators: a word before one has no value. */
static bool is_operator(const char *word, const char *end)
{
	for (; word < end; word++)
		if (!strchr("&|;", *word))
			return false;
	return true;
}

/* The word is an announced value: masks it and returns where to continue; NULL if it is not a value after all. */
static const char *mask_announced(struct mask *m, struct buffer *out, const struct place *p)
{
	enum mask_next next = m->next;
	const char *end = p->end, *secret = p->word;

	m->next = MASK_NOTHING;
	if ((next == MASK_NAMED || next == MASK_VALUE) && is_assignment(p->word, end)) {
		m->next = MASK_VALUE;
		buffer_bytes(out, p->word, (size_t)(end - p->word));
		return end;
	}
	if (next == MASK_NAMED && past_quoted(p->word, p->argument_end))
		next = MASK_VALUE;                      /* SQL: PASSWORD 'V' */
	if (next == MASK_NOTHING || next == MASK_NAMED || (p->script && is_operator(p->word, end)) ||
	    (end - p->word > 2 && memcmp(p->word, "--", 2) == 0 && p->word[2] != '-'))
		return NULL;                            /* --key was a switch, this is the next option */
	if (next == MASK_AFTER)
		secret = secret_part(p->word, end, m->separator);
	if (!secret)
		return NULL;

	const char *quoted = past_quoted(p->word, p->argument_end);

	/* A value that is an argument of its own is masked as a whole, including blanks. */
	if (p->word == p->argument)
		end = p->argument_end;
	else if (quoted > end)
		end = quoted;
	hide(out, p->word, secret);
	if (next == MASK_VALUE && word_is_scheme((struct word){ p->word, (size_t)(p->end - p->word) }) && end == p->end)
		m->next = MASK_VALUE;
	return end;
}

/* Masks one word without blanks; returns where to continue: a value can extend beyond the word. */
static const char *mask_word(struct mask *m, struct buffer *out, const struct place *p)
{
	const char *from = mask_announced(m, out, p);
	struct word secret;

	if (from)
		return from;
	if (mask_option(m, out, p))
		return p->end;
	see_program(m, p);
	from = p->word;
	m->next = announces(m, from, p->end);
	while (from < p->end && find_secret(p, from, &secret)) {
		const char *past = secret.at + secret.len;

		if (secret.len == 0)
			break;
		m->next = MASK_NOTHING;
		hide(out, from, secret.at);
		from = past;
	}
	if (from < p->end)
		buffer_bytes(out, from, (size_t)(p->end - from));
	return from < p->end ? p->end : from;
}

/* bash -lc '...' */
static bool is_script_option(const char *argument, size_t n)
{
	return n >= 2 && argument[0] == '-' && argument[1] != '-' && argument[n - 1] == 'c';
}

void mask_argument(struct mask *m, struct buffer *out, const char *argument)
{
	size_t n = strlen(argument);
	struct place p = { argument, argument + n, argument, argument, m->script };

	m->identified = false;
	while (p.end < p.argument_end) {
		p.word = p.end;
		while (p.word < p.argument_end && is_blank(*p.word))
			p.word++;
		buffer_bytes(out, p.end, (size_t)(p.word - p.end));
		for (p.end = p.word; !blank_at(p.end, p.argument_end); p.end++)
			;
		if (p.end == p.word)
			break;

		bool set = p.end - p.word == 3 && (memcmp(p.word, "set", 3) == 0 || memcmp(p.word, "SET", 3) == 0);

		bool identified = m->identified || is_word(p.word, p.end, "identified");

		p.end = mask_word(m, out, &p);
		m->setting = set;
		m->identified = identified;
	}
	m->script = is_script_option(argument, n);
}

void mask_text(struct buffer *out, const char *text)
{
	mask_argument(&(struct mask){ .script = true }, out, text);
}
