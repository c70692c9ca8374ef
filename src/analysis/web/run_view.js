// run_view.js - all that is known of one run: cards, charts and tables, section by section.
import { adviceList, factCards, totalTiles, warningList } from "./cards.js";
import { makeChart } from "./chart.js";
import { linesOf, programColour, programLines, seriesColour } from "./data.js";
import { el } from "./element.js";
import { duration, moment, quantity } from "./format.js";
import { makeHeatmap } from "./heatmap.js";
import { makeLanes } from "./lanes.js";
import { nest, pack } from "./packing.js";
import { makeTable } from "./table.js";

// The charts of the data, with the section they stand in.  absent: what is said when the run has none.
export const CHARTS = [
	{ chart: "cpu", section: "cpu", title: "CPU", absent: "CPU use over time" },
	{ chart: "memory", section: "memory", title: "Memory", height: 240, absent: "memory over time" },
	{ chart: "processes_count", section: "processes", title: "Processes alive" },
	{ chart: "disk_io", section: "disk", title: "Disk reads and writes", absent: "disk I/O" },
	{ chart: "disk_space", section: "disk", title: "Disk space" },
	{ chart: "network", section: "network", title: "Network", absent: "network traffic" },
	{ chart: "pressure", section: "waiting", title: "Pressure", note: "share of the time in which tasks had to wait", absent: "pressure (the kernel's PSI)" },
	{ chart: "time_spent", section: "waiting", title: "Where the time went", note: "threads on average, stacked", stacked: true },
	{ chart: "gpu_use", section: "gpu", title: "GPU use", absent: "GPUs" },
	{ chart: "gpu_memory", section: "gpu", title: "GPU memory" },
	{ chart: "gpu_power", section: "gpu", title: "GPU power" },
	{ chart: "gpu_temperature", section: "gpu", title: "GPU temperature" },
	{ chart: "overhead", section: "overhead", title: "What recording cost" },
];

const SECTIONS = {
	cpu: "CPU", memory: "Memory", processes: "Processes", regions: "Regions", disk: "Disk", network: "Network",
	waiting: "Waiting", gpu: "GPU", overhead: "Overhead", methods: "Methods",
};

// Lines of different units cannot share an axis.
function byUnit(lines) {
	const units = [...new Set(lines.map((line) => line.unit))];
	return units.map((unit) => lines.filter((line) => line.unit === unit));
}

function lineCharts(run, { chart, title, note, height, stacked }, context) {
	const groups = byUnit(linesOf(run, chart));
	return groups.map((lines, i) => makeChart({
		...context, id: i ? `${chart}-${i + 1}` : chart, title: i ? `${title}: ${lines[0].label}` : title, note, lines, height,
		stacked: stacked && lines.length > 1,
		marks: i ? [] : (run.marks ?? []).filter((mark) => mark.chart === chart && mark.value !== null),
	}));
}

function programCharts(run, what, title, context) {
	const lines = programLines(run, what);
	return lines.length ? [makeChart({ ...context, id: `programs-${what}`, title, lines, stacked: true, note: "stacked" })] : [];
}

function processLanes(run, context) {
	const processes = run.processes ?? [];
	const end = context.timeline.end;
	const placed = processes.filter((process) => typeof process.start === "number");
	if (!placed.length)
		return [];
	const bars = placed.map((process) => ({
		start: process.start, end: process.end ?? end, name: process.name, colour: programColour(run, process.name),
		text: `${process.name} (${process.pid}): ${moment(process.start)} – ` +
			`${(process.end ?? null) === null ? "the end" : moment(process.end)}, CPU ${quantity(process.cpu_seconds, "s")}, ` +
			`peak ${quantity(process.peak_bytes, "B")}${process.ending ? `, ${process.ending}` : ""}`,
	}));
	const { lane, lanes } = pack(bars);
	bars.forEach((bar, i) => { bar.lane = lane[i]; });
	const left = run.processes_left_out ?? 0;
	const summary = `${bars.length} ${bars.length === 1 ? "process" : "processes"} from start to end, at most ${lanes} at once.` +
		(left ? ` ${left} more used less CPU time and are left out.` : "") +
		(placed.length < processes.length ? ` Only in the table, because their start is not known: ${processes.length - placed.length}.` : "");
	return [makeLanes({ ...context, id: "process-lanes", title: "Processes over time", summary, bars, lanes, what: "process" })];
}

function regionLanes(run, context) {
	const regions = run.regions ?? [];
	if (!regions.length)
		return [];
	const paths = [...new Set([...(run.region_totals ?? []), ...regions].map((region) => region.path))];
	const end = context.timeline.end;
	const { lane, lanes, threads } = nest(regions);
	const bars = regions.map((region, i) => ({
		start: region.start, end: region.end ?? end, lane: lane[i], name: region.path.split("/").at(-1),
		colour: seriesColour(paths.indexOf(region.path)),
		text: `${region.path}: ${moment(region.start)} – ${region.end === null ? "the end" : moment(region.end)} ` +
			`(${duration((region.end ?? end) - region.start)}), thread ${region.thread}`,
	}));
	const left = run.regions_left_out ?? 0;
	const summary = `${bars.length} ${bars.length === 1 ? "pass" : "passes"} through ${paths.length} ${paths.length === 1 ? "region" : "regions"}, in ` +
		`${threads.length} ${threads.length === 1 ? "thread" : "threads"}.${left ? ` ${left} more are left out.` : ""}`;
	return [makeLanes({
		...context, id: "region-lanes", title: "Regions over time", summary, bars, lanes, what: "region",
		labels: threads.map(({ thread, first }) => ({ lane: first, text: `${thread}` })),
	})];
}

// ---- tables --------------------------------------------------------------------------------

function programTable(run, file) {
	const programs = run.programs ?? [];
	const whole = programs.reduce((sum, program) => sum + (program.cpu_seconds ?? 0), 0);
	return programs.length ? makeTable({
		title: "Programs", file: `${file}-programs`,
		columns: [
			{ name: "program", label: "Program", unit: "text" }, { name: "processes", label: "Processes", unit: "count" },
			{ name: "cpu_seconds", label: "CPU time", unit: "s" }, { name: "cpu_share", label: "Share", unit: "share" },
			{ name: "peak_bytes", label: "Peak memory", unit: "B" },
		],
		rows: programs.map((program) => [program.name, program.processes ?? null, program.cpu_seconds ?? null,
			whole > 0 ? (program.cpu_seconds ?? 0) / whole : null, program.peak_bytes ?? null]),
	}) : null;
}

function processTable(run, file) {
	const processes = run.processes ?? [];
	return processes.length ? makeTable({
		title: "Processes, dearest first", file: `${file}-processes`,
		columns: [
			{ name: "name", label: "Name", unit: "text" }, { name: "pid", label: "PID", unit: "id" },
			{ name: "start_seconds", label: "Start", unit: "moment" }, { name: "end_seconds", label: "End", unit: "moment" },
			{ name: "cpu_seconds", label: "CPU time", unit: "s" }, { name: "peak_bytes", label: "Peak memory", unit: "B" },
			{ name: "ending", label: "Ending", unit: "text" },
		],
		rows: processes.map((process) => [process.name, process.pid, process.start ?? null, process.end ?? null,
			process.cpu_seconds ?? null, process.peak_bytes ?? null, process.ending ?? null]),
	}) : null;
}

const REGION_WORDS = { cpu: "CPU", gpu: "GPU", rss: "RSS", net: "network", wall: "time", recv: "received" };

// What a region has beside its path is known by the name of the number.
function regionColumn(name) {
	const unit = name.endsWith("_seconds") ? "s" : name.endsWith("_bytes") ? "B" : "count";
	const words = name.replace(/_(seconds|bytes)$/, "").split("_").map((word) => REGION_WORDS[word] ?? word).join(" ");
	return { name, label: words[0].toUpperCase() + words.slice(1), unit };
}

function regionTable(run, file) {
	const totals = run.region_totals ?? [];
	if (!totals.length)
		return null;
	const numbers = [...new Set(totals.flatMap(Object.keys))].filter((name) => totals.some((total) => typeof total[name] === "number"));
	return makeTable({
		title: "Regions", file: `${file}-regions`,
		columns: [{ name: "path", label: "Region", unit: "text" }, ...numbers.map(regionColumn)],
		rows: totals.map((total) => [total.path, ...numbers.map((name) => total[name] ?? null)]),
	});
}

function methodTable(run, file) {
	const methods = run.methods ?? [];
	return methods.length ? makeTable({
		title: "How each number was measured", file: `${file}-methods`, firstRows: 40,
		columns: [
			{ name: "quantity", label: "Quantity", unit: "text" }, { name: "value", label: "Value", unit: "text" },
			{ name: "lower", label: "At least", unit: "text" }, { name: "upper", label: "At most", unit: "text" },
			{ name: "source", label: "Source", unit: "text" }, { name: "meaning", label: "What it means", unit: "text", wide: true },
		],
		rows: methods.map((method) => [method.quantity, method.value ?? null, method.lower ?? null, method.upper ?? null,
			method.source ?? null, method.meaning ?? null]),
	}) : null;
}

// ---- the whole -----------------------------------------------------------------------------

function missing(run, parts) {
	const none = CHARTS.filter(({ chart, absent }) => absent && !(run.series ?? []).some((series) => series.chart === chart))
		.map(({ absent }) => absent);
	if (!run.cores)
		none.push("the use of single cores");
	if (!run.programs?.length)
		none.push("programs");
	if (!run.regions?.length && !run.region_totals?.length)
		none.push("regions of the code");
	if (!parts)
		return "This run was too short for a sample, or its record holds none: there is nothing to draw.";
	return none.length ? `Not in this record: ${none.join(", ")}.` : null;
}

// makeRunView(run, timeline, hint?) -> { node, hasPlots, sections: [{ id, title }], destroy() }
export function makeRunView(run, timeline, hint = null) {
	const file = run.name ?? "run";
	const context = { timeline, file };
	const hasTimes = (run.times ?? []).length > 0;
	const drawn = hasTimes ? run : { ...run, times: [], series: [], cores: undefined, marks: [],
		programs: (run.programs ?? []).map((program) => ({ ...program, cpu: undefined, memory: undefined })) };
	const charts = Object.fromEntries(CHARTS.map((one) => [one.chart, lineCharts(drawn, one, context)]));
	const heat = drawn.cores?.count > 0
		? [makeHeatmap({ ...context, id: "cores", title: "Each core of the machine", cores: drawn.cores, times: run.times })] : [];
	const stacks = {
		cpu: programCharts(drawn, "cpu", "CPU by program", context),
		memory: programCharts(drawn, "memory", "Memory by program", context),
	};
	const contents = {
		cpu: [...charts.cpu, ...stacks.cpu, ...heat],
		memory: [...charts.memory, ...stacks.memory],
		processes: [...charts.processes_count, ...processLanes(run, context), programTable(run, file), processTable(run, file)],
		regions: [...regionLanes(run, context), regionTable(run, file)],
		disk: [...charts.disk_io, ...charts.disk_space],
		network: charts.network,
		waiting: [...charts.pressure, ...charts.time_spent],
		gpu: [...charts.gpu_use, ...charts.gpu_memory, ...charts.gpu_power, ...charts.gpu_temperature],
		overhead: charts.overhead,
		methods: [methodTable(run, file)],
	};
	const parts = Object.values(contents).flat().filter(Boolean);
	const sections = Object.entries(SECTIONS).filter(([id]) => contents[id].some(Boolean)).map(([id, title]) => ({ id, title }));
	const plots = parts.filter((part) => part.destroy);
	const absent = missing(run, plots.length);
	const node = el("div", { class: "run" },
		totalTiles(run), adviceList(run), warningList(run), factCards(run), plots.length ? hint : null,
		...sections.map(({ id, title }) => el("section", { class: "part", id: `section-${id}`, "aria-labelledby": `title-${id}` },
			el("h2", { id: `title-${id}` }, title), ...contents[id].filter(Boolean).map((part) => part.node ?? part))),
		absent ? el("p", { class: "absent" }, absent) : null);
	return {
		node,
		hasPlots: plots.length > 0,
		sections: sections.map(({ id, title }) => ({ id: `section-${id}`, title })),
		destroy: () => plots.forEach((plot) => plot.destroy()),
	};
}
