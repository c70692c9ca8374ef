// run_tables.js - the tables of one run: programs, processes, regions, methods.  Each is an element, or null if the
// run has none.
import { SHORT_LIVED } from "./data.js";
import { makeTable } from "./table.js";

const LEAST_SECONDS = 0.001;     // below this, no row for the rest of CPU time is needed

export function programTable(run, file) {
	const programs = run.programs ?? [];
	const shortLived = run.short_lived_cpu_seconds ?? 0;
	const rest = shortLived >= LEAST_SECONDS ? [{ name: SHORT_LIVED, cpu_seconds: shortLived }] : [];
	const whole = [...programs, ...rest].reduce((sum, program) => sum + (program.cpu_seconds ?? 0), 0);
	return programs.length ? makeTable({
		title: "Programs", file: `${file}-programs`,
		columns: [
			{ name: "program", label: "Program", unit: "text" },
			{ name: "processes", label: "Processes", unit: "count" },
			{ name: "cpu_seconds", label: "CPU time", unit: "s" },
			{ name: "cpu_share", label: "Share of CPU time", unit: "share" },
			{ name: "peak_bytes", label: `Peak in a sample, ${run.program_memory_basis}`, unit: "B" },
		],
		rows: [...programs, ...rest].map((program) => [program.name, program.processes ?? null, program.cpu_seconds ?? null,
			whole > 0 ? (program.cpu_seconds ?? 0) / whole : null, program.peak_bytes ?? null]),
	}) : null;
}

export function processTable(run, file) {
	const processes = run.processes ?? [];
	return processes.length ? makeTable({
		title: "Processes by CPU time", isDetail: true, file: `${file}-processes`,
		columns: [
			{ name: "name", label: "Name", unit: "text" },
			{ name: "pid", label: "PID", unit: "id" },
			{ name: "start_seconds", label: "Start", unit: "moment" },
			{ name: "end_seconds", label: "End", unit: "moment" },
			{ name: "cpu_seconds", label: "CPU time", unit: "s" },
			{ name: "peak_bytes", label: "Its own peak (VmHWM)", unit: "B" },
			{ name: "ending", label: "Ending", unit: "text" },
		],
		rows: processes.map((process) => [process.name, process.pid, process.start ?? null, process.end ?? null,
			process.cpu_seconds ?? null, process.peak_bytes ?? null, process.ending ?? null]),
	}) : null;
}

// The columns that most readers look for; the others follow, and the bounds of shares are last.
const REGION_COLUMNS = ["count", "unfinished", "wall_seconds", "cpu_seconds", "tree_cpu_seconds", "peak_rss_bytes", "rss_change_bytes",
	"disk_read_bytes", "disk_write_bytes", "mean_seconds", "min_seconds", "max_seconds"];
const BOUND = /_at_(least|most)_/;

function regionRank(name) {
	const place = REGION_COLUMNS.indexOf(name);
	return BOUND.test(name) ? REGION_COLUMNS.length + 1 : place < 0 ? REGION_COLUMNS.length : place;
}

const REGION_WORDS = { cpu: "CPU", gpu: "GPU", rss: "RSS", net: "network", wall: "time", recv: "received" };

// A region's other columns are described by the names of their numbers.
function regionColumn(name) {
	const unit = name.endsWith("_seconds") ? "s" : name.endsWith("_bytes") ? "B" : "count";
	const words = name.replace(/_(seconds|bytes)$/, "").split("_")
		.map((word) => REGION_WORDS[word] ?? word).join(" ");
	return { name, label: words[0].toUpperCase() + words.slice(1), unit };
}

export function regionTable(run, file) {
	const totals = run.region_totals ?? [];
	if (!totals.length)
		return null;
	const numbers = [...new Set(totals.flatMap(Object.keys))]
		.filter((name) => totals.some((total) => typeof total[name] === "number" && total[name] !== 0))
		.sort((a, b) => regionRank(a) - regionRank(b));
	return makeTable({
		title: "Regions", file: `${file}-regions`,
		columns: [{ name: "path", label: "Region", unit: "text" }, ...numbers.map(regionColumn)],
		rows: totals.map((total) => [total.path, ...numbers.map((name) => total[name] ?? null)]),
	});
}

export function methodTable(run, file) {
	const methods = run.methods ?? [];
	return methods.length ? makeTable({
		title: "How each number was measured", file: `${file}-methods`, firstRows: 40,
		columns: [
			{ name: "quantity", label: "Quantity", unit: "text" },
			{ name: "value", label: "Value", unit: "text", brief: true },
			{ name: "lower", label: "At least", unit: "text", brief: true },
			{ name: "upper", label: "At most", unit: "text", brief: true },
			{ name: "source", label: "Source", unit: "text" },
			{ name: "meaning", label: "What it means", unit: "text", wide: true },
		],
		rows: methods.map((method) => [method.quantity, method.value ?? null, method.lower ?? null,
			method.upper ?? null, method.source ?? null, method.meaning ?? null]),
	}) : null;
}
