/* options_file.c - reads options from config files. */
#include "options_file.h"

#include <stdio.h>
#include <string.h>

#include "../text/did_you_mean.h"

enum { PROBLEMS_SHOWN = 4 };                    /* more would not help with an invalid file */

/* The state while a file's entries are applied. */
struct taking {
	struct options_file *file;
	const struct options_file_reader *reader;
	bool locks;
	bool given[OPTIONS_MAX];
	struct options checked;                 /* takes values that are only checked */
};

/* Reports an error in a file that the user named, a warning for any other. */
static int problem(struct options_file *f, const struct options_file_reader *to, const char *sentence)
{
	if (f->place == CONFIG_NAMED)
		return why_set(to->why, -EINVAL, "%s", sentence);
	if (f->problems++ < PROBLEMS_SHOWN)
		to->warn(sentence);
	return 0;
}

/* The suggestion for an unknown key: a mistyped last part, a mistyped table, or the wrong table. */
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

static int unknown_key(const struct taking *t, const struct config_entry *entry)
{
	const char *near = nearest_key(entry->key);
	struct why sentence;

	(void)why_set(&sentence, 0, "%s:%u: there is no key %s%s%s%s", show_path(t->file->name).text, entry->line,
		      show(entry->key).text, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	return problem(t->file, t->reader, sentence.text);
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

/* The items of an array, separated by commas, for options that take such a list. */
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

/* Sets all values of an entry; 0, or -errno with a sentence. */
static int set_values(struct setting *s, const struct config_entry *entry)
{
	s->again = false;
	if (entry->array && !s->option->type->repeatable) {
		const char *list = joined(&s->to->memory, entry);

		return list ? s->option->type->set(s, list) : why_set(s->why, -ENOMEM, "%s: out of memory", s->origin);
	}
	for (size_t i = 0; i < entry->n_values; i++) {
		int r = s->option->type->set(s, entry->values[i].text);

		if (r < 0)
			return r;
		s->again = true;
	}
	return 0;
}

static int take_entry(struct taking *t, const struct config_entry *entry)
{
	const struct option_info *option = option_by_key(entry->key);
	struct why wrong;
	char origin[240];
	int r = 0;

	if (!option)
		return unknown_key(t, entry);
	(void)snprintf(origin, sizeof origin, "%s:%u: %s", show_path(t->file->name).text, entry->line, entry->key);

	struct setting s = { &t->checked, option, origin, false, &wrong };
	bool *given = &t->given[option - option_table];

	if (t->file->place == CONFIG_FOLDER && !option->in_folder)
		r = why_set(&wrong, -EPERM, "%s: not accepted from a folder's file; set it in "
			    "~/.config/resource-tracker.toml, or in a file that --config names", origin);
	else if (!fits(option->type, entry))
		r = wrong_type(&s, entry);
	else if (*given)
		r = why_set(&wrong, -EINVAL, "%s: given twice, here under another name", origin);
	if (r == 0)
		r = set_values(&s, entry);
	if (r < 0)
		return problem(t->file, t->reader, wrong.text);
	*given = true;
	s.to = t->reader->to;
	if (t->reader->may_set(t->reader->context, option, t->file, t->locks, entry->line, origin))
		r = set_values(&s, entry);
	return r < 0 ? problem(t->file, t->reader, wrong.text) : 0;
}

static void note_found(struct options *o, const struct options_file *f)
{
	size_t i = 0;

	while (i < OPTIONS_CONFIGS && o->found_configs[i])
		i++;
	if (i < OPTIONS_CONFIGS && (f->place == CONFIG_FOLDER || f->place == CONFIG_USER))
		o->found_configs[i] = arena_copy(&o->memory, f->name, strlen(f->name));
}

int options_file_read(struct options_file *ret, enum config_place place, const struct options_file_reader *to,
		      char *const *environment)
{
	struct why reason, sentence;
	char *text = NULL;
	size_t n = 0;
	unsigned line;

	*ret = (struct options_file){ .place = place };
	if (!config_file_path(ret->name, sizeof ret->name, place, to->to->config, environment))
		return 0;

	int r = config_file_read(&text, &n, place, ret->name, &reason);

	if (r == -ENOENT && place != CONFIG_NAMED)
		return 0;
	if (r < 0) {
		struct shown_path path = show_path(ret->name);

		if (place == CONFIG_NAMED)
			(void)why_set(&sentence, 0, "cannot read the config file %s: %s", path.text, reason.text);
		else
			(void)why_set(&sentence, 0, "the config file %s is left alone: %s", path.text, reason.text);
		return problem(ret, to, sentence.text);
	}
	r = config_parse(&ret->config, &to->to->memory, text, n, &line, &reason);
	free(text);
	if (r == 0) {
		note_found(to->to, ret);
		return 0;
	}
	(void)why_set(&sentence, 0, "%s:%u: %s%s", show_path(ret->name).text, line, reason.text,
		      place == CONFIG_NAMED ? "" : "; the file is left alone");
	return problem(ret, to, sentence.text);
}

int options_file_take(struct options_file *f, bool locks, const struct options_file_reader *to)
{
	static const char table[] = "locked.";
	struct taking t = { .file = f, .reader = to, .locks = locks };
	int r = 0;

	for (size_t i = 0; i < f->config.n_entries && r == 0; i++) {
		struct config_entry entry = f->config.entries[i];
		bool lock = f->place == CONFIG_SITE && strncmp(entry.key, table, sizeof table - 1) == 0;

		if (lock != locks)
			continue;
		entry.key += lock ? sizeof table - 1 : 0;
		r = take_entry(&t, &entry);
	}
	options_release(&t.checked);
	if (!locks && f->problems > PROBLEMS_SHOWN) {
		struct why sentence;

		(void)why_set(&sentence, 0, "%s: %u more lines are wrong", show_path(f->name).text,
			      f->problems - PROBLEMS_SHOWN);
		to->warn(sentence.text);
	}
	return r;
}
