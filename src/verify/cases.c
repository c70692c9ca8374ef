/* cases.c - the built-in loads: what each tests, and the quantities of which the truth is known. */
#include "verify.h"

#include <math.h>

static const char owner_unknown[] =
	"they ended before a sample saw them: the kernel reported their bytes, but not their owner, so the "
	"job's part is between nothing and all of it";

const struct quantity_info verify_quantities[QUANTITY_COUNT] = {
	[QUANTITY_CPU] = {
		.name = "CPU time, within 2 % or 20 ms", .key = "cpu_seconds", .metric = METRIC_process_cpu_seconds,
		.lower = METRIC_process_cpu_lower_seconds, .upper = METRIC_process_cpu_upper_seconds, .truth = "cpu_seconds",
		.unit = UNIT_SECONDS, .relative = 0.02, .absolute = 0.020, .bound = "2 % or 20 ms",
		.doubt = "the last CPU time of each short process is not seen, but its upper bound is known",
	},
	[QUANTITY_PROGRAM] = {
		.name = "CPU time by program, 5 % of all", .key = "program_cpu_seconds", .truth = "cpu_seconds",
		.unit = UNIT_SECONDS, .relative = 0.05, .bound = "5 % of all programs'",
	},
	[QUANTITY_STARTED] = {
		.name = "Processes started, exactly", .key = "processes_started", .metric = METRIC_process_started,
		.missed = METRIC_process_lost_records, .truth = "processes_started", .unit = UNIT_COUNT, .widest = 1,
		.bound = "0", .doubt = "some of the kernel's reports were lost, but their number is known",
	},
	[QUANTITY_SWITCHES] = {
		.name = "Context switches, within 2 %", .key = "context_switches", .metric = METRIC_process_voluntary_switches,
		.also = METRIC_process_involuntary_switches, .truth = "switches", .source = "status", .unit = UNIT_COUNT,
		.relative = 0.02, .bound = "2 %",
	},
	[QUANTITY_PEAK] = {
		.name = "Peak memory of a process, within 1 %", .key = "peak_rss_bytes", .metric = METRIC_process_peak_rss_bytes,
		.truth = "peak_rss_bytes", .unit = UNIT_BYTES, .relative = 0.01, .bound = "1 %",
	},
	[QUANTITY_PSS] = {
		.name = "Memory (PSS), 1 %, 5 % in its bounds", .key = "pss_bytes", .metric = METRIC_process_pss_bytes,
		.lower = METRIC_process_pss_lower_bytes, .upper = METRIC_process_pss_upper_bytes, .truth = "pss_bytes", .source = "smaps",
		.unit = UNIT_BYTES, .relative = 0.01, .widest = 1.0 / 3, .farthest = 0.05, .bound = "1 %, or 5 % with bounds",
		.doubt = "reading all of it would have kept the programs waiting for too long",
	},
	[QUANTITY_WRITTEN] = {
		.name = "Written to disk, within 2 %", .key = "disk_write_bytes", .metric = METRIC_process_disk_write_bytes,
		.truth = "write_bytes", .source = "io", .unit = UNIT_BYTES, .relative = 0.02, .bound = "2 %",
	},
	[QUANTITY_READ] = {
		.name = "Read from disk, within 2 %", .key = "disk_read_bytes", .metric = METRIC_process_disk_read_bytes,
		.truth = "read_bytes", .source = "io", .unit = UNIT_BYTES, .relative = 0.02, .bound = "2 %",
	},
	[QUANTITY_SENT] = {
		.name = "Sent over TCP, 2 % or in its bounds", .key = "net_sent_bytes", .metric = METRIC_process_net_sent_bytes,
		.missed = METRIC_process_net_unattributed_bytes, .truth = "sent_bytes", .source = "sockets", .unit = UNIT_BYTES,
		.relative = 0.02, .widest = 2.1, .bound = "2 %", .doubt = owner_unknown,
	},
	[QUANTITY_RECEIVED] = {
		.name = "Received over TCP, likewise", .key = "net_recv_bytes", .metric = METRIC_process_net_recv_bytes,
		.missed = METRIC_process_net_unattributed_bytes, .truth = "recv_bytes", .source = "sockets", .unit = UNIT_BYTES,
		.relative = 0.02, .widest = 2.1, .bound = "2 %", .doubt = owner_unknown,
	},
};

#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }
#define OF(quantity) (1u << QUANTITY_##quantity)

/*
 * Together about 40 seconds on an idle machine; "@" is replaced by the folder for file loads.
 *
 * Some need a sample while they live (hold_seconds): the kernel keeps no PSS of a process that has ended, and the
 * owner of a connection is visible only by the descriptors of a live process, its own or that of the listening
 * socket.  The kernel keeps everything else until the recorder reads it, or reports it as it happens.
 */
const struct test_case test_cases[] = {
	{ "steady", "one process computes for 1 s", WORDS("cpu", "--seconds", "1"), PLAIN, OF(CPU), 0, 0 },
	{ "threads", "3 threads, 300 ms each", WORDS("cpu", "--threads", "3", "--seconds", "0.3"), PLAIN,
	  OF(CPU), 0, 0 },
	{ "short-children", "400 children of 2 ms",
	  WORDS("cpu", "--children", "400", "--each", "2"), HIDDEN_ENDS, OF(CPU) | OF(STARTED), 0, 0 },
	{ "tiny-children", "1000 children of 0.5 ms",
	  WORDS("cpu", "--children", "1000", "--each", "0.5"), HIDDEN_ENDS, OF(CPU) | OF(STARTED), 0, 0 },
	{ "unwaited", "80 of 10 ms, not waited for",
	  WORDS("cpu", "--children", "80", "--each", "10", "--unwaited"), HIDDEN_ENDS, OF(CPU), 0, 0 },
	{ "unwaited-short", "150 of 4 ms, not waited for",
	  WORDS("cpu", "--children", "150", "--each", "4", "--unwaited"), HIDDEN_ENDS, OF(CPU) | OF(STARTED), 0, 0 },
	{ "orphans", "80 of 10 ms, parents gone",
	  WORDS("cpu", "--children", "80", "--each", "10", "--orphaned", "--hold", "0.05"), PLAIN,
	  OF(CPU), 0, 0 },
	{ "daemons", "40 daemons of 20 ms",
	  WORDS("cpu", "--children", "40", "--each", "20", "--daemonised", "--hold", "0.05"), PLAIN,
	  OF(CPU) | OF(STARTED), 0, 0 },
	{ "from-thread", "2 of 400 ms, started by a thread",
	  WORDS("cpu", "--children", "2", "--each", "400", "--parallel", "2", "--from-thread"), PLAIN, OF(CPU), 0, 0 },
	{ "odd-names", "2 of 400 ms, with odd names",
	  WORDS("cpu", "--children", "2", "--each", "400", "--parallel", "2", "--name", "a b) (c\n) S 1"), PLAIN,
	  OF(CPU), 0, 0 },
	{ "memory", "200 MiB in one process", WORDS("memory", "--rss", "200"), PLAIN, OF(PEAK) | OF(PSS), 220, 1.5 },
	{ "spike", "500 MiB more, for 50 ms",
	  WORDS("memory", "--rss", "50", "--spike", "500", "--spike-ms", "50", "--hold", "0.6"), PLAIN,
	  OF(PEAK), 570, 0 },
	{ "attached", "the same, attached to it",
	  WORDS("memory", "--rss", "50", "--spike", "500", "--spike-ms", "50", "--after", "samples", "--rows",
		"samples"), ATTACHES,
	  OF(PEAK), 570, 1.5 },
	{ "shared", "200 MiB shared by 5 processes",
	  WORDS("memory", "--rss", "200", "--share", "4"), PLAIN, OF(PSS), 220, 1.5 },
	{ "pool-2", "200 MiB, read by 2 workers",
	  WORDS("pool", "--mib", "200", "--workers", "2"), PLAIN, OF(PSS), 220, 1.5 },
	{ "pool-8", "200 MiB, read by 8 workers",
	  WORDS("pool", "--mib", "200", "--workers", "8"), PLAIN, OF(PSS), 220, 1.5 },
	{ "pool-64", "200 MiB, read by 64 workers",
	  WORDS("pool", "--mib", "200", "--workers", "64"), PLAIN, OF(PSS), 280, 1.5 },
	{ "pool-copies", "the same, 8 write to 16 MiB each",
	  WORDS("pool", "--mib", "200", "--workers", "8", "--write", "16"), PLAIN, OF(PSS), 350, 1.5 },
	{ "shared-map", "256 MiB, mapped by 4 workers",
	  WORDS("pool", "--mib", "256", "--map", "--workers", "4"), PLAIN, OF(PSS), 280, 1.5 },
	{ "leaderless", "its main thread ended",
	  WORDS("leaderless", "--rss", "100", "--seconds", "0.5"), PLAIN, OF(CPU) | OF(PEAK) | OF(PSS), 110, 1.5 },
	{ "switching", "threads that sleep and wake", WORDS("switching"), PLAIN, OF(SWITCHES), 0, 0 },
	{ "build", "a build with 5 programs", WORDS("build", "--directory", "@"), HIDDEN_ENDS,
	  OF(CPU) | OF(PROGRAM) | OF(STARTED), 0, 0 },
	{ "forkers", "64 threads that fork", WORDS("forkers"), HIDDEN_ENDS, OF(CPU) | OF(STARTED), 0, 0 },
	{ "file", "32 MiB written, with fsync", WORDS("io", "--write", "32", "--directory", "@"), PLAIN,
	  OF(WRITTEN), 0, 0 },
	{ "direct", "32 MiB past the cache (O_DIRECT)",
	  WORDS("io", "--write", "32", "--read", "32", "--direct", "--directory", "@"), PLAIN,
	  OF(WRITTEN) | OF(READ), 0, 0 },
	{ "tcp", "64 MiB over one connection", WORDS("tcp", "--mib", "64"), PLAIN,
	  OF(SENT) | OF(RECEIVED), 0, 1.5 },
	{ "short-tcp", "20 connections of 100 KiB",
	  WORDS("tcp", "--mib", "0", "--connections", "20", "--kib", "100", "--gap", "60"), PLAIN,
	  OF(SENT) | OF(RECEIVED), 0, 0.3 },
};
const size_t n_test_cases = countof(test_cases);

/*
 * hold_seconds are for an interval of a second, and include half a second for late samples.  A longer interval has one
 * sample in that time, not several, so half of what is longer is added for that one.
 */
double case_hold(const struct test_case *c, double interval_seconds)
{
	return c->hold_seconds > 0 ? c->hold_seconds + 1.5 * fmax(0, interval_seconds - 1) : 0;
}
