/*
 * advice_paste.c - an advice as schedulers take it.  Their units of memory are powers of 1024, whatever their names:
 * sbatch(1) --mem, Kubernetes' Mi and Gi, docker run --memory, Metaflow's @resources(memory=) in MB.
 */
#include "advice_words.h"

#include <string.h>

static const double MIB = 1048576;

/* One line: what comes from a record must not begin another. */
static void sentence(struct buffer *out, const char *before, const char *text)
{
	buffer_text(out, before);
	for (const char *p = text; *p; p++)
		buffer_char(out, (unsigned char)*p < ' ' || *p == 0x7f ? '?' : *p);
	buffer_char(out, '\n');
}

/* What has to be known, each sentence behind `before`. */
static void notes(struct buffer *out, const char *before, const struct advice_of *of)
{
	const struct advice *a = of->advice;
	struct buffer text = { 0 };

	buffer_format(&text, "from %zu run%s of %s", of->n, of->n > 1 ? "s" : "", of->title);
	buffer_char(&text, '\0');
	sentence(out, before, text.failed ? "" : text.at);
	buffer_clear(&text);
	buffer_format(&text, "confidence %s: %s", confidences[a->confidence], a->confidence_why);
	buffer_char(&text, '\0');
	sentence(out, before, text.failed ? "" : text.at);
	for (enum advised i = 0; i < ADVISED_COUNT; i++) {
		if (!a->of[i].why[0])
			continue;
		buffer_clear(&text);
		buffer_format(&text, "%s %s: %s", advised[i].name, a->of[i].value, a->of[i].why);
		buffer_char(&text, '\0');
		sentence(out, before, text.failed ? "" : text.at);
	}
	buffer_release(&text);
}

static double amount(const struct advice_of *of, enum advised which)
{
	return of->advice->of[which].amount;
}

/* "512" and small, or "3" and large. */
static void memory(struct buffer *out, double bytes, const char *small, const char *large)
{
	bool whole = bytes >= 1024 * MIB;

	buffer_format(out, "%.0f%s", whole ? bytes / MIB / 1024 : bytes / MIB, whole ? large : small);
}

/* sbatch(1): --time=hours:minutes:seconds or days-hours:minutes:seconds. */
static void slurm(struct buffer *out, struct buffer *aside, const struct advice_of *of)
{
	double cores = amount(of, ADVISED_CPU), bytes = amount(of, ADVISED_MEMORY), gpus = amount(of, ADVISED_GPU);
	double minutes = amount(of, ADVISED_TIME) / 60;

	(void)aside;
	notes(out, "# ", of);
	if (!is_none(cores))
		buffer_format(out, "#SBATCH --cpus-per-task=%.0f\n", cores);
	if (!is_none(bytes)) {
		buffer_text(out, "#SBATCH --mem=");
		memory(out, bytes, "M", "G");
		buffer_char(out, '\n');
	}
	if (gpus > 0)
		buffer_format(out, "#SBATCH --gpus=%.0f\n", gpus);
	if (!is_none(minutes)) {
		buffer_text(out, "#SBATCH --time=");
		if (minutes >= 1440)
			buffer_format(out, "%.0f-", floor(minutes / 1440));
		buffer_format(out, "%02.0f:%02.0f:00\n", floor(fmod(minutes, 1440) / 60), fmod(minutes, 60));
	}
}

/* Of a container.  No limit on CPU: the request is its share, and more than that is used only where it is free. */
static void kubernetes(struct buffer *out, struct buffer *aside, const struct advice_of *of)
{
	double cores = of->advice->cpu_request_cores, bytes = amount(of, ADVISED_MEMORY);
	double gpus = amount(of, ADVISED_GPU), seconds = amount(of, ADVISED_TIME);

	(void)aside;
	notes(out, "# ", of);
	if (!is_none(seconds))
		buffer_format(out, "# time, in the spec of the Job: activeDeadlineSeconds: %.0f\n", seconds);
	buffer_text(out, "resources:\n  requests:");
	if (is_none(cores) && is_none(bytes))
		buffer_text(out, " {}");
	buffer_char(out, '\n');
	if (cores >= 1)
		buffer_format(out, "    cpu: %.0f\n", cores);
	else if (!is_none(cores))
		buffer_format(out, "    cpu: %.0fm\n", cores * 1000);
	if (!is_none(bytes)) {
		buffer_text(out, "    memory: ");
		memory(out, bytes, "Mi", "Gi");
		buffer_char(out, '\n');
	}
	buffer_text(out, "  limits:");
	if (is_none(bytes) && !(gpus > 0))
		buffer_text(out, " {}");
	buffer_char(out, '\n');
	if (!is_none(bytes)) {
		buffer_text(out, "    memory: ");
		memory(out, bytes, "Mi", "Gi");
		buffer_char(out, '\n');
	}
	if (gpus > 0)
		buffer_format(out, "    nvidia.com/gpu: %.0f\n", gpus);
}

/* Flags alone, so that $(...) can stand behind `docker run`; the same for podman. */
static void docker(struct buffer *out, struct buffer *aside, const struct advice_of *of)
{
	double cores = amount(of, ADVISED_CPU), bytes = amount(of, ADVISED_MEMORY), gpus = amount(of, ADVISED_GPU);
	size_t start = out->len;

	notes(aside, "", of);
	if (!is_none(cores))
		buffer_format(out, "--cpus=%.0f ", cores);
	if (!is_none(bytes)) {
		buffer_text(out, "--memory=");
		memory(out, bytes, "m", "g");
		buffer_char(out, ' ');
	}
	if (gpus > 0)
		buffer_format(out, "--gpus=%.0f ", gpus);
	if (out->len > start)
		out->len--;
	buffer_char(out, '\n');
}

static void metaflow(struct buffer *out, struct buffer *aside, const struct advice_of *of)
{
	double cores = amount(of, ADVISED_CPU), bytes = amount(of, ADVISED_MEMORY), gpus = amount(of, ADVISED_GPU);
	double seconds = amount(of, ADVISED_TIME);
	const char *comma = "";

	(void)aside;
	notes(out, "# ", of);
	buffer_text(out, "@resources(");
	if (!is_none(cores)) {
		buffer_format(out, "cpu=%.0f", cores);
		comma = ", ";
	}
	if (!is_none(bytes)) {
		buffer_format(out, "%smemory=%.0f", comma, bytes / MIB);
		comma = ", ";
	}
	if (gpus > 0)
		buffer_format(out, "%sgpu=%.0f", comma, gpus);
	buffer_text(out, ")\n");
	if (!is_none(seconds))
		buffer_format(out, "@timeout(minutes=%.0f)\n", seconds / 60);
}

const struct advice_form_info advice_forms[ADVICE_FORMS] = {
	{ "slurm", slurm }, { "kubernetes", kubernetes }, { "docker", docker }, { "metaflow", metaflow },
};
