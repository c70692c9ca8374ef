/* options_file.c - options out of the config file. */
#include "options_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "../text/did_you_mean.h"
#include "config.h"

static const char default_name[] = "resource-tracker.toml";

struct file {
	struct options *to;
	const char *name;
	bool named;                             /* by the user */
	bool given[OPTIONS_MAX];
	struct options checked;                 /* where values go that something else overrides */
	bool (*may_set)(void *context, const struct option_info *option);
	void *context;
	void (*warn)(const char *sentence);
	struct why *why;
};

/* The whole file; *ret is to be freed.  0, -errno. */
static int slurp(const char *name, char **ret, size_t *ret_n)
{
	auto_close int fd = open(name, O_RDONLY | O_CLOEXEC);
	char *text = fd < 0 ? NULL : malloc(CONFIG_BYTES_MAX + 1);
	size_t n = 0;
	ssize_t got = text ? 1 : -1;

	if (fd >= 0 && !text)
		return -ENOMEM;
	/* One byte more than is allowed, so that too much is seen. */
	while (got > 0 && n <= CONFIG_BYTES_MAX) {
		got = read(fd, text + n, CONFIG_BYTES_MAX + 1 - n);
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got > 0)
			n += (size_t)got;
	}
	if (got < 0) {
		int error = errno;

		free(text);
		return -error;
	}
	*ret = text;
	*ret_n = n;
	return 0;
}

/* What was meant by an unknown key: a slip in its last part, in its table, or the wrong table. */
static const char *nearest_key(const char *key)
{
	const char *dot = strrchr(key, '.');
	const char *last = dot ? dot + 1 : key, *found = NULL;
	struct guess here = { .word = last }, anywhere = { .word = key };

	for (size_t i = 0; i < option_count; i++) {
		const char *known = option_table[i].key;

		if (!known)
			continue;

		const char *known_last = strchr(known, '.') + 1;
		const struct guess before = here;

		if (!dot || strncmp(key, known, (size_t)(last - key)) == 0)
			guess_consider(&here, known_last);
		else
			guess_consider(&anywhere, known);
		if (here.best != before.best || (!here.best && strcmp(known_last, last) == 0))
			found = known;
	}
	return found ? found : anywhere.distance <= 2 ? anywhere.best : NULL;
}

static int unknown_key(const struct file *f, const struct config_entry *entry)
{
	const char *near = nearest_key(entry->key);
	struct why sentence;

	(void)why_set(&sentence, 0, "%s:%u: there is no key %s%s%s%s", show_path(f->name).text, entry->line,
		      show(entry->key).text, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	if (f->named)
		return why_set(f->why, -EINVAL, "%s", sentence.text);
	f->warn(sentence.text);
	return 0;
}

static unsigned takes(const struct config_value *value)
{
	return value->type == CONFIG_STRING  ? TAKES_STRINGS :
	       value->type == CONFIG_BOOLEAN ? TAKES_BOOLEANS : TAKES_NUMBERS;
}

static bool fits(const struct setting_type *type, const struct config_entry *entry)
{
	if (entry->array && !(type->config & TAKES_ARRAYS))
		return false;
	for (size_t i = 0; i < entry->n_values; i++)
		if (!(type->config & takes(&entry->values[i])))
			return false;
	return true;
}

static int wrong_type(const struct setting *s, const struct config_entry *entry)
{
	static const struct { unsigned what; const char *text; } kinds[] = {
		{ TAKES_BOOLEANS, "true or false" }, { TAKES_NUMBERS, "a number" }, { TAKES_STRINGS, "a \"string\"" },
		{ TAKES_ARRAYS, "an [array] of these" },
	};
	char list[80] = "";
	unsigned left = s->option->type->config;

	for (size_t i = 0; i < countof(kinds); i++) {
		if (!(left & kinds[i].what))
			continue;
		left &= ~kinds[i].what;
		alternatives_add(list, sizeof list, kinds[i].text, !left);
	}

	const char *got = "an array of something else";

	if (!entry->array) {
		unsigned type = takes(&entry->values[0]);

		for (size_t i = 0; i < countof(kinds); i++)
			if (kinds[i].what == type)
				got = type == TAKES_BOOLEANS ? entry->values[0].text : kinds[i].text;
	} else if (!(s->option->type->config & TAKES_ARRAYS)) {
		got = "an array";
	}
	return why_set(s->why, -EINVAL, "%s: expected %s, not %s", s->origin, list, got);
}

/* The items of an array with commas between, for options that take such a list. */
static const char *joined(struct arena *arena, const struct config_entry *entry)
{
	size_t room = 1;

	for (size_t i = 0; i < entry->n_values; i++)
		room += strlen(entry->values[i].text) + 1;

	char *list = arena_take(arena, room), *end = list;

	if (!list)
		return NULL;
	*end = '\0';
	for (size_t i = 0; i < entry->n_values; i++) {
		if (i > 0)
			*end++ = ',';
		end = stpcpy(end, entry->values[i].text);
	}
	return list;
}

static int set_entry(struct file *f, const struct config_entry *entry)
{
	const struct option_info *option = option_by_key(entry->key);
	char origin[240];

	if (!option)
		return unknown_key(f, entry);
	(void)snprintf(origin, sizeof origin, "%s:%u: %s", show_path(f->name).text, entry->line, entry->key);

	struct setting s = { f->to, option, origin, false, f->why };
	size_t index = (size_t)(option - option_table);

	if (!fits(option->type, entry))
		return wrong_type(&s, entry);
	if (f->given[index])
		return why_set(f->why, -EINVAL, "%s: given twice, here under another name", origin);
	f->given[index] = true;
	if (!f->may_set(f->context, option))
		s.to = &f->checked;
	if (entry->array && !option->type->repeatable) {
		const char *list = joined(&s.to->memory, entry);

		return list ? option->type->set(&s, list) : why_set(f->why, -ENOMEM, "%s: out of memory", origin);
	}
	for (size_t i = 0; i < entry->n_values; i++) {
		int r = option->type->set(&s, entry->values[i].text);

		if (r < 0)
			return r;
		s.again = true;
	}
	return 0;
}

int options_file(struct options *to, bool (*may_set)(void *context, const struct option_info *option),
		 void *context, void (*warn)(const char *sentence), struct why *why)
{
	struct file f = { .to = to, .name = to->config ? to->config : default_name, .named = to->config,
			  .may_set = may_set, .context = context, .warn = warn, .why = why };
	struct config config = { 0 };
	struct why sentence;
	char *text = NULL;
	size_t n = 0;
	unsigned line;
	int r = slurp(f.name, &text, &n);

	if (r < 0 && f.named)
		return why_set(why, r, "cannot read the config file %s: %s", show_path(f.name).text, strerror(-r));
	if (r == -ENOENT)
		return 0;
	if (r < 0) {
		(void)why_set(&sentence, 0, "./%s is left alone: %s", default_name, strerror(-r));
		warn(sentence.text);
		return 0;
	}
	r = config_parse(&config, &to->memory, text, n, &line, &sentence);
	free(text);
	if (r < 0)
		return why_set(why, r, "%s:%u: %s", show_path(f.name).text, line, sentence.text);
	for (size_t i = 0; i < config.n_entries && r == 0; i++)
		r = set_entry(&f, &config.entries[i]);
	options_release(&f.checked);
	return r;
}
