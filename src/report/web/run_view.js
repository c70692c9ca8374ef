// run_view.js - the view of one run: cards, charts and tables, section by section.
import { adviceList, factCards, totalTiles, warningList } from "./cards.js";
import { makeChart } from "./chart.js";
import { CHARTS, SECTIONS } from "./chart_list.js";
import { linesOf, programLines } from "./data.js";
import { el } from "./element.js";
import { makeHeatmap } from "./heatmap.js";
import { processLanes, regionLanes } from "./run_lanes.js";
import { methodTable, processTable, programTable, regionTable } from "./run_tables.js";

// Lines of different units cannot share an axis.
function byUnit(lines) {
	const units = [...new Set(lines.map((line) => line.unit))];
	return units.map((unit) => lines.filter((line) => line.unit === unit));
}

function lineCharts(run, { chart, title, note, height, stacked }, context) {
	return byUnit(linesOf(run, chart)).map((lines, i) => makeChart({
		...context, id: i ? `${chart}-${i + 1}` : chart, title: i ? `${title}: ${lines[0].label}` : title, note, lines,
		height, stacked: stacked && lines.length > 1,
		marks: i ? [] : (run.marks ?? []).filter((mark) => mark.chart === chart && mark.value !== null),
	}));
}

function programChart(run, what, title, context) {
	const lines = programLines(run, what);
	return lines.length
		? [makeChart({ ...context, id: `programs-${what}`, title, lines, stacked: true, note: "stacked" })] : [];
}

function coreMap(run, context) {
	return run.cores?.count > 0
		? [makeHeatmap({ ...context, id: "cores", title: "Each core of the machine", cores: run.cores, times: run.times })]
		: [];
}

// The parts of each section: elements, and charts with their `node`.
function contentsOf(run, context) {
	const drawn = run.times?.length ? run : {};
	const charts = (section) => CHARTS.filter((one) => one.section === section)
		.flatMap((one) => lineCharts(drawn, one, context));
	const { file } = context;
	const contents = {
		cpu: [...charts("cpu"), ...programChart(drawn, "cpu", "CPU by program", context), ...coreMap(drawn, context)],
		memory: [...charts("memory"), ...programChart(drawn, "memory", `Memory by program: ${run.program_memory_basis}`, context)],
		processes: [...charts("processes"), ...processLanes(run, context), programTable(run, file), processTable(run, file)],
		regions: [...regionLanes(run, context), regionTable(run, file)],
		disk: charts("disk"),
		network: charts("network"),
		waiting: charts("waiting"),
		gpu: charts("gpu"),
		overhead: charts("overhead"),
		methods: [methodTable(run, file)],
	};
	return Object.entries(SECTIONS)
		.map(([id, title]) => ({ id: `section-${id}`, title, parts: contents[id].filter(Boolean) }))
		.filter(({ parts }) => parts.length > 0);
}

// A sentence about missing parts, so that readers do not search for them.
function missing(run) {
	const has = (chart) => (run.series ?? []).some((series) => series.chart === chart);
	const none = CHARTS.filter(({ chart, absent }) => absent && !has(chart)).map(({ absent }) => absent);
	if (!run.cores)
		none.push("the use of single cores");
	if (!run.programs?.length)
		none.push("programs");
	if (!run.regions?.length && !run.region_totals?.length)
		none.push("regions of the code");
	return none.length ? `Not in this record: ${none.join(", ")}.` : null;
}

// makeRunView(run, timeline, hint?) -> { node, hasPlots, sections: [{ id, title }], destroy() }
export function makeRunView(run, timeline, hint = null) {
	const sections = contentsOf(run, { timeline, file: run.name ?? "run" });
	const plots = sections.flatMap(({ parts }) => parts).filter((part) => part.destroy);
	const absent = plots.length ? missing(run)
		: "This run was too short for a sample, or its record holds none: there is nothing to draw.";
	const node = el("div", { class: "run" },
		totalTiles(run), adviceList(run), warningList(run), factCards(run), plots.length ? hint : null,
		...sections.map(({ id, title, parts }) => el("section", { class: "part", id, "aria-labelledby": `${id}-title` },
			el("h2", { id: `${id}-title` }, title), ...parts.map((part) => part.node ?? part))),
		absent ? el("p", { class: "absent" }, absent) : null);
	return {
		node, hasPlots: plots.length > 0, sections: sections.map(({ id, title }) => ({ id, title })),
		destroy: () => plots.forEach((plot) => plot.destroy()),
	};
}
