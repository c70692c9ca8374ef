/* session_summary.c - where the summary of a run goes, and in which form. */
#include "session_summary.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "../core/output_file.h"
#include "../record/destinations.h"
#include "../text/sentence.h"
#include "../text/template.h"
#include "summary_program.h"

static const char STEP_VARIABLE[] = "GITHUB_STEP_SUMMARY";
static const double READ_SECONDS = 60;          /* the largest record takes a second or two on an idle machine */

/* The step's file; NULL: none is wanted, or this is no such step. */
static const char *step_file(const struct options *o)
{
	const char *path = o->ci ? getenv(STEP_VARIABLE) : NULL;

	return path && *path ? path : NULL;
}

int session_summary_open(struct session_summary *s, const struct options *o, struct why *why, struct why *note)
{
	int standard = o->summary_file ? output_file_descriptor(o->summary_file) : -1;
	struct why reason = { "" };

	*s = (struct session_summary){ -1, -1 };
	if (standard >= 0) {
		s->file = fcntl(standard, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		if (s->file < 0)
			return why_set(why, -errno, "--summary-file %s: %s", o->summary_file, strerror(errno));
	} else if (o->summary_file) {
		int fd = output_file_append(o->summary_file, 0666, &reason);

		if (fd < 0)
			return why_set(why, fd, "cannot write to %s: %s", o->summary_file, reason.text);
		s->file = fd;
	}
	if (step_file(o)) {
		s->step = output_file_append(step_file(o), 0666, &reason);
		if (s->step < 0)
			(void)why_set(note, 0, "--ci: cannot write to %s: %s", STEP_VARIABLE, reason.text);
	}
	return 0;
}

void session_summary_close(struct session_summary *s)
{
	close_p(&s->file);
	close_p(&s->step);
}

/* name: for the sentence of a failure.  quiet: none. */
static void put(int fd, const char *name, const struct buffer *text, double seconds, bool quiet)
{
	struct output_options to = { .fd = fd, .borrowed = true, .name = name };
	size_t done = text->failed ? text->len : output_now(fd, text->at, text->len);
	struct output_end end = { 0 };
	struct output *out;

	if (done == text->len || output_open(&out, &to, NULL) < 0)
		return;
	output_put(out, text->at + done, text->len - done);
	(void)output_close(out, seconds, &end);
	if (end.failure.text[0] && fd != STDERR_FILENO && !quiet)
		sentence_print(NULL, "%s", end.failure.text);
}

static int read_form(struct buffer *out, const char *form, const struct summary *summary, struct why *why)
{
	return summary->record_path ? summary_program_read(out, summary->record_path, form, READ_SECONDS, why)
				    : why_set(why, -ENOENT, "no record of the run was written");
}

static void write_step(int fd, const struct summary *summary, double seconds, bool quiet)
{
	struct buffer text = { 0 };
	struct why why = { "" };

	if (read_form(&text, summary_forms[SUMMARY_MARKDOWN], summary, &why) < 0) {
		if (!quiet)
			sentence_print(NULL, "--ci: no summary for %s: %s", STEP_VARIABLE, why.text);
	} else {
		buffer_char(&text, '\n');       /* what another step appends begins a new paragraph */
		put(fd, STEP_VARIABLE, &text, seconds, quiet);
	}
	buffer_release(&text);
}

/* Whether the record is the only one in its folder. */
static bool is_first(const char *record)
{
	static const char suffix[] = ".jsonl";
	auto_free char *folder = strndup(record, (size_t)(strrchr(record, '/') - record));
	DIR *files = folder ? opendir(folder) : NULL;
	size_t n = 0;

	for (struct dirent *file; files && n < 2 && (file = readdir(files));) {
		size_t length = strlen(file->d_name), end = sizeof suffix - 1;

		n += length > end && strcmp(file->d_name + length - end, suffix) == 0;
	}
	if (files)
		(void)closedir(files);
	return n == 1;
}

static void write_text(struct buffer *out, int fd, const struct summary *summary, bool in_history)
{
	struct summary_style style = summary_style(fd);
	struct summary shown = *summary;

	if (in_history && summary->record_path && isatty(fd) && is_first(summary->record_path))
		shown.next = "resource-tracker report last --open";
	summary_write(out, &shown, &style);
}

void session_summary_write(const struct session_summary *s, const struct options *o, const struct summary *summary,
			   bool in_history, double seconds)
{
	bool wanted = s->file >= 0 || (!o->quiet && (options_mode(o) != MODE_WATCH || o->summary));
	int fd = s->file >= 0 ? s->file : STDERR_FILENO;
	const char *name = s->file >= 0 ? o->summary_file : "stderr", *form = o->summary;
	struct buffer text = { 0 };
	struct why why = { "" };

	if (s->step >= 0)
		write_step(s->step, summary, seconds, o->quiet);
	if (!wanted)
		return;
	if (form && strcmp(form, summary_forms[SUMMARY_TEXT]) != 0 && read_form(&text, form, summary, &why) < 0) {
		if (!o->quiet)
			sentence_print(NULL, "--summary: text instead of %.*s: %s", (int)strcspn(form, ":"), form, why.text);
		form = NULL;
	}
	if (!form || strcmp(form, summary_forms[SUMMARY_TEXT]) == 0)
		write_text(&text, fd, summary, in_history);
	put(fd, name, &text, seconds, o->quiet);
	buffer_release(&text);
}
