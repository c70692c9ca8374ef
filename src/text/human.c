/* human.c - quantities as text for people. */
#include "human.h"
#include "shown.h"

#include <math.h>
#include <signal.h>
#include <string.h>

static bool unknown(struct buffer *out, double value)
{
	if (isfinite(value))
		return false;
	buffer_text(out, "unknown");
	return true;
}

/* Decimals for `significant` digits of a value; a value that rounds up to the next power of ten needs one less. */
static int decimals_for(double value, int significant)
{
	int decimals = significant - 1;
	double half = 0.5;                              /* of the last digit shown */

	for (int i = 0; i < decimals; i++)
		half /= 10;
	for (double bound = 10; decimals > 0 && value >= bound - half; bound *= 10, half *= 10)
		decimals--;
	return decimals;
}

void human_bytes(struct buffer *out, double bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB" };
	size_t unit = 0;

	if (unknown(out, bytes))
		return;
	for (; bytes >= 999.5 && unit + 1 < countof(units); unit++)
		bytes /= 1024;
	buffer_fixed(out, bytes, unit == 0 ? 0 : bytes < 0.9995 ? 3 : decimals_for(bytes, 3));
	buffer_char(out, ' ');
	buffer_text(out, units[unit]);
}

static void two_digits(struct buffer *out, uint64_t value, const char *unit)
{
	if (value < 10)
		buffer_char(out, '0');
	buffer_u64(out, value);
	buffer_text(out, unit);
}

void human_seconds(struct buffer *out, double seconds)
{
	/* Longer than can be counted in whole days. */
	if (unknown(out, seconds < 1e15 ? seconds : (double)INFINITY))
		return;
	if (seconds < 0)
		seconds = 0;

	uint64_t whole = (uint64_t)llrint(seconds), tenths = (uint64_t)llrint(seconds * 10);

	if (seconds < 9.9995) {
		buffer_fixed(out, seconds, seconds < 0.9995 ? 3 : 2);
		buffer_char(out, 's');
	} else if (tenths < 600) {
		buffer_fixed(out, seconds, 1);
		buffer_char(out, 's');
	} else if (tenths < 36000) {
		buffer_u64(out, tenths / 600);
		buffer_text(out, "m ");
		two_digits(out, tenths % 600 / 10, ".");
		buffer_u64(out, tenths % 10);
		buffer_char(out, 's');
	} else if (whole < 86400) {
		buffer_u64(out, whole / 3600);
		buffer_text(out, "h ");
		two_digits(out, whole % 3600 / 60, "m ");
		two_digits(out, whole % 60, "s");
	} else {
		buffer_u64(out, whole / 86400);
		buffer_text(out, "d ");
		two_digits(out, whole % 86400 / 3600, "h ");
		two_digits(out, whole % 3600 / 60, "m");
	}
}

void human_duration(struct buffer *out, double seconds)
{
	static const struct { double from, unit; const char *name; } units[] = {
		{ 0.9995e-3, 1e-3, " ms" }, { 0.9995e-6, 1e-6, " us" }, { 0, 1e-9, " ns" },
	};
	size_t i = 0;

	if (!(seconds < 0.9995)) {
		human_seconds(out, seconds);
		return;
	}
	while (i + 1 < countof(units) && seconds < units[i].from)
		i++;

	double n = seconds / units[i].unit;

	buffer_trimmed(out, n, n < 9.995 ? 2 : n < 99.95 ? 1 : 0);
	buffer_text(out, units[i].name);
}

void human_cores(struct buffer *out, double cores)
{
	if (!unknown(out, cores))
		buffer_fixed(out, cores, decimals_for(cores, 3));
}

/* Without round(), which would be the recorder's only function of libm. */
static bool is_whole(double n)
{
	return fabs(n) >= 0x1p53 || fabs(n - (double)llrint(n)) <= 0;
}

void human_number(struct buffer *out, double n)
{
	if (!unknown(out, n))
		buffer_fixed(out, n, is_whole(n) ? 0 : decimals_for(n, 3));
}

void human_percent(struct buffer *out, double percent)
{
	if (unknown(out, percent))
		return;

	/* A percentage near 100 gets the precision of the difference from 100. */
	double rest = 100 - percent, least = rest > 0 && rest < percent ? rest : percent;

	if (least > 0 && least < 0.01)
		buffer_text(out, percent < 50 ? "<0.01" : ">99.99");
	else
		buffer_fixed(out, percent, least < 0.995 ? 2 : least < 9.95 ? 1 : 0);
	buffer_text(out, " %");
}

void human_count(struct buffer *out, double n, const char *one, const char *many)
{
	buffer_format(out, "%.0f %s", n, fabs(n - 1) < 0.5 ? one : many);
}

void human_signal(struct buffer *out, int signal)
{
	/* Listed here, because sigabbrev_np is not in every libc. */
	static const struct { int number; const char *name; } names[] = {
		{ SIGHUP, "HUP" }, { SIGINT, "INT" }, { SIGQUIT, "QUIT" }, { SIGILL, "ILL" },
		{ SIGTRAP, "TRAP" }, { SIGABRT, "ABRT" }, { SIGBUS, "BUS" }, { SIGFPE, "FPE" },
		{ SIGKILL, "KILL" }, { SIGUSR1, "USR1" }, { SIGSEGV, "SEGV" }, { SIGUSR2, "USR2" },
		{ SIGPIPE, "PIPE" }, { SIGALRM, "ALRM" }, { SIGTERM, "TERM" }, { SIGCHLD, "CHLD" },
		{ SIGCONT, "CONT" }, { SIGSTOP, "STOP" }, { SIGTSTP, "TSTP" }, { SIGTTIN, "TTIN" },
		{ SIGTTOU, "TTOU" }, { SIGURG, "URG" }, { SIGXCPU, "XCPU" }, { SIGXFSZ, "XFSZ" },
		{ SIGVTALRM, "VTALRM" }, { SIGPROF, "PROF" }, { SIGWINCH, "WINCH" }, { SIGIO, "IO" },
		{ SIGPWR, "PWR" }, { SIGSYS, "SYS" },
	};

	for (size_t i = 0; i < countof(names); i++)
		if (names[i].number == signal) {
			buffer_text(out, "SIG");
			buffer_text(out, names[i].name);
			return;
		}
	buffer_text(out, "signal ");
	buffer_i64(out, signal);
}

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (unsigned char)c >= 0x80 || strchr("_-+=./,:@%*", c) != NULL;
}

void human_word(struct buffer *out, const char *word, size_t n, bool utf8)
{
	bool quote = n == 0;

	for (size_t i = 0; i < n; i++)
		quote = quote || !word[i] || !is_plain(word[i]);
	if (quote)
		buffer_char(out, '\'');
	for (size_t i = 0, length; i < n; i += length) {
		bool fit;

		length = sign_length(word + i, n - i, &fit);
		if (word[i] == '\n' || word[i] == '\t')
			buffer_char(out, ' ');
		else if (!fit || (length > 1 && !utf8))
			buffer_char(out, '?');
		else if (word[i] == '\'')
			buffer_text(out, "'\\''");
		else
			buffer_bytes(out, word + i, length);
	}
	if (quote)
		buffer_char(out, '\'');
}

void human_usd(struct buffer *out, double usd)
{
	static const double LEAST = 0.001;
	int decimals = 4;

	if (usd > 0 && usd < LEAST) {
		buffer_text(out, "under $0.001");
		return;
	}
	if (usd >= 10)
		decimals = usd >= 100 ? 0 : 2;
	buffer_char(out, '$');
	buffer_fixed(out, usd, decimals);
}
