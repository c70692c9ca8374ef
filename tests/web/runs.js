// runs.js - made-up runs for the tests of the page, always the same: one with everything, one with almost nothing,
// the ranks of a job, and one with hostile names that try to break out.

// The same numbers each time (a linear congruential generator).
function noise(seed) {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

const GIB = 2 ** 30;
const MIB = 2 ** 20;
const round = (value) => Number(value.toPrecision(5));

// values(mean at t) -> { mean, min, max } with a spread, and one spike that only max shows.
function spread(times, random, at, { width = 0.1, spikeAt = -1, spike = 0 } = {}) {
	const mean = times.map((t) => round(Math.max(at(t) * (1 + (random() - 0.5) * width), 0)));
	return {
		mean, min: mean.map((value) => round(value * (1 - Math.min(width, 1) * random()))),
		max: mean.map((value, i) => (i === spikeAt ? spike : round(value * (1 + width * random())))),
	};
}

const constant = (times, value) => times.map(() => value);

function runOf(id, name, { duration = 3723, buckets = 240, seed = 1, load = 1 } = {}) {
	const random = noise(seed);
	const times = Array.from({ length: buckets }, (_, i) => round(((i + 1) * duration) / buckets));
	const phase = (t) => (t < duration * 0.12 ? 0.9 : t < duration * 0.8 ? 3.1 + 0.5 * Math.sin(t / 90) : 1.4) * load;
	const memory = (t) => (0.4 + 2.6 * Math.min(t / (duration * 0.5), 1)) * GIB * load;
	const tree = spread(times, random, phase, { width: 0.25, spikeAt: Math.floor(buckets * 0.4), spike: 7.6 });
	const pss = spread(times, random, memory, { width: 0.02 });
	const series = (key, chart, label, unit, kind, values, style = "line") => ({
		key, chart, label, unit, kind, style, aside: /machine/.test(label) || undefined, ...(Array.isArray(values) ? { mean: values } : values),
	});
	return {
		id, name, command: `/usr/bin/python3 train.py --epochs 12 --data /srv/data/${name} --token=*** --learning-rate 3e-4`,
		source: "record", started_at: 1795200000, duration_seconds: duration, outcome: "succeeded", ending: "It exited with 0.",
		quantities: {
			duration: { run: duration }, cpu_time: { job: 2.6 * duration * load }, mean_cpu: { job: 2.6 * load },
			peak_memory: { PSS: 3 * GIB * load, RSS: 3.75 * GIB * load }, disk_read: { job: 131 * GIB }, disk_written: { job: 8.2 * GIB },
			mean_gpu: { job: 0.4 }, peak_gpu_memory: { job: 9 * GIB },
		},
		times,
		series: [
			series("process.cpu_cores", "cpu", "job", "cores", "rate", tree, "area"),
			series("process.unaccounted_cpu_seconds", "cpu", "job: short-lived processes", "cores", "rate", spread(times, random, (t) => 0.1 * phase(t))),
			series("cpu.utilization_cores", "cpu", "machine", "cores", "rate", spread(times, random, (t) => phase(t) + 0.8)),
			series("cgroup.cpu_available_cores", "cpu", "CPUs that the job can use", "cores", "level", constant(times, 4), "limit"),
			{
				...series("process.pss_bytes", "memory", "PSS", "B", "level", pss, "area"),
				bound_low: pss.mean.map((value) => round(value * 0.94)), bound_high: pss.mean.map((value) => round(value * 1.07)),
			},
			series("process.rss_bytes", "memory", "RSS", "B", "level", spread(times, random, (t) => 1.25 * memory(t), { width: 0.02 })),
			series("process.swap_bytes", "memory", "swapped out", "B", "level", constant(times, 0)),
			series("cgroup.memory_current_bytes", "memory", "control group, with page cache", "B", "level", constant(times, 5 * GIB)),
			series("memory.used_bytes", "memory", "machine", "B", "level", spread(times, random, (t) => memory(t) + 2 * GIB)),
			series("cgroup.memory_available_bytes", "memory", "limit of the control group", "B", "level", constant(times, 8 * GIB), "limit"),
			series("process.count", "processes_count", "processes", "count", "level", spread(times, random, (t) => Math.round(2 + phase(t)))),
			series("process.threads", "processes_count", "threads", "count", "level", spread(times, random, (t) => Math.round(9 + 4 * phase(t)))),
			series("process.disk_read_bytes", "disk_io", "job reads", "B/s", "rate", spread(times, random, (t) => (t < duration / 5 ? 180 : 2) * MIB, { width: 1 })),
			series("process.disk_write_bytes", "disk_io", "job writes", "B/s", "rate", spread(times, random, (t) => (t % 400 < 20 ? 90 : 0.4) * MIB, { width: 1 })),
			series("disk_total.read_bytes", "disk_io", "machine reads", "B/s", "rate", spread(times, random, (t) => (t < duration / 5 ? 190 : 4) * MIB)),
			series("disk_total.write_bytes", "disk_io", "machine writes", "B/s", "rate", spread(times, random, () => 6 * MIB, { width: 1.5 })),
			series("disk_total.space_used_bytes", "disk_space", "in use", "B", "level", times.map((t) => round(177e9 + t * 4e6))),
			series("disk_total.space_total_bytes", "disk_space", "size of all filesystems", "B", "level", constant(times, 260e9), "limit"),
			series("process.net_recv_bytes", "network", "job receives (TCP)", "B/s", "rate", spread(times, random, (t) => (t < 300 ? 20 : 0.1) * MIB)),
			series("process.net_sent_bytes", "network", "job sends (TCP)", "B/s", "rate", spread(times, random, () => 0.2 * MIB)),
			series("network_total.recv_bytes", "network", "machine receives", "B/s", "rate", spread(times, random, (t) => (t < 300 ? 22 : 0.4) * MIB)),
			series("network_total.sent_bytes", "network", "machine sends", "B/s", "rate", spread(times, random, () => 0.3 * MIB)),
			series("pressure.cgroup_io_some_seconds", "pressure", "for disks", "share", "share", times.map((t) => (t < duration / 4 ? 0.6 : 0.01))),
			...["cpu some", "memory some", "memory full", "io some", "io full"].map((what, i) =>
				series(`pressure.${what.replace(" ", "_")}_seconds`, "pressure", what, "share", "share",
					spread(times, random, (t) => (0.3 / (i + 1)) * Math.max(Math.sin(t / 500), 0)))),
			...["running", "waiting for a CPU", "waiting for a disk", "asleep"].map((what, i) =>
				series(`process.time_${i}`, "time_spent", what, "threads", "rate", times.map((t) =>
					round([0.5, 0.1, 0.15, 0.25][i] + 0.05 * Math.sin(t / 200) * [1, -1, 1, -1][i])), "area")),
			series("gpu.0.utilization", "gpu_use", "GPU 0", "share", "rate", spread(times, random, (t) => 0.25 * phase(t))),
			series("gpu.1.utilization", "gpu_use", "GPU 1", "share", "rate", spread(times, random, (t) => 0.2 * phase(t))),
			series("gpu.0.memory", "gpu_memory", "GPU 0", "B", "level", times.map((t) => round(6 * GIB + t * MIB))),
			series("gpu.0.memory_total", "gpu_memory", "Size", "B", "level", constant(times, 16 * GIB), "limit"),
			series("gpu.0.power", "gpu_power", "GPU 0", "W", "level", spread(times, random, (t) => 60 + 50 * phase(t))),
			series("gpu.0.temperature", "gpu_temperature", "GPU 0", "C", "level", spread(times, random, (t) => 40 + 9 * phase(t))),
			series("tracker.cpu_cores", "overhead", "share of a core", "share", "rate", spread(times, random, () => 0.0007, { width: 1 })),
			series("tracker.rss_bytes", "overhead", "Memory", "B", "level", times.map(() => 2.9 * MIB)),
		],
		marks: [
			{ chart: "memory", at: duration * 0.62, value: 5.1 * GIB, label: "peak 5.1 GiB (cgroup)" },
			{ chart: "memory", at: null, value: 4.4 * GIB, label: "largest process 4.4 GiB" },
		],
	};
}

function programsOf(times) {
	const random = noise(7);
	const names = ["python3", "gzip", "cc1plus", "ld", "bash", "git", "sed", "tar", "make", "others"];
	return names.map((name, i) => ({
		name, processes: [4, 12, 311, 9, 40, 3, 88, 2, 7, 120][i], cpu_seconds: round(9000 / (i + 1) ** 2), peak_bytes: round((3 * GIB) / (i + 1) ** 1.5),
		cpu: times.map((t) => round(Math.max((2.4 / (i + 1) ** 1.3) * (0.7 + 0.6 * random()) * (i % 3 === 1 ? Math.max(Math.sin(t / 300), 0) : 1), 0))),
		memory: times.map((t, k) => round(((2.2 * GIB) / (i + 1) ** 1.5) * Math.min(1, (k + 20) / (times.length / 2)))),
	}));
}

function processesOf(duration) {
	const random = noise(11);
	const names = ["python3", "gzip", "cc1plus", "ld", "bash"];
	return Array.from({ length: 60 }, (_, i) => {
		const start = i < 4 ? i * 0.4 : random() * duration * 0.8;
		return {
			pid: 4000 + i * 3, name: names[i < 4 ? 0 : i % names.length], start: round(start),
			end: i < 3 ? null : round(Math.min(start + 20 + random() * duration * 0.2, duration)),
			cpu_seconds: round(4000 / (i + 1)), peak_bytes: round((2 * GIB) / (i + 1)), ending: i === 5 ? "SIGKILL" : "exit 0",
		};
	});
}

function regionsOf(duration) {
	const regions = [{ path: "train", depth: 0, thread: 4000, start: 10, end: duration - 20 }];
	for (let epoch = 0; epoch < 12; epoch++) {
		const start = 20 + (epoch * (duration - 60)) / 12;
		const end = start + (duration - 60) / 12 - 5;
		regions.push({ path: "train/epoch", depth: 1, thread: 4000, start: round(start), end: round(end) },
			{ path: "train/epoch/load", depth: 2, thread: 4000, start: round(start), end: round(start + 60) },
			{ path: "train/epoch/step", depth: 2, thread: 4000, start: round(start + 62), end: round(end - 30) },
			{ path: "prefetch", depth: 0, thread: 4007, start: round(start + 40), end: round(start + 120) });
	}
	return regions;
}

// make -> sh -> cc ..., a script that runs tools, one program whose parent is unknown.
export function programTreeOf() {
	const branches = [[-1, "bash", 1, 0.4, 4 * MIB, 1], [0, "python3", 1, 7400, 2.2 * GIB, 1], [1, "python3", 3, 1600, 1.1 * GIB, 1],
		[0, "make", 7, 12, 9 * MIB, 1], [3, "sh", 311, 31, 2 * MIB, 1], [4, "g++", 311, 40, 6 * MIB, 1], [5, "cc1plus", 311, 960, 0.4 * GIB, 1],
		[5, "as", 311, 60, 30 * MIB, 1], [4, "sed", 88, 0.3, null, 1], [3, "ld", 9, 560, 0.9 * GIB, 1], [0, "gzip", 12, 2200, 3 * MIB, 1],
		[0, "git", 3, 200, 0.1 * GIB, 1], [11, null, 120, 90, 5 * MIB, 17], [null, "tar", 2, 140, 4 * MIB, 1]];
	return { columns: ["parent", "program", "processes", "cpu_seconds", "peak_rss_bytes", "branches"], branches, full: false };
}

// The trees of three runs: the second one's compiler was slower, the third one packs with zstd, and has merged a branch.
function comparedTree(i) {
	const compiler = [300, 450, 210][i];
	const rest = [[[0, "gzip", 12, 60, 3 * MIB, 1]], [[0, "gzip", 12, 61, 3 * MIB, 1]], [[0, "zstd", 12, 5, 9 * MIB, 1], [1, null, 300, 12, MIB, 2]]][i];
	const own = i < 2 ? [[1, "sh", 300, 9, 2 * MIB, 1]] : [];
	return { ...programTreeOf(), branches: [[-1, "make", 1, 2, 4 * MIB, 1], [0, "g++", 40, 8, 6 * MIB, 1], [1, "cc1plus", 40, compiler, 0.4 * GIB, 1], ...rest, ...own] };
}

export function everything() {
	const duration = 3723;
	const run = runOf("01JD3Z", "train-resnet", { duration });
	const random = noise(3);
	return {
		...run, outcome: "succeeded",
		facts: [
			["totals", "Duration", "1 h 2 min 3 s"], ["totals", "CPU time", "2 h 44 min", "user 2 h 31 min, system 13 min"],
			["totals", "CPU on average", "2.65 cores"], ["totals", "Peak memory", "5.1 GiB", "of the control group, page cache included"],
			["totals", "Read from disks", "131 GiB"], ["totals", "Written to disks", "8.2 GiB"], ["totals", "Received (TCP)", "5.9 GiB"], ["totals", "Processes", "596"],
			["what", "Program", "python3"], ["what", "Job", "train-resnet"], ["what", "Directory", "/home/ana/resnet"], ["what", "User", "ana (1000)"],
			["where", "Host", "node-17"], ["where", "System", "Debian GNU/Linux 12, Linux 6.1.0"], ["where", "Processor", "AMD EPYC 7763, 8 cores"], ["where", "Memory", "31.3 GiB"], ["where", "GPU", "NVIDIA A10G, 2 of them"],
			["ending", "Outcome", "exited with 0"], ["ending", "Cause", "It came to its end by itself", "certain: the exit status was read"],
			["limits", "CPUs usable", "4 of 8", "quota of /user.slice"], ["limits", "Memory limit", "8 GiB"], ["limits", "Processes", "no limit"],
			["overhead", "CPU time", "2.6 s", "0.07 % of a core"], ["overhead", "Memory", "2.9 MiB"], ["overhead", "Samples missed", "0"],
		].map(([card, label, value, note]) => ({ card, label, value, note })),
		warnings: ["The job was held back by its CPU quota for 4 min 12 s in all.", "GPU 1 was idle for 61 % of the time."],
		advice: [
			{ what: "CPU", value: "4 cores", why: "It used 3.1 on average while it trained, and the quota held it back." },
			{ what: "Memory", value: "6.5 GiB", why: "The highest that cannot be missed was 5.1 GiB; 20 % more, rounded up." },
			{ what: "GPU", value: "1", why: "The second was idle for most of the time." },
			{ what: "Time", value: "1 h 30 min", why: "It took 1 h 2 min; half as much more." },
		],
		methods: [
			{ quantity: "CPU of the job", value: "9,840 s", lower: "9,840 s", upper: "9,840 s", source: "cgroup leaf", meaning: "Counted by the kernel for a control group of the job's own: exact." },
			{ quantity: "Memory of the job", value: "3.0 GiB", lower: "2.8 GiB", upper: "3.2 GiB", source: "smaps_rollup, carried by RSS", meaning: "Shared pages count once. Between readings the value follows RSS, and the bounds hold the truth." },
			{ quantity: "Disk I/O of the job", value: "139 GiB", source: "/proc/PID/io", meaning: "What was fetched from and sent to storage, children that ended included." },
			{ quantity: "Network of the job", value: "5.9 GiB", lower: "5.9 GiB", source: "socket diagnostics", meaning: "Payload of TCP connections; other protocols are not seen." },
		],
		cores: {
			count: 8, usage: Array.from({ length: 8 }, (_, core) => run.times.map((t) =>
				round(Math.min(Math.max((core < 4 ? 0.75 : 0.12) * (0.6 + 0.8 * random()) * (core === 6 && t > 2000 && t < 2300 ? 7 : 1), 0), 1)))),
		},
		programs: programsOf(run.times), program_memory_basis: "PSS", program_tree: programTreeOf(), short_lived_cpu_seconds: 800, processes: processesOf(duration), processes_left_out: 536,
		regions: regionsOf(duration), regions_left_out: 0, region_marks: [{ path: "train", text: "warm", thread: 4000, at: 900 }], region_marks_left_out: 0,
		region_totals: [
			{ path: "train", count: 1, wall_seconds: 3693, cpu_seconds: 9500, peak_bytes: 3.1 * GIB },
			{ path: "train/epoch", count: 12, wall_seconds: 3600, cpu_seconds: 9300, peak_bytes: 3.1 * GIB },
			{ path: "train/epoch/load", count: 12, wall_seconds: 720, cpu_seconds: 500, peak_bytes: 1.2 * GIB },
			{ path: "train/epoch/step", count: 12, wall_seconds: 2500, cpu_seconds: 8300, peak_bytes: 3.1 * GIB },
			{ path: "prefetch", count: 12, wall_seconds: 960, cpu_seconds: 190, peak_bytes: null },
		],
	};
}

export function almostNothing() {
	return {
		id: "01JD40", name: "true", command: "true", source: "record", started_at: 1795200000, duration_seconds: 0.0021,
		outcome: "failed", ending: "It exited with 1.",
		facts: [{ card: "totals", label: "Duration", value: "2.1 ms" }, { card: "totals", label: "CPU time", value: "unknown" }],
		warnings: [], times: [], series: [],
	};
}

export function ranks(count = 8) {
	return Array.from({ length: count }, (_, rank) => ({
		...runOf(`rank-${rank}`, "solver", { duration: 900 + 7 * rank, buckets: 300, seed: 20 + rank, load: rank === 3 ? 1.9 : 0.8 + 0.05 * rank }),
		outcome: rank === 5 ? "failed" : "succeeded", ending: rank === 5 ? "It was killed by SIGKILL: memory ran out." : "It exited with 0.",
		facts: [{ card: "what", label: "Rank", value: String(rank) }],
	}));
}

// Three runs after each other: the second is slower to begin its training and needs more, the third less.
export function compared() {
	return [[0, 1, "base"], [120, 1.5, "slower"], [30, 0.7, "faster"]].map(([later, load, name], i) => {
		const run = runOf(`compared-${i}`, name, { duration: 900 + later, buckets: 300, seed: 40 + i, load });
		return { ...run, started_at: run.started_at + 5000 * i, program_tree: comparedTree(i), regions: [{ path: "train", depth: 0, thread: 1, start: 60 + later, end: 800 + later }] };
	});
}

// A run with many unknown values, as other tools' files leave it: holes in lines, processes with an unknown start.
export function holes() {
	const times = [1, 2, 3, 4];
	const line = (key, mean, more) => ({ key, chart: "cpu", label: key, unit: "cores", kind: "level", style: "line", mean, ...more });
	return {
		id: "holes", name: "holes", source: "CSV", started_at: null, duration_seconds: null, outcome: "unknown",
		times, series: [
			line("process.cpu_cores", [null, 1, null, 2], { min: [null, 0.5, null, 2], max: [null, 3, null, 2] }),
			line("cpu.utilization_cores", [null, null, null, null], { aside: true }),
			{ ...line("process.rss_bytes", [null, null, 5e6, null]), chart: "memory", unit: "B", bound_low: [null, null, 4e6, null], bound_high: [null, null, null, null] },
			{ ...line("something.new", [1, 2, 3, 4]), chart: "cpu", unit: "furlongs" },
		],
		marks: [{ chart: "memory", at: null, value: 6e6, label: "peak" }, { chart: "memory", at: 2, value: null, label: "none" }],
		advice: [{ what: "throttled", value: "", why: "The quota held it back." }],
		programs: [{ name: "a", processes: null, cpu_seconds: null, peak_bytes: null, cpu: [null, 1, null, null], memory: [null, null, null, null] }],
		processes: [
			{ pid: 1, name: "seen", start: 1, end: null, cpu_seconds: null, peak_bytes: null },
			{ pid: 2, name: "found", start: null, end: 3, cpu_seconds: 1, peak_bytes: null },
		],
		program_memory_basis: "RSS",
		region_totals: [{ path: "a", count: 1, wall_seconds: null, tree_cpu_seconds: 3 }],
	};
}

export const HOSTILE = `</script><script>window.broken=1</script><img src=x onerror="window.broken=1">&lt;b&gt;'"=cmd|' /C calc'!A0`;

export function hostile() {
	const run = runOf("01JD41", HOSTILE, { duration: 60, buckets: 30 });
	return {
		...run, command: `sh -c ${HOSTILE}`, outcome: "failed", ending: HOSTILE, region_marks: [{ path: HOSTILE, text: HOSTILE, thread: 1, at: 20 }], warnings: [HOSTILE], advice: [{ what: HOSTILE, value: HOSTILE, why: HOSTILE }],
		facts: [{ card: HOSTILE, label: HOSTILE, value: HOSTILE, note: HOSTILE }, { card: "totals", label: HOSTILE, value: HOSTILE }],
		methods: [{ quantity: HOSTILE, value: HOSTILE, source: HOSTILE, meaning: HOSTILE }],
		series: run.series.map((series, i) => (i ? series : { ...series, label: HOSTILE })),
		marks: [{ chart: "memory", at: 30, value: GIB, label: HOSTILE }],
		program_memory_basis: "PSS", programs: [{ name: HOSTILE, processes: 1, cpu_seconds: 3, peak_bytes: GIB, cpu: run.times.map(() => 1), memory: run.times.map(() => GIB) },
			{ name: "=1+2", processes: 1, cpu_seconds: 9, peak_bytes: GIB, cpu: run.times.map(() => 1), memory: run.times.map(() => GIB) }],
		program_tree: { ...programTreeOf(), branches: [[-1, HOSTILE, 1, 3, GIB, 1], [0, "=1+2", 1, 9, null, 1]] },
		processes: [{ pid: 7, name: HOSTILE, start: 0, end: null, cpu_seconds: 1, peak_bytes: GIB, ending: HOSTILE }],
		regions: [{ path: HOSTILE, depth: 0, thread: 1, start: 0, end: 30 }], region_totals: [{ path: HOSTILE, count: 1, wall_seconds: 30 }],
	};
}

// 1,000 buckets of 60 series: the page must still open at once.
export function large() {
	const run = { ...everything(), ...runOf("01JD42", "large", { duration: 86400, buckets: 1000 }) };
	const extra = run.series.filter((series) => series.chart === "pressure");
	while (run.series.length < 60)
		run.series.push({ ...extra[run.series.length % extra.length], key: `pressure.more_${run.series.length}`, label: `more ${run.series.length}` });
	return { ...run, cores: { count: 64, usage: Array.from({ length: 64 }, (_, i) => run.times.map((t) => (t * (i + 1)) % 1)) }, programs: programsOf(run.times), program_memory_basis: "PSS" };
}

// The page as `resource-tracker report` would write it.
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function vlq(number) {
	let [left, text] = [number < 0 ? 2 * -number + 1 : 2 * number, ""];
	do {
		text += DIGITS[(left % 32) + (left > 31 ? 32 : 0)];
		left = Math.floor(left / 32);
	} while (left);
	return text;
}

export const coded = (steps) => steps.map((step, i) => vlq(step - (steps[i - 1] ?? 0))).join("");

// A day at 1 s: the job's CPU has one second of 40 cores, at SPIKE_AT; the machine's line has no rows.
export const SPIKE_AT = 50001;

export function day(seconds = 86400) {
	const run = { ...everything(), ...runOf("01JDAY", "day", { duration: seconds, buckets: 400 }) };
	const random = noise(5);
	const [ratio, floor] = [0.005, 0.001];
	const steps = (value) => Math.round(Math.log1p(value / floor) / Math.log1p(ratio));
	const second = (at) => Array.from({ length: seconds }, (_, i) => steps(at(i + 1) * (0.8 + 0.4 * random())));
	const line = (key, label, at) => ({ key, label, floor, mean: coded(second(at)) });
	const cpu = second((t) => 2 + Math.sin(t / 3000));
	cpu[SPIKE_AT - 1] = steps(40);
	const detail = {
		points: seconds, ratio, times: coded(Array.from({ length: seconds }, () => 1000)),
		lines: [{ key: "process.cpu_cores", label: "job", floor, mean: coded(cpu) },
			line("process.pss_bytes", "PSS", (t) => 2 ** 30 + 1e4 * t), line("process.rss_bytes", "RSS", (t) => 2 ** 30 + 2e4 * t),
			line("process.disk_read_bytes", "job reads", (t) => (t % 600 < 9 ? 1e8 : 1e6)),
			line("process.net_recv_bytes", "job receives (TCP)", () => 1e6)],
	};
	return { ...run, detail, programs: programsOf(run.times), program_memory_basis: "PSS" };
}

export function pageOf(template, runs) {
	const data = JSON.stringify({ format: 1, program: "resource-tracker 0.1.0", made_at: 1795204000, runs }).replaceAll("<", "\\u003c");
	return template.replace("<!--REPORT-DATA-->", () => `<script type="application/json" id="report-data">${data}</script>`);
}
