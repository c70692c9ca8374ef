/*
 * advice_paste.c - an advice in the syntax of schedulers.  Their units of memory are powers of 1024, whatever their
 * names: sbatch(1) --mem, Kubernetes' Mi and Gi, docker run --memory, Metaflow's @resources(memory=) in MB.
 */
#include "advice_words.h"
#include "../text/shown.h"

#include <string.h>

static const double MIB = 1048576;

/* Writes one line: a text from a record must not begin another. */
static void sentence(struct buffer *out, const char *before, const char *text)
{
	buffer_text(out, before);
	show_text(out, text, strlen(text), '?');
	buffer_char(out, '\n');
}

/* The notes, each sentence after `before`. */
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

/* ---- spelling of amounts -------------------------------------------------------------------- */

typedef void spelling(struct buffer *out, const struct advice *a, double amount);

static void number(struct buffer *out, const struct advice *a, double amount)
{
	(void)a;
	buffer_format(out, "%.0f", amount);
}

/* "512M" or "3G". */
static void memory(struct buffer *out, double bytes, const char *small, const char *large)
{
	bool whole = bytes >= 1024 * MIB;

	buffer_format(out, "%.0f%s", whole ? bytes / MIB / 1024 : bytes / MIB, whole ? large : small);
}

static void slurm_memory(struct buffer *out, const struct advice *a, double bytes)
{
	(void)a;
	memory(out, bytes, "M", "G");
}

static void kubernetes_memory(struct buffer *out, const struct advice *a, double bytes)
{
	(void)a;
	memory(out, bytes, "Mi", "Gi");
}

static void docker_memory(struct buffer *out, const struct advice *a, double bytes)
{
	(void)a;
	memory(out, bytes, "m", "g");
}

static void mebibytes(struct buffer *out, const struct advice *a, double bytes)
{
	number(out, a, bytes / MIB);
}

static void minutes(struct buffer *out, const struct advice *a, double seconds)
{
	number(out, a, seconds / 60);
}

/* sbatch(1): hours:minutes:seconds or days-hours:minutes:seconds. */
static void slurm_time(struct buffer *out, const struct advice *a, double seconds)
{
	double days = floor(seconds / 86400), rest = fmod(seconds, 86400);

	(void)a;
	if (days > 0)
		buffer_format(out, "%.0f-", days);
	buffer_format(out, "%02.0f:%02.0f:00", floor(rest / 3600), floor(fmod(rest, 3600) / 60));
}

/* In thousandths below one: a request is a share, not a limit. */
static void kubernetes_cores(struct buffer *out, const struct advice *a, double cores)
{
	(void)cores;
	if (a->cpu_request_cores < 1)
		buffer_format(out, "%.0fm", a->cpu_request_cores * 1000);
	else
		number(out, a, a->cpu_request_cores);
}

/* ---- forms --------------------------------------------------------------------------------- */

struct piece { enum advised what; const char *before; spelling *spell; };

/* The known amounts, and GPUs if there are any, with the separator between them.  Returns how many. */
static size_t pieces(struct buffer *out, const struct advice *a, const struct piece *all, size_t n,
		     const char *separator)
{
	size_t written = 0;

	for (size_t i = 0; i < n; i++) {
		double amount = a->of[all[i].what].amount;

		if (is_none(amount) || (all[i].what == ADVISED_GPU && !(amount > 0)))
			continue;
		buffer_text(out, written++ > 0 ? separator : "");
		buffer_text(out, all[i].before);
		all[i].spell(out, a, amount);
	}
	return written;
}

#define PIECES(out, of, all, separator) pieces(out, (of)->advice, all, countof(all), separator)

/* Slurm counts memory by node, so it is that of all ranks on one. */
static void slurm_ranks(struct buffer *out, const struct advice_of *of)
{
	static const struct piece directives[] = {
		{ ADVISED_CPU, "#SBATCH --cpus-per-task=", number }, { ADVISED_MEMORY, "#SBATCH --mem=", slurm_memory },
		{ ADVISED_GPU, "#SBATCH --gpus-per-task=", number }, { ADVISED_TIME, "#SBATCH --time=", slurm_time },
	};
	struct advice a = *of->advice;
	double *memory_bytes = &a.of[ADVISED_MEMORY].amount;

	if (!is_none(*memory_bytes))
		*memory_bytes = advice_round_memory(*memory_bytes * (double)of->ranks->per_node);
	sentence(out, "# ", of->ranks->differ);
	buffer_format(out, "#SBATCH --ntasks=%lld\n#SBATCH --ntasks-per-node=%zu\n", (long long)of->ranks->size,
		      of->ranks->per_node);
	buffer_text(out, pieces(out, &a, directives, countof(directives), "\n") > 0 ? "\n" : "");
}

static void slurm(struct buffer *out, struct buffer *aside, const struct advice_of *of)
{
	static const struct piece directives[] = {
		{ ADVISED_CPU, "#SBATCH --cpus-per-task=", number }, { ADVISED_MEMORY, "#SBATCH --mem=", slurm_memory },
		{ ADVISED_GPU, "#SBATCH --gpus=", number }, { ADVISED_TIME, "#SBATCH --time=", slurm_time },
	};

	(void)aside;
	notes(out, "# ", of);
	if (of->ranks)
		slurm_ranks(out, of);
	else
		buffer_text(out, PIECES(out, of, directives, "\n") > 0 ? "\n" : "");
}

/* For a container.  No CPU limit: the request is its share, and it can use more while CPUs are idle. */
static void kubernetes(struct buffer *out, struct buffer *aside, const struct advice_of *of)
{
	static const struct piece requests[] = {
		{ ADVISED_CPU, "\n    cpu: ", kubernetes_cores }, { ADVISED_MEMORY, "\n    memory: ", kubernetes_memory },
	};
	static const struct piece limits[] = {
		{ ADVISED_MEMORY, "\n    memory: ", kubernetes_memory }, { ADVISED_GPU, "\n    nvidia.com/gpu: ", number },
	};
	static const struct piece deadline[] = {
		{ ADVISED_TIME, "# time, in the spec of the Job: activeDeadlineSeconds: ", number },
	};

	(void)aside;
	notes(out, "# ", of);
	buffer_text(out, PIECES(out, of, deadline, "") > 0 ? "\n" : "");
	buffer_text(out, "resources:\n  requests:");
	buffer_text(out, PIECES(out, of, requests, "") > 0 ? "" : " {}");
	buffer_text(out, "\n  limits:");
	buffer_text(out, PIECES(out, of, limits, "") > 0 ? "\n" : " {}\n");
}

/* Flags alone, so that $(...) can follow `docker run`; the same for podman. */
static void docker(struct buffer *out, struct buffer *aside, const struct advice_of *of)
{
	static const struct piece arguments[] = {
		{ ADVISED_CPU, "--cpus=", number }, { ADVISED_MEMORY, "--memory=", docker_memory },
		{ ADVISED_GPU, "--gpus=", number },
	};

	notes(aside, "", of);
	(void)PIECES(out, of, arguments, " ");
	buffer_char(out, '\n');
}

static void metaflow(struct buffer *out, struct buffer *aside, const struct advice_of *of)
{
	static const struct piece resources[] = {
		{ ADVISED_CPU, "cpu=", number }, { ADVISED_MEMORY, "memory=", mebibytes }, { ADVISED_GPU, "gpu=", number },
	};
	static const struct piece timeout[] = { { ADVISED_TIME, "@timeout(minutes=", minutes } };

	(void)aside;
	notes(out, "# ", of);
	buffer_text(out, "@resources(");
	(void)PIECES(out, of, resources, ", ");
	buffer_text(out, ")\n");
	buffer_text(out, PIECES(out, of, timeout, "") > 0 ? ")\n" : "");
}

const struct advice_form_info advice_forms[ADVICE_FORMS] = {
	{ "slurm", slurm }, { "kubernetes", kubernetes }, { "docker", docker }, { "metaflow", metaflow },
};
