// run_view.js - the view of one run: tiles, the overview, charts and tables, section by section.
import { bandsOf } from "./bands.js";
import { adviceList, factCards, tileList, warningList } from "./cards.js";
import { makeChart } from "./chart.js";
import { CHARTS, FOLDED, SECTIONS } from "./chart_list.js";
import { linesOf, programLines, worthDrawing } from "./data.js";
import { el } from "./element.js";
import { makeHeatmap } from "./heatmap.js";
import { makeRibbon } from "./ribbon.js";
import { processLanes, regionLanes } from "./run_lanes.js";
import { methodTable, processTable, programTable, regionTable } from "./run_tables.js";

// Lines of different units cannot share an axis.
function byUnit(lines) {
	const units = [...new Set(lines.map((line) => line.unit))];
	return units.map((unit) => lines.filter((line) => line.unit === unit));
}

// The charts of one kind: [{ section, part }], none for lines that are always 0, which are added to `empty` by their
// title.  What only the machine did goes to the machine's section.
function lineCharts(run, { chart, section, title, note, height, stacked }, context, empty) {
	return byUnit(linesOf(run, chart)).flatMap((all, i) => {
		const { drawn, zero, own } = worthDrawing(all, context.timeline.end);
		const name = i ? `${title}: ${all[0].label}` : title;
		if (!drawn.length) {
			empty.push(name);
			return [];
		}
		if (!own)
			empty.push(`${name} of the job`);
		return [{
			section: own ? section : "machine",
			part: makeChart({
				...context, id: i ? `${chart}-${i + 1}` : chart, title: name, note, lines: drawn, zero, height,
				stacked: stacked && drawn.length > 1,
				marks: i ? [] : (run.marks ?? []).filter((mark) => mark.chart === chart && mark.value !== null),
			}),
		}];
	});
}

function programChart(run, what, title, context) {
	const { drawn } = worthDrawing(programLines(run, what), context.timeline.end);
	return drawn.length
		? [makeChart({ ...context, id: `programs-${what}`, title, lines: drawn, stacked: true, note: "stacked" })] : [];
}

function coreMap(run, context) {
	return run.cores?.count > 0
		? [makeHeatmap({ ...context, id: "cores", title: "Each core of the machine", cores: run.cores, times: run.times })]
		: [];
}

// The parts of each section: elements, and charts with their `node`.
function contentsOf(run, context, empty) {
	const drawn = run.times?.length ? run : {};
	const charts = CHARTS.flatMap((one) => lineCharts(drawn, one, context, empty));
	const of = (section) => charts.filter((one) => one.section === section).map(({ part }) => part);
	const { file } = context;
	const contents = {
		cpu: [...of("cpu"), ...programChart(drawn, "cpu", "CPU by program", context)],
		memory: [...of("memory"), ...programChart(drawn, "memory", `Memory by program: ${run.program_memory_basis}`, context)],
		regions: [...regionLanes(run, context), regionTable(run, file)],
		processes: [programTable(run, file), ...processLanes(run, context), ...of("processes"), processTable(run, file)],
		disk: of("disk"),
		network: of("network"),
		waiting: of("waiting"),
		gpu: of("gpu"),
		machine: [...of("machine"), ...coreMap(drawn, context)],
		methods: [methodTable(run, file)],
	};
	return Object.entries(SECTIONS)
		.map(([id, title]) => ({ id: `section-${id}`, title, folded: FOLDED.has(id), parts: contents[id].filter(Boolean) }))
		.filter(({ parts }) => parts.length > 0);
}

// Sentences about missing parts, so that readers do not search for them.
function missing(run, empty) {
	const has = (chart) => (run.series ?? []).some((series) => series.chart === chart);
	const none = CHARTS.filter(({ chart, absent }) => absent && !has(chart)).map(({ absent }) => absent);
	if (!run.cores)
		none.push("the use of single cores");
	if (!run.programs?.length)
		none.push("programs");
	if (!run.regions?.length && !run.region_totals?.length)
		none.push("regions of the code");
	return [none.length ? `Not in this record: ${none.join(", ")}.` : "", empty.length ? `Always 0, so not drawn: ${empty.join(", ")}.` : ""]
		.filter(Boolean).join(" ");
}

function sectionNode({ id, title, folded, parts }) {
	const nodes = parts.map((part) => part.node ?? part);
	// A section that is named as its first chart needs no heading that is seen.
	const isNamed = nodes[0].querySelector?.("h3")?.textContent === title;
	const head = el("h2", { id: `${id}-title`, class: isNamed && !folded ? "unseen" : null }, title);
	return folded ? el("details", { class: "part folded", id }, el("summary", {}, head), ...nodes)
		: el("section", { class: "part", id, "aria-labelledby": `${id}-title` }, head, ...nodes);
}

// The line of the overview: CPU, of the job if it is known.
function overviewLine(run) {
	const lines = linesOf(run, "cpu").filter((line) => line.style !== "limit" && line.unit === "cores");
	return lines.find((line) => line.owner === "job") ?? lines[0];
}

// makeRunView(run, timeline, hint?) -> { top: what stands before the toolbar, node, hasPlots, sections: [{ id, title }],
// destroy() }
export function makeRunView(run, timeline, hint = null) {
	const [bands, empty] = [bandsOf(run, timeline.end), []];
	const sections = contentsOf(run, { timeline, bands, file: run.name ?? "run" }, empty);
	const plots = sections.flatMap(({ parts }) => parts).filter((part) => part.destroy);
	const absent = plots.length ? missing(run, empty)
		: "This run was too short for a sample, or its record holds none: there is nothing to draw.";
	const ribbon = plots.length ? makeRibbon({ bands, line: overviewLine(run), timeline }) : null;
	const folds = [warningList(run), adviceList(run), factCards(run)].filter(Boolean);
	return {
		top: el("div", {}, tileList(run), folds.length ? el("div", { class: "folds" }, ...folds) : null),
		node: el("div", { class: "run" }, ribbon?.node, ...sections.map(sectionNode),
			absent ? el("p", { class: "absent" }, absent) : null, plots.length ? hint : null),
		hasPlots: plots.length > 0, sections: sections.map(({ id, title }) => ({ id, title })),
		destroy() {
			ribbon?.destroy();
			plots.forEach((plot) => plot.destroy());
		},
	};
}
