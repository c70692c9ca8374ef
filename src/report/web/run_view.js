// run_view.js - the view of one run: tiles, the overview, charts and tables, section by section.
import { bandsOf } from "./bands.js";
import { adviceList, factCards, tileList, warningList } from "./cards.js";
import { makeChart } from "./chart.js";
import { CHARTS, FOLDED, SECTIONS } from "./chart_list.js";
import { linesOf, programLines, worthDrawing } from "./data.js";
import { el } from "./element.js";
import { programFlame } from "./flame.js";
import { makeHeatmap } from "./heatmap.js";
import { makeRibbon } from "./ribbon.js";
import { processLanes, regionLanes } from "./run_lanes.js";
import { methodTable, processTable, programTable, regionTable } from "./run_tables.js";
import { programShares } from "./shares.js";

// Lines of different units cannot share an axis.
function byUnit(lines) {
	const units = [...new Set(lines.map((line) => line.unit))];
	return units.map((unit) => lines.filter((line) => line.unit === unit));
}

// The parts of a view are described before they are made, so that those of a run that grows can be compared with what is
// there: { id, chart: for makeChart } or { id, data: what it is made of, make() -> an element, or a part with its `node` }.

// The charts of one kind: [{ section, ...description }], none for lines that are always 0, which are added to `empty` by
// their title.  What only the machine did goes to the machine's section.
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
		const id = i ? `${chart}-${i + 1}` : chart;
		return [{
			section: own ? section : "machine", id,
			chart: {
				...context, id, title: name, note, lines: drawn, zero, height, stacked: stacked && drawn.length > 1,
				marks: i ? [] : (run.marks ?? []).filter((mark) => mark.chart === chart && mark.value !== null),
			},
		}];
	});
}

function programChart(run, what, title, context) {
	const { drawn } = worthDrawing(programLines(run, what), context.timeline.end);
	const id = `programs-${what}`;
	return drawn.length ? [{ id, chart: { ...context, id, title, lines: drawn, stacked: true, note: "stacked" } }] : [];
}

function coreMap(run, context) {
	return run.cores?.count > 0
		? makeHeatmap({ ...context, id: "cores", title: "Each core of the machine", cores: run.cores, times: run.times }) : null;
}

const other = (id, data, make) => ({ id, data, make });

// [{ id, title, folded, parts: descriptions }]
function contentsOf(run, context, empty) {
	const drawn = run.times?.length ? run : {};
	const charts = CHARTS.flatMap((one) => lineCharts(drawn, one, context, empty));
	const of = (section) => charts.filter((one) => one.section === section);
	const { file } = context;
	const contents = {
		cpu: [...of("cpu"), ...programChart(drawn, "cpu", "CPU by program", context)],
		memory: [...of("memory"), ...programChart(drawn, "memory", `Memory by program: ${run.program_memory_basis}`, context)],
		regions: [other("region-lanes", run.regions, () => regionLanes(run, context)),
			other("region-table", run.region_totals, () => regionTable(run, file))],
		processes: [other("program-shares", run.programs, () => programShares(run)),
			other("program-table", run.programs, () => programTable(run, file)), other("program-flame", run.program_tree, () => programFlame(run, file)),
			other("process-lanes", run.processes, () => processLanes(run, context)), ...of("processes"),
			other("process-table", run.processes, () => processTable(run, file))],
		disk: of("disk"),
		network: of("network"),
		waiting: of("waiting"),
		gpu: of("gpu"),
		machine: [...of("machine"), other("core-map", drawn.cores, () => coreMap(drawn, context))],
		methods: [other("methods", run.methods, () => methodTable(run, file))],
	};
	return Object.entries(SECTIONS)
		.map(([id, title]) => ({ id: `section-${id}`, title, folded: FOLDED.has(id), parts: contents[id] }));
}

const made = (part) => (Array.isArray(part) ? part[0] : part) ?? null;

// A description with its part; null: there is nothing to show.
function build(description) {
	const part = description.chart ? makeChart(description.chart) : made(description.make());
	return part ? { ...description, part, node: part.node ?? part, text: JSON.stringify(description.data) } : null;
}

function discard({ part, node }) {
	part.destroy?.();
	node.release?.();
}

const linesKey = ({ chart }) => chart?.lines.map(({ key, label }) => `${key} ${label}`).join("\n");

// Takes the data of the same part later.  false: it is another part now.
function renew(old, now) {
	if (old.id !== now.id || linesKey(old) !== linesKey(now))
		return false;
	if (now.chart) {
		old.part.update(now.chart);
		return true;
	}
	const text = JSON.stringify(now.data);
	// What is in use stays until it is not.
	if (text === old.text || old.node.contains(document.activeElement) || old.node.matches(":hover"))
		return true;
	const built = build(now);
	if (!built)
		return false;
	old.node.replaceWith(built.node);
	discard(old);
	Object.assign(old, built);
	return true;
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
	const nodes = parts.map(({ node }) => node);
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

function topNode(run) {
	const folds = [warningList(run), adviceList(run), factCards(run)].filter(Boolean);
	return el("div", { class: "top" }, tileList(run), folds.length ? el("div", { class: "folds" }, ...folds) : null);
}

// Puts a newer node in the place of an older one, with the same folds open.
function exchange(old, now) {
	const nameOf = (fold) => fold.className;
	const open = new Set([...old.querySelectorAll("details[open]")].map(nameOf));
	now.querySelectorAll("details").forEach((fold) => { fold.open = open.has(nameOf(fold)); });
	old.replaceWith(now);
	return now;
}

// makeRunView(run, timeline, hint?) -> { top: what stands before the toolbar, node, hasPlots, sections: [{ id, title }],
// update(run), destroy() }.  update() takes the same run later; false: it needs another view.
export function makeRunView(run, timeline, hint = null) {
	const [bands, empty] = [bandsOf(run, timeline.end), []];
	const context = { timeline, bands, file: run.name ?? "run" };
	const sections = contentsOf(run, context, empty)
		.map((section) => ({ ...section, parts: section.parts.map(build) }))
		.map((section) => ({ ...section, places: section.parts, parts: section.parts.filter(Boolean) }));
	const shown = sections.filter(({ parts }) => parts.length > 0);
	const parts = shown.flatMap((section) => section.parts);
	const hasPlots = parts.some(({ part }) => part.destroy);
	const absent = hasPlots ? missing(run, empty)
		: "This run was too short for a sample, or its record holds none: there is nothing to draw.";
	const ribbonOf = (now) => makeRibbon({ bands, line: overviewLine(now), timeline });
	let ribbon = hasPlots ? ribbonOf(run) : null;
	let top = topNode(run);
	return {
		get top() { return top; },
		node: el("div", { class: "run" }, ribbon?.node, ...shown.map(sectionNode),
			absent ? el("p", { class: "absent" }, absent) : null, hasPlots ? hint : null),
		hasPlots, sections: shown.map(({ id, title }) => ({ id, title })),
		update(now) {
			Object.assign(bands, bandsOf(now, timeline.end));
			const places = sections.flatMap((section) => section.places);
			const later = contentsOf(now, context, []).flatMap((section) => section.parts);
			const isSame = places.length === later.length && places.every((old, i) => (old ? renew(old, later[i]) : !later[i].chart && !made(later[i].make())));
			if (!isSame || !ribbon)
				return false;
			top = exchange(top, topNode(now));
			if (!ribbon.node.matches(":hover") && !ribbon.node.contains(document.activeElement)) {
				const old = ribbon;
				ribbon = ribbonOf(now);
				old.node.replaceWith(ribbon.node);
				old.destroy();
			}
			return true;
		},
		destroy() {
			ribbon?.destroy();
			parts.forEach(discard);
		},
	};
}
