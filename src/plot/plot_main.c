/* plot_main.c - `resource-tracker plot`: a run as a still picture. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "../analysis/answer.h"
#include "../analysis/chosen_runs.h"
#include "../analysis/confinement.h"
#include "../analysis/replaced_file.h"
#include "../core/scan.h"
#include "../history/history.h"
#include "../text/shown.h"
#include "plot.h"

#ifdef __SANITIZE_ADDRESS__
/* fontconfig keeps its configuration until exit; our own leaks are still reported. */
#define FOR_SANITIZER __attribute__((visibility("default"))) const char *
FOR_SANITIZER __lsan_default_suppressions(void);
FOR_SANITIZER __lsan_default_suppressions(void) { return "leak:libfontconfig"; }
FOR_SANITIZER __lsan_default_options(void);
FOR_SANITIZER __lsan_default_options(void) { return "print_suppressions=0"; }
#endif

enum { WIDTH = 1600, SIDE_LEAST = 200, SIDE_MOST = 10000 };
static const double PIXELS_MOST = 40e6;

static const char USAGE[] =
	"Usage: resource-tracker plot RUN -o FILE.svg|FILE.png [--job ID] [--name NAME] [--tag TAG]... [--metrics A,B...]\n"
	"                             [--size WxH] [--theme light|dark] [--directory DIR]\n"
	"\n"
	"A RUN is the beginning of its id, last, last~2 (the third last), or the path of a recording; - is stdin.\n"
	CHOSEN_RUNS_USAGE
	"Without --metrics: CPU, memory, disk I/O, network, and GPUs that were used.  A metric is named as by\n"
	"resource-tracker metrics (process.rss_bytes), a chart as in the report: cpu, memory, disk_io, network, gpu_use,\n"
	"gpu_memory, gpu_power, gpu_temperature, processes_count, disk_space, pressure, time_spent, overhead.\n"
	"--size is in pixels, 1600 wide and as high as the charts need if it is not given.\n";

static int complain_of(struct why *why)
{
	return complain(why->text);
}

static bool ends_in(const char *path, const char *ending)
{
	size_t n = strlen(path), m = strlen(ending);

	return n > m && strcmp(path + n - m, ending) == 0;
}

static int size_of(struct picture *ret, const char *text, struct why *why)
{
	struct scan s = scan_of(text, strlen(text));
	uint64_t width, height;

	if (!scan_u64(&s, &width) || s.at == s.end || (*s.at != 'x' && *s.at != 'X'))
		return why_set(why, -EINVAL, "--size: '%s' is not a size such as 1600x1200", show(text).text);
	s.at++;
	if (!scan_u64(&s, &height) || s.at != s.end)
		return why_set(why, -EINVAL, "--size: '%s' is not a size such as 1600x1200", show(text).text);
	if (width < SIDE_LEAST || height < SIDE_LEAST || width > SIDE_MOST || height > SIDE_MOST ||
	    (double)width * (double)height > PIXELS_MOST)
		return why_set(why, -EINVAL, "--size: %s is out of range: sides of %d to %d, at most 40 million pixels",
			       show(text).text, SIDE_LEAST, SIDE_MOST);
	ret->width = (unsigned)width;
	ret->height = (unsigned)height;
	return 0;
}

static int options_of(struct picture *ret, const char *output, const char *size, const char *theme, struct why *why)
{
	*ret = (struct picture){ .width = WIDTH };
	if (!output)
		return why_set(why, -EINVAL, "to which file? Give it with -o; its name ends in .svg or .png");
	if (ends_in(output, ".png"))
		ret->kind = PICTURE_PNG;
	else if (!ends_in(output, ".svg"))
		return why_set(why, -EINVAL, "-o: the name of a picture ends in .svg or .png, '%s' does not",
			       show(output).text);
	if (theme && strcmp(theme, "dark") != 0 && strcmp(theme, "light") != 0)
		return why_set(why, -EINVAL, "--theme: '%s' is neither light nor dark", show(theme).text);
	ret->dark = theme && strcmp(theme, "dark") == 0;
	return size ? size_of(ret, size, why) : 0;
}

static int write_picture(const char *output, const struct buffer *bytes, struct why *why)
{
	struct replaced_file file;
	int r = replaced_file_open(&file, output, why);

	if (r < 0)
		return r;
	r = replaced_file_write(&file, bytes->at, bytes->len, why);
	if (r == 0)
		return replaced_file_finish(&file, why);
	replaced_file_abandon(&file);
	return r;
}

/* p: with its panels chosen. */
static int make(struct plot *p, const char *path, const struct picture *picture, const char *output, struct why *why)
{
	struct buffer bytes = { 0 };
	int r = replaced_file_check(output, path, why);

	if (r == 0)
		r = plot_read(p, path, why);
	if (r < 0)
		return r;
	r = draw_plot(&bytes, p, picture, why);
	if (r == 0)
		r = write_picture(output, &bytes, why);
	for (size_t i = 0; r == 0 && i < p->digest.facts->n_problems; i++)
		remark(p->digest.facts->problems[i]);
	plot_release(p);
	buffer_release(&bytes);
	return r;
}

int main(int argc, char **argv)
{
	const char *output = NULL, *metrics = NULL, *size = NULL, *theme = NULL, *directory = NULL;
	bool help = false;
	struct chosen_runs chosen = { .job = NULL };
	const struct flag flags[] = {
		{ "output", FLAG_TEXT, &output }, { "o", FLAG_TEXT, &output }, { "metrics", FLAG_TEXT, &metrics },
		{ "size", FLAG_TEXT, &size }, { "theme", FLAG_TEXT, &theme }, { "directory", FLAG_TEXT, &directory },
		{ "help", FLAG_SWITCH, &help }, CHOSEN_RUNS_FLAGS(&chosen),
	};
	static struct plot plot;                /* large */
	struct buffer text = { 0 };
	struct picture picture;
	struct why why = { "" };
	char place[PATH_MAX];
	char *path;
	int r;

	answer_as("plot");
	if (flags_read(flags, countof(flags), &argc, argv, &why) < 0)
		return complain_of(&why);
	if (help) {
		buffer_text(&text, USAGE);
		return print(&text);
	}
	if (argc < 2 && !chosen_any(&chosen))
		return complain("which run? Give the beginning of its id, last, a file, or - for stdin");

	char **runs = argv + 1;
	size_t n = (size_t)argc - 1;

	if (options_of(&picture, output, size, theme, &why) < 0 || plot_choose(&plot, metrics, &why) < 0 ||
	    chosen_runs_place(place, &chosen, directory, runs, n, &why) < 0)
		return complain_of(&why);
	(void)confine(&(struct confinement){
		.inputs = runs, .n_inputs = n, .place = place, .output = output, .fonts = true,
	});
	r = chosen_runs_find(&chosen, place, &runs, &n, &why);
	if (r == 0 && n > 1)
		r = why_set(&why, -EINVAL, "a picture shows one run, and these are %zu", n);
	path = r == 0 ? run_path(runs[0], place, &why) : NULL;
	chosen_runs_release(&chosen);
	r = path ? make(&plot, path, &picture, output, &why) : -ENOENT;
	free(path);
	return r < 0 ? complain_of(&why) : 0;
}
